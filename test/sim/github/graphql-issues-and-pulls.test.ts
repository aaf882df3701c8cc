import { buildSchema, type GraphQLField, getNamedType, isLeafType, isObjectType, isRequiredArgument } from "graphql";
import { describe, expect, it } from "vitest";
import { SCHEMA_TEXT } from "../../../src/sim/github/graphql/schema.js";
import { nodeId } from "../../../src/sim/github/rest/render-values.js";
import { createTestGitHub, type TestGitHub } from "./world-fixture.js";

const ON = { owner: "acme", repo: "app" } as const;
type Answer = Awaited<ReturnType<TestGitHub["query"]>>["body"];

/** Asks for a part of `acme/app`. */
async function ask<T>({ query }: TestGitHub, part: string): Promise<T> {
  const { body } = await query(`{ repository(owner: "acme", name: "app") { ${part} } }`);
  expect(body.errors).toBeUndefined();
  return (body.data as unknown as { repository: T }).repository;
}

async function rest<T>(desk: TestGitHub, path: string): Promise<T> {
  return (await (await desk.send(path)).json()) as T;
}

describe("every field of the schema is answered", () => {
  const schema = buildSchema(SCHEMA_TEXT);

  /** Leaves as they are, a page of each connection, the type of every other object. */
  function everything(type: string): string {
    const object = schema.getType(type);
    if (!isObjectType(object)) throw new Error(`${type} is no object`);
    return Object.values(object.getFields()).flatMap(asked).join(" ");
  }
  function asked(field: GraphQLField<unknown, unknown>): string[] {
    if (field.args.some(isRequiredArgument)) return [];
    const type = getNamedType(field.type);
    if (isLeafType(type)) return [field.name];
    if (!type.name.endsWith("Connection")) return [`${field.name} { __typename }`];
    const page = field.args.some((one) => one.name === "first") ? "(first: 2)" : "";
    return [
      `${field.name}${page} { pageInfo { hasNextPage } edges { cursor node { __typename } } nodes { __typename } }`,
    ];
  }

  function fill({ github: { world } }: TestGitHub): void {
    world.updateRepository(ON, { topics: ["tools"] });
    world.addIssue({ ...ON, title: "Broken", labels: ["bug"], assignees: ["mona"] });
    const { headSha } = world.addPullRequest({ ...ON, title: "Fix", reviewers: ["hubot"] });
    world.addComment({ ...ON, number: 2, body: "Nice." });
    world.addReview({ ...ON, number: 2, state: "COMMENTED", user: "mona" });
    world.addReviewComment({ ...ON, number: 2, body: "Why?" });
    world.addCheckRun({ ...ON, ref: headSha, name: "build" });
    world.addStatus({ ...ON, sha: headSha, state: "pending" });
    world.addRelease({ ...ON, tagName: "v1" });
    world.star("mona", "acme", "app");
  }

  const IN_PULL = "pullRequest(number: 2)";
  const HEAD = (part: string) => `${IN_PULL} { commits(first: 1) { nodes { commit { ${part} } } } }`;
  it.each([
    ["Repository", (all: string) => all],
    ["Issue", (all: string) => `issue(number: 1) { ${all} }`],
    ["PullRequest", (all: string) => `${IN_PULL} { ${all} }`],
    ["IssueComment", (all: string) => `${IN_PULL} { comments(first: 1) { nodes { ${all} } } }`],
    ["PullRequestReview", (all: string) => `${IN_PULL} { reviews(first: 1) { nodes { ${all} } } }`],
    ["PullRequestReviewThread", (all: string) => `${IN_PULL} { reviewThreads(first: 1) { nodes { ${all} } } }`],
    ["PullRequestChangedFile", (all: string) => `${IN_PULL} { files(first: 1) { nodes { ${all} } } }`],
    ["ReviewRequest", (all: string) => `${IN_PULL} { reviewRequests(first: 1) { nodes { ${all} } } }`],
    ["ReactionGroup", (all: string) => `${IN_PULL} { reactionGroups { ${all} } }`],
    ["Commit", HEAD],
    ["CheckSuite", (all: string) => HEAD(`checkSuites(first: 1) { nodes { ${all} } }`)],
    ["CheckRun", (all: string) => HEAD(`checkSuites(first: 1) { nodes { checkRuns(first: 1) { nodes { ${all} } } } }`)],
    ["StatusContext", (all: string) => HEAD(`status { contexts { ${all} } }`)],
    ["Label", (all: string) => `labels(first: 1) { nodes { ${all} } }`],
    ["Release", (all: string) => `releases(first: 1) { nodes { ${all} } }`],
    ["Ref", (all: string) => `defaultBranchRef { ${all} }`],
    ["RepositoryTopic", (all: string) => `repositoryTopics(first: 1) { nodes { ${all} } }`],
    ["Language", (all: string) => `languages(first: 1) { totalSize edges { size } nodes { ${all} } }`],
  ])("in %s", async (type, at) => {
    const desk = createTestGitHub();
    fill(desk);

    const part = await ask(desk, at(`reached: __typename ${everything(type)}`));

    expect(JSON.stringify(part)).toContain(`"reached":"${type}"`);
  });
});

