import { describe, expect, it, onTestFinished } from "vitest";
import {
  createSimulatedGitHub,
  createVirtualClock,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
  type VirtualClock,
} from "../../src/sim/index.js";
import { createGhHome, type GhHome, type GhRun, requireGh } from "../harness/gh.js";

const found = await requireGh();
const ON = { owner: "acme", repo: "app" } as const;
const AT = ["-R", "acme/app"] as const;
/** When the virtual clock begins, as gh prints it. */
const THEN = "2030-01-01 00:00:00 +0000 UTC";

interface Desk {
  readonly github: SimulatedGitHub;
  readonly clock: VirtualClock;
  readonly home: GhHome;
  /** Runs gh as `mona`. */
  gh(...args: readonly string[]): Promise<GhRun>;
  /** The same for what must succeed: its output, line by line. */
  lines(...args: readonly string[]): Promise<string[]>;
  /** The same, and its output is JSON. */
  json<T>(...args: readonly string[]): Promise<T>;
}

async function setUp(options: Omit<SimulatedGitHubOptions, "clock"> = {}): Promise<Desk> {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, ...options });
  github.world.addOrganization("acme");
  github.world.addUser({ login: "mona", name: "Mona" });
  github.world.addToken("ghp_mona", "mona");
  github.world.addRepository({ ...ON, name: ON.repo, visibleTo: ["mona"], description: "An app" });
  const home = await createGhHome(found.program);
  const server = await github.listen({ socketPath: home.socketPath });
  onTestFinished(async () => {
    await server.close();
    await home.remove();
  });
  const gh = (...args: readonly string[]) => home.run(args, { GH_TOKEN: "ghp_mona" });
  const printed = async (args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await gh(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  return {
    github,
    clock,
    home,
    gh,
    lines: async (...args) => (await printed(args)).trimEnd().split("\n"),
    json: async (...args) => JSON.parse(await printed(args)),
  };
}

/** An issue and pull requests in every state. */
function fill({ world }: SimulatedGitHub): void {
  world.addIssue({ ...ON, title: "Broken", body: "It is.", labels: ["bug"], user: "mona", assignees: ["mona"] });
  const { headSha } = world.addPullRequest({
    ...ON,
    title: "Fix",
    body: "Closes #1",
    user: "mona",
    reviewers: ["octo"],
  });
  world.addCheckRun({ ...ON, ref: headSha, name: "build", conclusion: "failure" });
  world.addCheckRun({ ...ON, ref: headSha, name: "lint" });
  world.addStatus({ ...ON, sha: headSha, state: "success", context: "cla" });
  world.addReview({ ...ON, number: 2, state: "APPROVED", user: "hubot" });
  world.addComment({ ...ON, number: 2, body: "Nice.", user: "hubot" });
  world.addPullRequest({ ...ON, title: "Idea", user: "hubot", draft: true, reviewers: ["mona"] });
  world.addPullRequest({ ...ON, title: "Done", user: "hubot", labels: ["bug"] });
  world.mergePullRequest({ ...ON, number: 4 }, "mona");
}

async function filled(): Promise<Desk> {
  const desk = await setUp();
  fill(desk.github);
  return desk;
}

describe.skipIf(found.missing)(`${found.label} on the simulated GitHub's socket: pull requests`, () => {
  it("lists them, newest first, by state, author, label and search", async () => {
    const { lines } = await filled();
    const fix = `2\tFix\tchange-2\tOPEN\t${THEN}`;
    const idea = `3\tIdea\tchange-3\tDRAFT\t${THEN}`;
    const done = `4\tDone\tchange-4\tMERGED\t${THEN}`;

    expect(await lines("pr", "list", ...AT)).toEqual([idea, fix]);
    expect(await lines("pr", "list", ...AT, "--state", "merged")).toEqual([done]);
    expect(await lines("pr", "list", ...AT, "--state", "all", "--limit", "2")).toEqual([done, idea]);
    expect(await lines("pr", "list", ...AT, "--head", "change-2")).toEqual([fix]);
    expect(await lines("pr", "list", ...AT, "--author", "@me")).toEqual([fix]);
    expect(await lines("pr", "list", ...AT, "--state", "all", "--label", "bug")).toEqual([done]);
    expect(await lines("pr", "list", ...AT, "--search", "closes")).toEqual([fix]);
    expect(await lines("pr", "list", ...AT, "--draft")).toEqual([idea]);
  });

  it("gives every field that gh knows", async () => {
    const { gh, json } = await filled();
    const { stderr } = await gh("pr", "view", ...AT, "--json");
    const names = stderr.split("\n").flatMap((line) => /^ {2}(\w+)$/.exec(line)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(40);

    const [, listed] = await json<readonly object[]>("pr", "list", ...AT, "--json", names.join());
    const viewed = await json<object>("pr", "view", "2", ...AT, "--json", names.join());

    expect(viewed).toEqual(listed);
    expect(Object.keys(viewed).toSorted()).toEqual(names.toSorted());
    expect(viewed).toMatchObject({
      author: { login: "mona", name: "Mona" },
      commits: [{ messageHeadline: "Fix", authors: [{ login: "mona" }] }],
      files: [{ path: "CHANGES.md", additions: 1, deletions: 0 }],
      headRepository: { name: "app" },
      headRepositoryOwner: { login: "acme" },
      isCrossRepository: false,
      latestReviews: [{ author: { login: "hubot" }, state: "APPROVED" }],
      mergeCommit: null,
      mergeStateStatus: "UNSTABLE",
      milestone: null,
      reviewDecision: "APPROVED",
      reviewRequests: [{ __typename: "User", login: "octo" }],
      statusCheckRollup: [
        { __typename: "CheckRun", name: "build", conclusion: "FAILURE" },
        { __typename: "CheckRun", name: "lint", conclusion: "SUCCESS" },
        { __typename: "StatusContext", context: "cla", state: "SUCCESS" },
      ],
    });
  });

  it("shows one with its reviewers, and its comments", async () => {
    const { lines } = await filled();

    expect(await lines("pr", "view", "2", ...AT)).toEqual([
      "title:\tFix",
      "state:\tOPEN",
      "author:\tmona",
      "labels:\t",
      "assignees:\t",
      "reviewers:\thubot (Approved), octo (Requested)",
      "projects:\t",
      "milestone:\t",
      "number:\t2",
      "url:\thttps://github.com/acme/app/pull/2",
      "additions:\t12",
      "deletions:\t4",
      "--",
      "Closes #1",
    ]);
    expect(await lines("pr", "view", "2", ...AT, "--comments")).toContain("Nice.");
  });

  it("tells how checks are by output and exit code", async () => {
    const { gh, github } = await filled();
    const head = (number: number) => ({ ...ON, ref: `change-${number}` });

    const failing = await gh("pr", "checks", "2", ...AT);
    expect([
      failing.status,
      failing.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t").slice(0, 2)),
    ]).toEqual([
      1,
      [
        ["build", "fail"],
        ["cla", "pass"],
        ["lint", "pass"],
      ],
    ]);
    expect(await gh("pr", "checks", "3", ...AT)).toMatchObject({
      status: 1,
      stderr: "no checks reported on the 'change-3' branch\n",
    });
    github.world.addCheckRun({ ...head(3), name: "build", status: "in_progress" });
    expect(await gh("pr", "checks", "3", ...AT)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^build\tpending\t/),
    });
    github.world.addCheckRun({ ...head(3), name: "build" });
    expect(await gh("pr", "checks", "3", ...AT)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^build\tpass\t/),
    });
    expect(await gh("pr", "checks", "3", ...AT, "--required")).toMatchObject({
      status: 1,
      stderr: "no required checks reported on the 'change-3' branch\n",
    });
  });

  it("tells what concerns the viewer", async () => {
    const { lines } = await filled();

    const text = (await lines("pr", "status", ...AT)).join("\n");

    expect(text).toMatch(/Created by you\n {2}#2 {2}Fix \[change-2\]\n {2}× 1\/3 checks failing ✓ 1 Approved\n/);
    expect(text).toMatch(/Requesting a code review from you\n {2}#3 {2}Idea \[change-3\]/);
  });

  it("are reviewed, made ready, merged, closed and reopened", async () => {
    const { gh, lines, json } = await filled();
    const state = (number: number) =>
      json("pr", "view", String(number), ...AT, "--json", "state,isDraft,reviewRequests,mergedBy");

    expect(await gh("pr", "review", "2", ...AT, "--approve")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^failed to create review: Message: Can not approve your own pull request/),
    });
    expect(await gh("pr", "review", "3", ...AT, "--request-changes", "--body", "Why?")).toMatchObject({ status: 0 });
    expect(await gh("pr", "merge", "3", ...AT, "--merge")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/still a draft/),
    });
    expect(await gh("pr", "ready", "3", ...AT)).toMatchObject({ status: 0 });
    expect(await state(3)).toEqual({ state: "OPEN", isDraft: false, reviewRequests: [], mergedBy: null });
    expect(await gh("pr", "merge", "2", ...AT, "--merge")).toMatchObject({ status: 0 });
    expect(await state(2)).toMatchObject({ state: "MERGED", mergedBy: { login: "mona" } });
    expect(await gh("pr", "close", "3", ...AT)).toMatchObject({ status: 0 });
    expect(await state(3)).toMatchObject({ state: "CLOSED" });
    expect(await gh("pr", "reopen", "3", ...AT)).toMatchObject({ status: 0 });
    expect(await state(3)).toMatchObject({ state: "OPEN" });
    expect(await lines("pr", "diff", "3", ...AT)).toContain("+after");
  });

  it("makes one of a branch, and edits it", async () => {
    const { github, gh, lines, json } = await filled();
    github.world.pushCommit({ ...ON, branch: "feature", message: "More" });
    github.world.setCollaborator(ON, "hubot", "write");
    const made = "https://github.com/acme/app/pull/5";
    const create = ["pr", "create", ...AT, "--head", "feature", "--title", "New", "--body", "It is."];

    const { status, stdout } = await gh(...create, "--label", "bug", "--assignee", "@me", "--reviewer", "octo");
    expect([status, stdout]).toEqual([0, `${made}\n`]);
    expect(await gh(...create)).toMatchObject({ status: 1, stderr: expect.stringContaining("already exists:\n") });
    expect(
      await lines(
        ...["pr", "edit", "5", ...AT, "--title", "Newer", "--body", "It was.", "--remove-label", "bug"],
        ...["--add-reviewer", "hubot", "--remove-reviewer", "octo"],
      ),
    ).toEqual([made]);
    expect(
      await json("pr", "view", "5", ...AT, "--json", "title,body,author,assignees,labels,reviewRequests,headRefName"),
    ).toMatchObject({
      title: "Newer",
      body: "It was.",
      author: { login: "mona" },
      assignees: [{ login: "mona" }],
      labels: [],
      reviewRequests: [{ login: "hubot" }],
      headRefName: "feature",
    });
    expect(await gh("pr", "create", ...AT, "--head", "nope", "--title", "New", "--body", "")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Head sha can't be blank"),
    });
  });
});

