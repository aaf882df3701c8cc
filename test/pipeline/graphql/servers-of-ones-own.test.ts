import { expect, it } from "vitest";
import { setUpBench } from "../../harness/octokit-in-squad.js";

it("a query that GitHub's rule makes dearer than a whole window is sent when the window is full", async () => {
  const { clock, github, octokit, squad } = setUpBench();
  github.route("/graphql", { json: { data: { a: 1 } }, headers: { "x-ratelimit-resource": "graphql" } });
  const counts = Array.from({ length: 60 }, (_, i) => `c${i}: labels { totalCount }`).join(" ");
  const query = `{ viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { ${counts} } } } } } }`;
  expect(await squad.estimate(query)).toMatchObject({ units: 6_001, nodes: 10_100, rejected: undefined });
  const one = octokit("ghp_x");
  await clock.settle(one.graphql("{ a }"));
  let sent: unknown = "never sent";
  void one.graphql(query, { request: { squad: { maxWaitMs: 24 * 3_600_000 } } }).then(
    () => {
      sent = "sent";
    },
    (error: Error) => {
      sent = error.message;
    },
  );
  for (let hour = 0; hour < 5; hour++) await clock.advance(3_600_000);
  expect(sent).toBe("sent");
});

it.each([
  [400, '{"errors":[{"message":"PersistedQueryNotSupported"}]}'],
  [200, '{"errors":[{"message":"Only documents of the allow list are taken."}]}'],
  [200, '{"errors":[{"message":"Cannot query field \\"rateLimit\\" on type \\"Query\\"."}]}'],
])(
  "a server that takes only documents it knows (%s %s) is asked again without the selection, as docs/graphql.md says",
  async (status, body) => {
    const { clock, github, octokit } = setUpBench();
    github.route("/graphql", (request) =>
      request.body?.includes("squadRateLimit") ? { status, body } : { json: { data: { a: 1 } } },
    );
    expect(await clock.settle(octokit("ghp_x").graphql("{ a }"))).toEqual({ a: 1 });
  },
);

it("a query whose answer breaks off is tried again", async () => {
  const { clock, github, octokit } = setUpBench({ retry: true });
  let answers = 0;
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
    stream.enqueue(new TextEncoder().encode('{"data":{"a"'));
    stream.error(new TypeError("terminated"));
  };
  github.route("/graphql", () =>
    answers++ === 0 ? { body: new ReadableStream<Uint8Array>({ pull }) } : { json: { data: { a: 1 } } },
  );
  expect(await clock.settle(octokit("ghp_x").graphql("{ a }"))).toEqual({ a: 1 });
  expect(answers).toBe(2);
});