describe("documents", () => {
  it("may give one key two types, as GitHub lets them, but not two fields", async () => {
    const { query, github } = createTestGitHub();
    github.world.addIssue({ ...ON, title: "Broken" });
    const one = (issue: string, pull: string) =>
      query(
        `{ repository(owner: "acme", name: "app") { issueOrPullRequest(number: 1) { ... on Issue { ${issue} } ... on PullRequest { ${pull} } } } }`,
      );

    expect((await one("state", "state")).body).toEqual({
      data: { repository: { issueOrPullRequest: { state: "OPEN" } } },
    });
    const [conflict] = (await one("state title title: body", "state")).body.errors ?? [];
    expect(conflict).toMatchObject({ message: expect.stringContaining('"title" and "body" are different fields') });
  });

  it("are refused for what is wrong beside that", async () => {
    const { query } = createTestGitHub();
    const part = (type: string, inner: string) =>
      `repository(owner: "acme", name: "app") { ${inner} issueOrPullRequest(number: 1) { ... on ${type} { state } } }`;

    const { body } = await query(`{ ${part("Issue", "key: name")} ${part("PullRequest", "key: id")} }`);

    expect(body.errors).toMatchObject([
      { message: expect.stringMatching(/"name" and "id" are different fields .*they return conflicting types/) },
    ]);
  });

  it("may ask what a type has, as clients do who know several servers", async () => {
    const { query } = createTestGitHub();

    const { body } = await query(
      '{ PullRequest: __type(name: "PullRequest") { fields(includeDeprecated: true) { name } } }',
    );

    const { PullRequest } = body.data as unknown as { PullRequest: { fields: { name: string }[] } };
    expect(PullRequest.fields.map((one) => one.name)).toContain("reviewDecision");
  });
});

describe("issues can be filtered", () => {
  function desk(): TestGitHub {
    const made = createTestGitHub();
    const { world } = made.github;
    world.addIssue({ ...ON, title: "1", user: "mona", assignees: ["hubot"], labels: ["bug"] });
    world.addIssue({ ...ON, title: "2", user: "hubot", body: "See x@mona.example and @mona-lisa." });
    world.addIssue({ ...ON, title: "3", user: "hubot" });
    world.addComment({ ...ON, number: 3, body: "Ask @Mona." });
    world.updateIssue({ ...ON, number: 3 }, { state: "closed" });
    return made;
  }

  it.each([
    ['assignee: "HUBOT"', [1]],
    ["assignee: null", [2, 3]],
    ['assignee: "*"', [1]],
    ['createdBy: "hubot"', [2, 3]],
    ['createdBy: "hubot", states: OPEN', [2]],
    ['mentioned: "mona"', [3]],
    ['labels: ["bug", "wontfix"]', [1]],
    ['since: "2030-01-01T00:00:00Z"', [1, 2, 3]],
    ['since: "2030-01-01T00:00:01Z"', []],
  ])("by %s", async (filters, numbers) => {
    const { issues } = await ask<{ issues: { nodes: { number: number }[] } }>(
      desk(),
      `issues(first: 9, filterBy: { ${filters} }) { nodes { number } }`,
    );

    expect(issues.nodes.map((one) => one.number)).toEqual(numbers);
  });
});

