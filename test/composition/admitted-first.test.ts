import { Octokit as Core } from "@octokit/core";
import type { OctokitOptions } from "@octokit/core/types";
import { describe, expect, it, vi } from "vitest";
import { squadRate } from "../../src/index.js";
import { PacedLane } from "../../src/pipeline/lanes/paced-lane.js";
import { compose, REPO } from "./compose.js";
import { EITHER, type Host, hostOf, INSIDE } from "./compositions.js";

/** Writes that do not notify: a second apart in plugin-throttling's queue and in ours. */
const write = (octokit: Host): Promise<unknown> => octokit.rest.activity.setRepoSubscription(REPO);

function seconds(sent: readonly { readonly atMs: number; readonly route: string }[]): number[] {
  const writes = sent.filter(({ route }) => route.startsWith("PUT"));
  return writes.map(({ atMs }) => Math.round((atMs - (writes[0]?.atMs ?? 0)) / 100) / 10);
}

type Request = (options: object) => Promise<unknown>;
interface Headed {
  readonly headers: Record<string, string>;
}

/** Auth of the program's own, of which the options do not tell the token. */
function ownAuth(token: () => string): OctokitOptions {
  const authStrategy = () => {
    const hook = (request: Request, options: Headed): Promise<unknown> => {
      options.headers.authorization = `token ${token()}`;
      return request(options);
    };
    return Object.assign(async () => ({}), { hook });
  };
  return { auth: {}, authStrategy } as unknown as OctokitOptions;
}

/** As @octokit/auth-app does it, but for the signature: the token is minted by a call within the call. */
const installation = {
  auth: { appId: 7, installationId: 1 },
  authStrategy: ({ request: outer }: { readonly request: (route: string) => Promise<{ data: { token: string } }> }) => {
    let minted: Promise<{ data: { token: string } }> | undefined;
    const hook = async (request: Request, options: Headed & { readonly url: string }): Promise<unknown> => {
      if (!options.url.startsWith("/app/")) {
        minted ??= outer("POST /app/installations/1/access_tokens");
        options.headers.authorization = `token ${(await minted).data.token}`;
      }
      return request(options);
    };
    return Object.assign(async () => ({}), { hook });
  },
} as unknown as OctokitOptions;

describe.each(Object.entries(INSIDE))("a write with plugin-throttling %s has one place in its queue", (_, Class) => {
  it("from the first on for an app's installation, whose token is minted inside", async () => {
    const { time, github, another, sent } = await compose(Class);
    github.route("/repos/mona/hello/subscription", { json: {} });
    github.route("/app/installations/1/access_tokens", () => ({
      status: 201,
      json: { token: "ghs_1" },
      unlimited: true,
    }));
    const octokit = another(Class, { options: installation });
    await time.settle(Promise.all([write(octokit), write(octokit), write(octokit)]));
    expect(seconds(sent)).toEqual([0, 1, 2]);
    expect(sent.filter(({ route }) => route.startsWith("POST"))).toHaveLength(1);
    expect(sent.find(({ route }) => route.startsWith("PUT"))?.atMs).toBeLessThan(100);
  });

  it("or two where auth is the program's own, so that it waits for no quota but its own", async () => {
    const { time, github, another, sent } = await compose(Class);
    github.route("/repos/mona/hello/subscription", { json: {} });
    let token = "ghp_spent";
    const octokit = another(Class, { options: ownAuth(() => token), squad: { maxWaitMs: 10_000 } });
    github.quota("token ghp_spent").used = 4_990;
    await time.settle(write(octokit));
    await expect(time.settle(write(octokit))).rejects.toMatchObject({ code: "SQUAD_RATE_LIGHT" });
    token = "ghp_fresh";
    await time.settle(write(octokit));
    expect(sent.filter(({ route }) => route.startsWith("PUT"))).toHaveLength(2);
  });

  it("and counts against whose it is", async () => {
    const { time, github, another, sent } = await compose(Class);
    github.route("/repos/mona/hello/subscription", { json: {} });
    let token = "ghp_one";
    const octokit = another(Class, { options: ownAuth(() => token) });
    await time.settle(write(octokit));
    token = "ghp_two";
    await time.settle(write(octokit));
    expect(sent).toHaveLength(2);
    expect(github.requests.map(({ headers }) => headers.get("authorization"))).toEqual([
      "token ghp_one",
      "token ghp_two",
    ]);
    const { principals } = octokit.squad.status();
    expect(principals.map(({ windows }) => [windows.core?.used, windows.core?.reserved])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});

describe.each(Object.entries({ ...EITHER, nowhere: hostOf(squadRate) }))(
  "a paced call, host's plugins %s,",
  (where, Class) => {
    it("takes its lane's way with the permit in hand, and none where the host's throttling is that way", async () => {
      const through = vi.spyOn(PacedLane.prototype, "through");
      const { time, github, octokit } = await compose(Class);
      through.mockClear();
      github.route("/repos/mona/hello/subscription", { json: {} });
      await time.settle(write(octokit));
      expect(through.mock.calls.map(([lane]) => lane)).toEqual(where in INSIDE ? [] : ["write"]);
      through.mockRestore();
    });
  },
);

it("a call that may be answered from memory asks for no permit first", async () => {
  const Class = Core.plugin(squadRate) as unknown as Parameters<typeof compose>[0];
  const { time, github, octokit, sent } = await compose(Class, { squad: { cache: { freshForMs: 60_000 } } });
  github.route("/search/repositories", { json: { items: [] } });
  const search = (): Promise<unknown> => octokit.request("GET /search/repositories", { q: "x" });
  await time.settle(search());
  const startedAt = time.passedMs;
  for (let round = 0; round < 5; round++) await time.settle(search());
  expect(sent).toHaveLength(1);
  expect(time.passedMs - startedAt).toBeLessThan(100);
});