describe.skipIf(found.missing)(`${found.label} on the simulated GitHub's socket: issues`, () => {
  it("lists them, and shows one", async () => {
    const { lines } = await filled();
    const broken = `1\tOPEN\tBroken\tbug\t${THEN}`;

    expect(await lines("issue", "list", ...AT)).toEqual([broken]);
    expect(await lines("issue", "list", ...AT, "--assignee", "@me")).toEqual([broken]);
    expect(await lines("issue", "list", ...AT, "--author", "hubot")).toEqual([""]);
    expect(await lines("issue", "list", ...AT, "--label", "bug")).toEqual([broken]);
    expect(await lines("issue", "list", ...AT, "--state", "closed")).toEqual([""]);
    expect((await lines("issue", "view", "1", ...AT)).slice(0, 6)).toEqual([
      "title:\tBroken",
      "state:\tOPEN",
      "author:\tmona",
      "labels:\tbug",
      "comments:\t0",
      "assignees:\tmona",
    ]);
    // A pull request is an issue too.
    expect(await lines("issue", "view", "2", ...AT)).toContain("title:\tFix");
  });

  it("gives every field that gh knows", async () => {
    const { gh, json } = await filled();
    const { stderr } = await gh("issue", "view", ...AT, "--json");
    const names = stderr.split("\n").flatMap((line) => /^ {2}(\w+)$/.exec(line)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(15);

    const [listed] = await json<readonly object[]>("issue", "list", ...AT, "--json", names.join());

    expect(await json("issue", "view", "1", ...AT, "--json", names.join())).toEqual(listed);
    expect(Object.keys(listed ?? {}).toSorted()).toEqual(names.toSorted());
    expect(listed).toMatchObject({ title: "Broken", state: "OPEN", labels: [{ name: "bug", color: "d73a4a" }] });
  });

  it("are made, commented on, edited, closed and reopened", async () => {
    const { gh, lines, json } = await filled();
    const made = "https://github.com/acme/app/issues/5";

    expect(
      await lines("issue", "create", ...AT, "--title", "New", "--body", "@mona", "--label", "bug", "--assignee", "@me"),
    ).toEqual([made]);
    expect(await lines("issue", "comment", "5", ...AT, "--body", "Same here.")).toEqual([`${made}#issuecomment-1002`]);
    expect(await lines("pr", "comment", "2", ...AT, "--body", "Ping.")).toEqual([
      "https://github.com/acme/app/pull/2#issuecomment-1003",
    ]);
    expect(
      await lines("issue", "edit", "5", ...AT, "--title", "Newer", "--add-label", "wontfix", "--remove-label", "bug"),
    ).toEqual([made]);
    expect(await json("issue", "view", "5", ...AT, "--json", "title,comments,labels")).toMatchObject({
      title: "Newer",
      comments: [{ body: "Same here.", viewerDidAuthor: true }],
      labels: [{ name: "wontfix" }],
    });
    expect((await lines("issue", "status", ...AT)).join("\n")).toMatch(/Issues mentioning you\n {2}5\tOPEN\tNewer\t/);
    expect(await gh("issue", "close", "5", ...AT, "--reason", "not planned")).toMatchObject({ status: 0 });
    expect(await lines("issue", "list", ...AT, "--state", "closed")).toEqual([`5\tCLOSED\tNewer\twontfix\t${THEN}`]);
    expect(await gh("issue", "reopen", "5", ...AT)).toMatchObject({ status: 0 });
    expect(await json("issue", "view", "5", ...AT, "--json", "state")).toEqual({ state: "OPEN" });
  });
});

describe.skipIf(found.missing)(`${found.label} on the simulated GitHub's socket: the rest`, () => {
  it("shows a repository, with every field that gh knows", async () => {
    const { gh, lines, json } = await filled();
    const { stderr } = await gh("repo", "view", "--json");
    const names = stderr.split("\n").flatMap((line) => /^ {2}(\w+)$/.exec(line)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(50);

    const all = await json<object>("repo", "view", "acme/app", "--json", names.join());

    expect(Object.keys(all).toSorted()).toEqual(names.toSorted());
    expect(all).toMatchObject({
      assignableUsers: [{ login: "mona" }],
      isInOrganization: true,
      issues: { totalCount: 1 },
      pullRequests: { totalCount: 2 },
      sshUrl: "git@github.com:acme/app.git",
      viewerPermission: "WRITE",
    });
    expect(await lines("repo", "view", "acme/app")).toEqual(["name:\tacme/app", "description:\tAn app", "--", "# app"]);
    expect(await lines("repo", "list", "acme")).toEqual(["acme/app\tAn app\tpublic\t2030-01-01T00:00:00Z"]);
    expect((await lines("label", "list", ...AT, "--search", "docu"))[0]).toMatch(/^documentation\t/);
  });

  it("reaches uploads and downloads, which are other hosts, through the same socket", async () => {
    const { github, home, lines } = await setUp();
    github.world.addRelease({ ...ON, tagName: "v1", name: "One", body: "First" });
    await home.configure("notes.txt", "kept");
    const file = `${home.socketPath.replace(/[^/]+$/, "")}config/notes.txt`;

    expect(await lines("release", "upload", "v1", file, ...AT)).toEqual([""]);
    expect(await lines("release", "download", "v1", ...AT, "--output", "-")).toEqual(["kept"]);
    expect(github.log.map((one) => one.path)).toContain(
      "/-uploads/repos/acme/app/releases/1001/assets?label=&name=notes.txt",
    );
  });

  it("sends what it is told to with gh api, and pages through lists", async () => {
    const { github, lines, gh } = await setUp();
    for (let count = 0; count < 5; count++) github.world.addIssue({ ...ON, title: `Issue ${count}` });

    expect(await lines("api", "--paginate", "repos/acme/app/issues?per_page=2", "--jq", ".[].number")).toEqual([
      "5",
      "4",
      "3",
      "2",
      "1",
    ]);
    expect(await lines("api", "graphql", "-f", "query={viewer{login}}", "--jq", ".data.viewer.login")).toEqual([
      "mona",
    ]);
    expect(await gh("api", "repos/acme/none")).toMatchObject({ status: 1, stderr: "gh: Not Found (HTTP 404)\n" });
  });

  it("is charged as any client: GraphQL by its price, REST by the request, and nothing besides", async () => {
    const { github, lines } = await filled();

    await lines("pr", "list", ...AT);
    await lines("pr", "view", "2", ...AT);
    await lines("api", "repos/acme/app", "--jq", ".name");

    // A view is dearer than a list: each of a hundred comments and a hundred reviews has connections of reactions.
    expect(github.log.map((one) => [one.resource, one.chargedUnits])).toEqual([
      ["graphql", 1],
      ["graphql", 2],
      ["core", 1],
    ]);
    expect(github.usage("ghp_mona", "graphql").used).toBe(3);
  });

  it("takes its token from the environment or its own configuration, the environment first", async () => {
    const { home } = await setUp();
    const login = ["api", "user", "--jq", ".login"];

    expect(await home.run(login)).toMatchObject({
      status: 4,
      stderr: expect.stringMatching(/^To get started with GitHub CLI/),
    });
    await home.configure("hosts.yml", "github.com:\n    oauth_token: ghp_mona\n    user: mona\n");
    expect(await home.run(login)).toMatchObject({ status: 0, stdout: "mona\n" });
    expect(await home.run(login, { GITHUB_TOKEN: "ghp_nobody" })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/HTTP 401/),
    });
    expect(await home.run(login, { GITHUB_TOKEN: "ghp_nobody", GH_TOKEN: "ghp_mona" })).toMatchObject({ status: 0 });
  });

  it("tells of errors in GitHub's words", async () => {
    const { gh, home, github } = await filled();

    expect(await gh("pr", "list", "-R", "acme/none")).toEqual({
      status: 1,
      stdout: "",
      stderr: "GraphQL: Could not resolve to a Repository with the name 'acme/none'. (repository)\n",
    });
    expect(await gh("pr", "view", "99", ...AT)).toMatchObject({
      status: 1,
      stderr: "GraphQL: Could not resolve to a PullRequest with the number of 99. (repository.pullRequest)\n",
    });
    expect(await gh("issue", "view", "99", ...AT)).toMatchObject({
      status: 1,
      stderr: "GraphQL: Could not resolve to an issue or pull request with the number of 99. (repository.issue)\n",
    });
    expect(await home.run(["pr", "list", ...AT], { GH_TOKEN: "ghp_nobody" })).toEqual({
      status: 1,
      stdout: "",
      stderr: "HTTP 401: Bad credentials (https://api.github.com/graphql)\nTry authenticating with:  gh auth login\n",
    });
    github.consume("ghp_mona", "graphql", 5_000);
    expect(await gh("issue", "list", ...AT)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^GraphQL: API rate limit exceeded for user ID \d+\./),
    });
  });

  it("works on an Enterprise Server, whose schema it looks at first", async () => {
    const { github, home } = await setUp({ ghes: true });
    fill(github);
    const run = (...args: readonly string[]) =>
      home.run(args, { GH_HOST: "github.example.com", GH_ENTERPRISE_TOKEN: "ghp_mona" });

    expect(await run("issue", "list", ...AT)).toMatchObject({ status: 0, stdout: `1\tOPEN\tBroken\tbug\t${THEN}\n` });
    expect(await run("pr", "checks", "2", ...AT)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^build\tfail/),
    });
    expect(await run("api", "user", "--jq", ".login")).toMatchObject({ status: 0, stdout: "mona\n" });
    expect(github.log.filter((one) => one.path === "/graphql").length).toBeGreaterThan(3);
  });
});