describe("searches", () => {
  function desk(): TestGitHub {
    const made = createTestGitHub();
    const { world } = made.github;
    world.addIssue({ ...ON, title: "one", user: "mona", labels: ["bug"], assignees: ["mona"] });
    world.addIssue({ ...ON, title: "two", user: "hubot", body: "@mona" });
    world.addPullRequest({ ...ON, title: "three", user: "mona", draft: true, head: "topic" });
    world.addPullRequest({ ...ON, title: "four", user: "hubot", reviewers: ["mona"] });
    world.addPullRequest({ ...ON, title: "five", user: "hubot" });
    world.addReview({ ...ON, number: 5, state: "APPROVED", user: "mona" });
    world.mergePullRequest({ ...ON, number: 5 });
    return made;
  }

  it.each([
    ["author:@me", [3, 1]],
    ["assignee:@me", [1]],
    ["mentions:@me", [2]],
    ["review-requested:@me", [4]],
    ["reviewed-by:@me", [5]],
    ["is:pr -label:bug", [5, 4, 3]],
    ["is:issue no:label", [2]],
    ["no:assignee is:issue", [2]],
    ["draft:true", [3]],
    ["is:pr draft:false", [5, 4]],
    ["is:draft", [3]],
    ["state:merged", [5]],
    ["is:unmerged", [4, 3]],
    ["head:topic", [3]],
    ["base:main state:open", [4, 3]],
    ["milestone:x", []],
    ["t type:issue", [2]],
  ])("find by %s the same over both APIs, newest first", async (words, numbers) => {
    const made = desk();
    const q = `repo:acme/app ${words}`;

    const { body } = await made.query(
      "query ($q: String!) { search(query: $q, type: ISSUE, first: 9) { nodes { ... on Issue { number } ... on PullRequest { number } } } }",
      { q },
    );
    const found = await rest<{ items: { number: number }[] }>(made, `/search/issues?q=${encodeURIComponent(q)}`);

    const { search } = body.data as unknown as { search: { nodes: { number: number }[] } };
    expect(search.nodes.map((one) => one.number)).toEqual(numbers);
    expect(found.items.map((one) => one.number)).toEqual(numbers);
  });
});

