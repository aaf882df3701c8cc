import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/index.js";
import { setUpClients } from "./clients/client-bench.js";
import { CURL, PYGITHUB, requireProgram } from "./clients/require-program.js";

const curl = await requireProgram(CURL);
const python = await requireProgram(PYGITHUB);

describe.skipIf(curl.missing)(`${curl.label} by hand`, { timeout: 60_000 }, () => {
  const AUTH = '-H "authorization: Bearer $GH_TOKEN"';

  it.each([
    ["at the base URL", `curl -sS ${AUTH} "$GITHUB_API_URL/user"`],
    ["on the socket", `curl -sS ${AUTH} --unix-socket "$SQUAD_RATE_SOCKET" http://api.github.com/user`],
  ])("gets GitHub's own bytes %s, and never the secret in them", async (_, command) => {
    // Of the two, each says when its user was created.
    const direct = await setUpClients("directly", { clock: createVirtualClock() });
    const expected = anywhere(await direct.printed("sh", "-c", `curl -sS ${AUTH} "$GITHUB_API_URL/user"`));
    const { printed, asked } = await setUpClients("through a proxy", { clock: createVirtualClock() });

    expect(anywhere(await printed("sh", "-c", command))).toBe(expected);
    expect(anywhere(await printed("sh", "-c", command))).toBe(expected);
    expect(asked().map(({ status }) => status)).toEqual([200, 304]);
  });
});

describe.skipIf(python.missing)(`${python.label} at the rooted address`, { timeout: 60_000 }, () => {
  const PRELUDE = [
    "import os",
    "from github import Github",
    'g = Github(os.environ["GH_TOKEN"], base_url=os.environ.get("SQUAD_RATE_ROOTED_API_URL") or os.environ["GITHUB_API_URL"], per_page=5)',
    'r = g.get_repo("acme/app-1")',
  ];
  const program = (...lines: readonly string[]) => [...PRELUDE, ...lines].join("\n");

  it.each([
    ["counts", "print(r.get_pulls().totalCount, r.get_issues(state='all').totalCount)"],
    ["reads lists backwards", "print([p.number for p in r.get_pulls().reversed])"],
    ["takes a page out of the middle", "print([p.number for p in r.get_pulls().get_page(1)])"],
    ["searches", "print([i.number for i in g.search_issues('repo:acme/app-1 is:pr').get_page(0)])"],
    ["follows what belongs to an object", "print(r.get_pull(31).get_issue_comments().totalCount, r.owner.login)"],
    ["reads files", "print([c.path for c in r.get_contents('')])"],
    ["edits", "i = r.create_issue('New', body='x'); i.edit(state='closed'); print(i.update(), i.state)"],
    ["asks whether something has changed", "i = r.get_issue(1); print(i.update(), i.update())"],
    ["names a user", "print(g.get_user().login, g.get_user().id)"],
  ])("%s as directly", async (_, line) => {
    const expected = await (await setUpClients("directly")).printed(python.program, "-c", program(line));
    const { printed } = await setUpClients("through a proxy");
    expect(await printed(python.program, "-c", program(line))).toBe(expected);
  });

  it("tells GitHub its own address where it writes one down", async () => {
    const { printed } = await setUpClients("through a proxy");

    await printed(python.program, "-c", program("i = r.get_issue(1)", "i.create_comment('see ' + i.url)"));

    const written = await printed(python.program, "-c", program("print(list(r.get_issue(1).get_comments())[-1].body)"));
    expect(written).toBe("see https://api.github.com/repos/acme/app-1/issues/1\n");
  });
});

describe("Octokit without the plugin", () => {
  it("finds REST and GraphQL of an Enterprise Server", async () => {
    const { github, environment, report } = await setUpClients("through a proxy", { ghes: { rateLimits: true } });
    const octokit = new Octokit({ auth: "ghp_mona", baseUrl: environment.GITHUB_API_URL as string });

    expect((await octokit.rest.users.getAuthenticated()).data.login).toBe("mona");
    expect(await octokit.graphql("query Who { viewer { login } }")).toEqual({ viewer: { login: "mona" } });
    const pulls = await octokit.paginate(octokit.rest.pulls.list, { owner: "acme", repo: "app-1", per_page: 5 });
    expect(pulls).toHaveLength(12);

    expect(github.log).toHaveLength(1 + 1 + 3);
    expect((await report()).scorecard).toMatchObject({ exchanges: 5, opaque: { exchanges: 0 } });
  });

  it("has plugin-throttling wait as long as the squad's refusal says", async () => {
    const { github, environment } = await setUpClients("through a proxy", { maxWaitMs: 0 });
    github.consume("ghp_mona", "core", 5_000);
    const told: unknown[] = [];
    const octokit = new (Octokit.plugin(throttling))({
      auth: "ghp_mona",
      baseUrl: environment.GITHUB_API_URL as string,
      log: SILENT,
      throttle: {
        onRateLimit: (retryAfter: number) => {
          told.push(["primary", retryAfter]);
          return false;
        },
        onSecondaryRateLimit: () => {
          told.push("secondary");
          return false;
        },
      },
    });
    const ask = () => octokit.rest.users.getAuthenticated().catch((error) => error);
    await ask();
    told.length = 0;

    const { status, response } = await ask();

    const seconds = Number(response.headers["retry-after"]);
    expect(status).toBe(429);
    expect(seconds).toBeGreaterThan(3_000);
    // It counts from the Date header on, and one second is its own.
    expect(told).toEqual([["primary", expect.closeTo(seconds, -1)]]);
    expect(github.log).toHaveLength(1);
  });

  it("has plugin-retry try again, which reaches GitHub only when the squad lets it (in real time: retry knows no other)", async () => {
    const { github, environment } = await setUpClients("through a proxy", { maxWaitMs: 0 });
    github.consume("ghp_mona", "core", 5_000);
    const octokit = new (Octokit.plugin(retry))({
      auth: "ghp_mona",
      baseUrl: environment.GITHUB_API_URL as string,
      log: SILENT,
      retry: { retries: 2, retryAfterBaseValue: 10 },
    });
    await octokit.rest.users.getAuthenticated().catch(() => undefined);
    const refused = await octokit.rest.users.getAuthenticated().catch((error) => error);

    expect(refused).toMatchObject({ status: 429, response: { data: { squad_rate: { agent: "clerk" } } } });
    expect(github.log).toHaveLength(1);
  });
});

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Whatever port somebody listened on. */
function anywhere(text: string): string {
  return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://github");
}
