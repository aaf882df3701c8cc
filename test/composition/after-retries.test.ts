import { describe, expect, it } from "vitest";
import type { FaultScript } from "../../src/sim/index.js";
import { composeSimulated, failureOf, REPO } from "./compose.js";
import { EITHER, type Host, INSIDE, OUTSIDE } from "./compositions.js";

const DAY = 86_400_000;
const COMMENTS = "/repos/mona/hello/issues/1/comments";

/** Seven issues, on GitHub as it is simulated, with faults to come. */
async function setUp(Class: (typeof EITHER)[string], faults: readonly FaultScript[] = []) {
  const composed = await composeSimulated(Class, { squad: { maxWaitMs: DAY } });
  const { github } = composed;
  for (let number = 1; number <= 7; number++) github.world.addIssue({ ...REPO, title: `Issue ${number}` });
  for (const fault of faults) github.fault(fault);
  return { ...composed, statuses: () => github.log.map(({ status }) => status) };
}

const SECONDARY: FaultScript = { kind: "secondary-limit" };
const PRIMARY: FaultScript = { kind: "primary-limit" };
const BAD_GATEWAY: FaultScript = { kind: "status", status: 502 };

/** Each way of reading, and what it comes to. */
const reads: Readonly<Record<string, (octokit: Host) => Promise<unknown>>> = {
  "octokit.rest": async (octokit) => (await octokit.rest.issues.get({ ...REPO, issue_number: 3 })).data,
  "octokit.request": async (octokit) =>
    (await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}", { ...REPO, issue_number: 3 })).data,
  "octokit.paginate": (octokit) => octokit.paginate(octokit.rest.issues.listForRepo, { ...REPO, per_page: 3 }),
  "octokit.paginate.iterator": async (octokit) => {
    const pages: unknown[] = [];
    const list = octokit.paginate.iterator(octokit.rest.issues.listForRepo, { ...REPO, per_page: 3 });
    for await (const { data, status, url, headers } of list) pages.push({ data, status, url, link: headers.link });
    return pages;
  },
  "octokit.graphql": (octokit) =>
    octokit.graphql(
      'query ($owner: String!) { repository(owner: $owner, name: "hello") { issues(first: 5) { nodes { title } } } }',
      {
        owner: "mona",
      },
    ),
};

describe.each(Object.entries(EITHER))("with the host's plugins %s", (_composition, Class) => {
  it.each(Object.entries(reads))("%s gives after three retries what it gives without", async (_, read) => {
    const { time, octokit, another, github, asked } = await setUp(Class, [BAD_GATEWAY, SECONDARY, PRIMARY]);
    const tried = await time.settle(read(octokit));
    expect(github.log.slice(0, 3).map(({ fault }) => fault)).toEqual(["status", "secondary-limit", "primary-limit"]);
    expect(asked).toEqual([]);
    github.reset();
    const straight = await time.settle(read(another(Class, { squad: { enabled: false } })));
    expect(tried).toEqual(straight);
  });

  it.each([
    ["a primary limit", PRIMARY],
    ["a secondary limit", SECONDARY],
  ])("a write that %s refuses is made once", async (_, fault) => {
    const { time, octokit, statuses } = await setUp(Class, [{ ...fault, match: { method: "POST" }, times: 2 }]);
    const { data } = await time.settle(octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: "Once" }));
    expect(data.body).toBe("Once");
    expect(statuses()).toEqual([403, 403, 201]);
    expect(await time.settle(commentsOf(octokit))).toEqual(["Once"]);
  });

  it("a mutation that GraphQL's limit refuses, with status 200, is made once", async () => {
    const { time, octokit, github, statuses } = await setUp(Class);
    const ids = '{ repository(owner: "mona", name: "hello") { issue(number: 1) { id } } }';
    type Ids = { readonly repository: { readonly issue: { readonly id: string } } };
    const { repository } = await time.settle(octokit.graphql<Ids>(ids));
    github.fault({ ...PRIMARY, match: { path: "/graphql" } });
    const mutation = 'mutation ($id: ID!) { addComment(input: { subjectId: $id, body: "Once" }) { clientMutationId } }';
    await time.settle(octokit.graphql(mutation, { id: repository.issue.id }));
    expect(statuses()).toEqual([200, 200, 200]);
    expect(await time.settle(commentsOf(octokit))).toEqual(["Once"]);
  });
});

/** The answer is lost; what was asked for was done. */
const LOST: FaultScript = { kind: "reset", when: "after", match: { method: "POST", path: COMMENTS } };

describe.each(Object.entries(INSIDE))("with the host's plugins %s", (_composition, Class) => {
  it.each([
    ["a bad gateway", BAD_GATEWAY, []],
    ["a connection that breaks after it was done", LOST, ["Once"]],
  ])("a write that meets %s is not repeated", async (_, fault, comments) => {
    const { time, octokit, github } = await setUp(Class, [fault]);
    const call = octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: "Once" });
    await failureOf(time.settle(call));
    expect(github.log).toHaveLength(1);
    expect(await time.settle(commentsOf(octokit))).toEqual(comments);
  });
});

describe.each(Object.entries(OUTSIDE))("with the host's plugins %s", (_composition, Class) => {
  it.each([true, false])("plugin-retry repeats a write whose answer was lost; ours is there: %s", async (enabled) => {
    const { time, another, github } = await setUp(Class, [LOST]);
    const octokit = another(Class, { squad: { enabled } });
    await time.settle(octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: "Once" }));
    expect(github.log).toHaveLength(2);
    expect(await time.settle(commentsOf(octokit))).toEqual(["Once", "Once"]);
  });
});

async function commentsOf(octokit: Host): Promise<(string | undefined)[]> {
  const { data } = await octokit.rest.issues.listComments({ ...REPO, issue_number: 1 });
  return data.map(({ body }) => body);
}