describe("pull requests tell over both APIs", () => {
  it.each([
    ["CLEAN", () => {}],
    ["UNSTABLE", ({ github: { world } }: TestGitHub) => void world.addCheckRun({ ...at(), status: "queued" })],
    ["UNSTABLE", ({ github: { world } }: TestGitHub) => void world.addCheckRun({ ...at(), conclusion: "failure" })],
    ["CLEAN", ({ github: { world } }: TestGitHub) => void world.addCheckRun({ ...at(), conclusion: "neutral" })],
    ["DRAFT", ({ github: { world } }: TestGitHub) => world.updatePullRequest(PULL, { draft: true })],
    ["UNKNOWN", ({ github: { world } }: TestGitHub) => void world.mergePullRequest(PULL)],
  ])("whether they can be merged: %s", async (state, change) => {
    const desk = createTestGitHub();
    desk.github.world.addPullRequest({ ...ON, title: "Fix", head: "topic" });
    change(desk);

    const { pullRequest } = await ask<{ pullRequest: unknown }>(desk, "pullRequest(number: 1) { mergeStateStatus }");

    expect(pullRequest).toEqual({ mergeStateStatus: state });
    expect(await rest(desk, "/repos/acme/app/pulls/1")).toMatchObject({ mergeable_state: state.toLowerCase() });
  });

  it("the commit that merging them makes, before and after", async () => {
    const desk = createTestGitHub();
    desk.github.world.addPullRequest({ ...ON, title: "Fix" });
    const commits = async () =>
      (
        await ask<{ pullRequest: unknown }>(
          desk,
          "pullRequest(number: 1) { potentialMergeCommit { oid } mergeCommit { oid } }",
        )
      ).pullRequest;
    const { merge_commit_sha: before } = await rest<{ merge_commit_sha: string }>(desk, "/repos/acme/app/pulls/1");

    expect(await commits()).toEqual({ potentialMergeCommit: { oid: before }, mergeCommit: null });
    const { sha } = desk.github.world.mergePullRequest(PULL);
    expect(await commits()).toEqual({ potentialMergeCommit: null, mergeCommit: { oid: sha } });
  });

  it("who is asked for a review, until it is given", async () => {
    const desk = createTestGitHub();
    desk.github.world.addPullRequest({ ...ON, title: "Fix", reviewers: ["hubot", "octo"] });
    const asked = async () => {
      const { pullRequest } = await ask<{
        pullRequest: { reviewRequests: { nodes: { requestedReviewer: { login: string } }[] } };
      }>(
        desk,
        "pullRequest(number: 1) { reviewRequests(first: 9) { nodes { requestedReviewer { ... on User { login } } } } }",
      );
      const { requested_reviewers } = await rest<{ requested_reviewers: { login: string }[] }>(
        desk,
        "/repos/acme/app/pulls/1",
      );
      return [
        pullRequest.reviewRequests.nodes.map((one) => one.requestedReviewer.login),
        requested_reviewers.map((one) => one.login),
      ];
    };

    expect(await asked()).toEqual([
      ["hubot", "octo"],
      ["hubot", "octo"],
    ]);
    desk.github.world.addReview({ ...PULL, state: "COMMENTED", user: "hubot" });
    expect(await asked()).toEqual([["octo"], ["octo"]]);
    desk.github.world.updatePullRequest(PULL, { reviewers: ["hubot"] });
    expect(await asked()).toEqual([["hubot"], ["hubot"]]);
  });

  it("the last review of each reviewer", async () => {
    const desk = createTestGitHub();
    desk.github.world.addPullRequest({ ...ON, title: "Fix" });
    for (const state of ["CHANGES_REQUESTED", "APPROVED"] as const)
      desk.github.world.addReview({ ...PULL, state, user: "hubot" });
    desk.github.world.addReview({ ...PULL, state: "COMMENTED", user: "octo" });

    const { pullRequest } = await ask<{ pullRequest: { latestReviews: { nodes: unknown } } }>(
      desk,
      "pullRequest(number: 1) { latestReviews(first: 9) { nodes { state author { login } } } }",
    );

    expect(pullRequest.latestReviews.nodes).toEqual([
      { state: "APPROVED", author: { login: "hubot" } },
      { state: "COMMENTED", author: { login: "octo" } },
    ]);
  });
});

const PULL = { ...ON, number: 1 };
const at = () => ({ ...ON, ref: "topic", name: "build" });

describe("a repository's settings", () => {
  it("are those that REST tells", async () => {
    const desk = createTestGitHub();
    desk.github.world.updateRepository(ON, { topics: ["tools"] });

    const settings = await ask<object>(
      desk,
      "hasWikiEnabled hasProjectsEnabled hasDiscussionsEnabled isTemplate mirrorUrl sshUrl diskUsage forkCount primaryLanguage { name } repositoryTopics(first: 9) { nodes { topic { name } } } mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed deleteBranchOnMerge licenseInfo { key } viewerCanAdminister",
    );

    const told = await rest<Record<string, unknown>>(desk, "/repos/acme/app");
    expect(settings).toEqual({
      hasWikiEnabled: told.has_wiki,
      hasProjectsEnabled: told.has_projects,
      hasDiscussionsEnabled: told.has_discussions,
      isTemplate: told.is_template,
      mirrorUrl: told.mirror_url,
      sshUrl: told.ssh_url,
      diskUsage: told.size,
      forkCount: told.forks_count,
      primaryLanguage: { name: told.language },
      repositoryTopics: { nodes: [{ topic: { name: "tools" } }] },
      mergeCommitAllowed: told.allow_merge_commit,
      squashMergeAllowed: told.allow_squash_merge,
      rebaseMergeAllowed: told.allow_rebase_merge,
      deleteBranchOnMerge: told.delete_branch_on_merge,
      licenseInfo: told.license,
      viewerCanAdminister: (told.permissions as { admin: boolean }).admin,
    });
  });
});

describe("mutations", () => {
  const ISSUE = nodeId("Issue", 1001);
  const OF_OTHERS = nodeId("Issue", 1002);
  const DRAFT = nodeId("PullRequest", 1003);
  const OWN = nodeId("PullRequest", 1004);

  function desk(permission: "read" | "triage" | "write" = "write"): TestGitHub {
    const made = createTestGitHub();
    const { world } = made.github;
    world.setCollaborator(ON, "mona", permission);
    world.addIssue({ ...ON, title: "Mine", user: "mona" });
    world.addIssue({ ...ON, title: "Yours", user: "hubot" });
    world.addPullRequest({ ...ON, title: "Idea", user: "hubot", draft: true });
    world.addPullRequest({ ...ON, title: "Fix", user: "mona" });
    return made;
  }

  const mutate = async ({ query }: TestGitHub, name: string, input: Record<string, unknown>): Promise<Answer> => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const { body } = await query(`mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`, {
      input: { ...input, clientMutationId: "mine" },
    });
    return body;
  };

  it("let whoever wrote an issue close it, and whoever may triage close anybody's", async () => {
    const reader = desk("read");
    const done = { data: { closeIssue: { clientMutationId: "mine" } } };
    const refused = {
      type: "FORBIDDEN",
      path: ["closeIssue"],
      message: "mona does not have the correct permissions to execute `CloseIssue`",
    };

    expect(await mutate(reader, "closeIssue", { issueId: ISSUE })).toEqual(done);
    expect((await mutate(reader, "closeIssue", { issueId: OF_OTHERS })).errors).toMatchObject([refused]);
    expect(await rest(reader, "/repos/acme/app/issues/2")).toMatchObject({ state: "open" });
    expect(await mutate(desk("triage"), "closeIssue", { issueId: OF_OTHERS })).toEqual(done);
  });

  it.each([
    ["mergePullRequest", { pullRequestId: OWN }, "triage"],
    ["addLabelsToLabelable", { labelableId: ISSUE, labelIds: [] }, "read"],
    ["markPullRequestReadyForReview", { pullRequestId: DRAFT }, "read"],
    ["closePullRequest", { pullRequestId: DRAFT }, "read"],
    ["updatePullRequest", { pullRequestId: DRAFT, title: "Ideas" }, "read"],
    ["requestReviews", { pullRequestId: DRAFT, userIds: [] }, "read"],
  ] as const)("refuse %s to those who may not", async (name, input, permission) => {
    expect((await mutate(desk(permission), name, input)).errors).toMatchObject([{ type: "FORBIDDEN" }]);
    expect((await mutate(desk(), name, input)).errors === undefined).toBe(true);
  });

  it.each([
    ["a draft's merge", "mergePullRequest", { pullRequestId: DRAFT }, "Pull Request is still a draft"],
    ["a merge of another head", "mergePullRequest", { pullRequestId: OWN, expectedHeadOid: "0" }, "was modified"],
    [
      "approval of one's own",
      "addPullRequestReview",
      { pullRequestId: OWN, event: "APPROVE" },
      "Can not approve your own pull request",
    ],
    ["a review without an event", "addPullRequestReview", { pullRequestId: DRAFT }, "only with an event"],
  ])("refuse %s", async (_, name, input, message) => {
    const made = desk();

    expect((await mutate(made, name, input)).errors).toMatchObject([
      { type: "UNPROCESSABLE", path: [name], message: expect.stringContaining(message) },
    ]);
    expect(await rest(made, "/repos/acme/app/pulls?state=closed")).toEqual([]);
  });

  it("refuse a draft's merge as REST does", async () => {
    const made = desk();

    const answer = await made.send("/repos/acme/app/pulls/3/merge", { method: "PUT" });

    expect([answer.status, await answer.json()]).toMatchObject([405, { message: "Pull Request is still a draft" }]);
    await mutate(made, "markPullRequestReadyForReview", { pullRequestId: DRAFT });
    expect((await made.send("/repos/acme/app/pulls/3/merge", { method: "PUT" })).status).toBe(200);
  });

  it("refuse to merge twice, or to reopen what is merged", async () => {
    const made = desk();

    expect((await mutate(made, "mergePullRequest", { pullRequestId: OWN })).errors).toBeUndefined();
    expect((await mutate(made, "mergePullRequest", { pullRequestId: OWN })).errors).toMatchObject([
      { message: "Pull Request is not mergeable" },
    ]);
    expect((await mutate(made, "reopenPullRequest", { pullRequestId: OWN })).errors).toMatchObject([
      { message: "Could not open the pull request." },
    ]);
  });

  it("find only what is of the kind they change", async () => {
    const made = desk();

    expect((await mutate(made, "closeIssue", { issueId: OWN })).errors).toMatchObject([
      { type: "NOT_FOUND", message: `Could not resolve to Issue node with the global id of '${OWN}'.` },
    ]);
    expect((await mutate(made, "closePullRequest", { pullRequestId: ISSUE })).errors).toMatchObject([
      { type: "NOT_FOUND", message: `Could not resolve to PullRequest node with the global id of '${ISSUE}'.` },
    ]);
  });

  it("change what an issue says, and leave what they do not name", async () => {
    const made = desk();
    const [bug] = (await ask<{ labels: { nodes: { id: string }[] } }>(made, "labels(first: 1) { nodes { id } }")).labels
      .nodes;
    const labelIds = [bug?.id];
    const issue = () => rest<Record<string, unknown>>(made, "/repos/acme/app/issues/1");

    await mutate(made, "updateIssue", { id: ISSUE, body: "More", assigneeIds: [nodeId("User", 1002)] });
    await mutate(made, "addLabelsToLabelable", { labelableId: ISSUE, labelIds });
    await mutate(made, "addLabelsToLabelable", { labelableId: ISSUE, labelIds });
    expect(await issue()).toMatchObject({
      title: "Mine",
      body: "More",
      assignees: [{ login: "mona" }],
      labels: [{ name: "bug" }],
    });
    await mutate(made, "removeLabelsFromLabelable", { labelableId: ISSUE, labelIds });
    await mutate(made, "updateIssue", { id: ISSUE, state: "CLOSED", title: "Ours" });
    expect(await issue()).toMatchObject({ title: "Ours", body: "More", labels: [], state: "closed" });
    await mutate(made, "updateIssue", { id: ISSUE, labelIds });
    expect(await issue()).toMatchObject({ title: "Ours", labels: [{ name: "bug" }], assignees: [{ login: "mona" }] });
    await mutate(made, "reopenIssue", { issueId: ISSUE });
    expect(await issue()).toMatchObject({ state: "open", state_reason: "reopened" });
  });

  describe("that make and change pull requests", () => {
    const REPOSITORY = nodeId("Repository", 1001);
    const asked = { repositoryId: REPOSITORY, title: "New", baseRefName: "main", headRefName: "feature" };

    function withBranches(permission?: "triage"): TestGitHub {
      const made = desk(permission);
      for (const branch of ["feature", "next"]) made.github.world.pushCommit({ ...ON, branch, message: "More" });
      return made;
    }

    it("make one of a branch, as its pusher's", async () => {
      const made = withBranches();
      const body = "It is.";
      expect((await mutate(made, "createPullRequest", { ...asked, body, draft: true })).errors).toBeUndefined();
      expect(await rest(made, "/repos/acme/app/pulls/5")).toMatchObject({
        ...{ title: "New", body, draft: true, user: { login: "mona" } },
        ...{ head: { ref: "feature" }, base: { ref: "main" } },
      });
    });

    it.each([
      [
        "of a branch that is not there",
        { headRefName: "mona:nope" },
        "Head sha can't be blank, Head ref must be a branch, No commits between main and nope",
      ],
      [
        "into one that is not there",
        { baseRefName: "nope" },
        "Base sha can't be blank, Base ref must be a branch, No commits between nope and feature",
      ],
      ["twice", { headRefName: "acme:next" }, "A pull request already exists for acme:next."],
    ])("make none %s", async (_, input, message) => {
      const made = withBranches();
      await mutate(made, "createPullRequest", { ...asked, headRefName: "next" });
      expect((await mutate(made, "createPullRequest", { ...asked, ...input })).errors).toMatchObject([
        { type: "UNPROCESSABLE", message },
      ]);
      expect(await rest<readonly object[]>(made, "/repos/acme/app/pulls")).toHaveLength(3);
    });

    it("make none for those who may not push", async () => {
      expect((await mutate(withBranches("triage"), "createPullRequest", asked)).errors).toMatchObject([
        { type: "FORBIDDEN" },
      ]);
    });

    it("change what one says and where it goes", async () => {
      const made = withBranches();
      await mutate(made, "updatePullRequest", { pullRequestId: OWN, title: "Fixed", baseRefName: "next" });
      expect(await rest(made, "/repos/acme/app/pulls/4")).toMatchObject({ title: "Fixed", base: { ref: "next" } });
      await mutate(made, "updatePullRequest", { pullRequestId: OWN, state: "CLOSED" });
      expect(await rest(made, "/repos/acme/app/pulls/4")).toMatchObject({
        ...{ title: "Fixed", base: { ref: "next" }, state: "closed" },
      });
      expect(
        (await mutate(made, "updatePullRequest", { pullRequestId: OWN, baseRefName: "nope" })).errors,
      ).toMatchObject([{ message: "Proposed base branch 'nope' was not found" }]);
    });

    it("ask for reviews, of others than its author, instead of those asked before or besides them", async () => {
      const made = withBranches();
      const reviewers = async () =>
        (
          await rest<{ requested_reviewers: { login: string }[] }>(made, "/repos/acme/app/pulls/3")
        ).requested_reviewers.map(({ login }) => login);
      const ask = (userIds: readonly string[], union: boolean) =>
        mutate(made, "requestReviews", { pullRequestId: DRAFT, userIds, union });
      const { github } = made;
      const [octo, cat] = ["octo", "cat"].map((login) => nodeId("User", github.world.addUser({ login }).id));

      await ask([octo as string], false);
      expect(await reviewers()).toEqual(["octo"]);
      await ask([cat as string], true);
      expect(await reviewers()).toEqual(["octo", "cat"]);
      await ask([cat as string], false);
      expect(await reviewers()).toEqual(["cat"]);

      const own = { pullRequestId: OWN, userIds: [nodeId("User", 1002)] };
      expect((await mutate(made, "requestReviews", own)).errors).toMatchObject([
        { message: "Review cannot be requested from pull request author." },
      ]);
    });
  });

  it("know of no milestone and no project", async () => {
    const made = desk();
    const projectIds = ["PRO_1"];

    expect((await mutate(made, "updateIssue", { id: ISSUE, title: "Planned", projectIds })).errors).toMatchObject([
      { type: "NOT_FOUND" },
    ]);
    expect(await rest(made, "/repos/acme/app/issues/1")).toMatchObject({ title: "Mine" });
  });

  it("count a review as content", async () => {
    const made = createTestGitHub({ secondary: { contentPerMinute: 1 } });
    made.github.world.addPullRequest({ ...ON, title: "Idea", user: "hubot" });
    const review = { pullRequestId: nodeId("PullRequest", 1001), event: "COMMENT", body: "Nice." };

    expect((await mutate(made, "addPullRequestReview", review)).errors).toBeUndefined();
    expect((await mutate(made, "addPullRequestReview", review)).errors).toMatchObject([
      { type: "UNPROCESSABLE", message: "was submitted too quickly" },
    ]);
  });
});
