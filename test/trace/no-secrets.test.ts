import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../src/squad.js";
import type { TraceRecord } from "../../src/trace/record.js";
import { SquadOctokit } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";
import { createStubGithub } from "../harness/stub-github.js";

/** Each stands where a call may carry a secret; none may be found anywhere afterwards. */
const SECRETS = {
  classicToken: "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
  fineGrainedToken: "github_pat_11ABCDEFG0123456789_abcdefghij",
  oldToken: "0123456789abcdef0123456789abcdef01234567",
  queryToken: "gho_querytoken0123456789abcdefghijklmno",
  clientSecret: "clientsecret-7d1f9f3c",
  code: "oauthcode-5b2c",
  password: "correct-horse-battery",
  basic: Buffer.from("mona:correct-horse-battery").toString("base64"),
  cookie: "user_session=s3ss10n-value",
  otp: "987123",
  variable: "ghs_variabletoken0123456789abcdefghijkl",
  inDocument: "ghu_documenttoken0123456789abcdefghijk",
  operationName: "ghp_operationname0123456789abcdefghijkl",
  body: "secret-in-a-body",
  path: "secret-in-a-path",
  error: "ghp_errormessage0123456789abcdefghijklm",
  thrown: "secret-of-a-sink",
} as const;

/** Every way to a request that carries some of them. */
function callsOf(squad: Squad, fetch: typeof globalThis.fetch, logged: string[]): readonly (() => Promise<unknown>)[] {
  const log = {
    debug: () => {},
    info: () => {},
    warn: (message: string) => void logged.push(message),
    error: () => {},
  };
  const octokit = (auth: string) => new SquadOctokit({ auth, squad, log, request: { fetch } });
  const bare = (address: string, headers: Record<string, string>, more: RequestInit = {}): Promise<unknown> =>
    squad.fetch(`https://api.github.com${address}`, { ...more, headers }).then((response) => response.text());
  const mona = octokit(SECRETS.classicToken);
  const document = `query ($key: String) { a: search(query: $key, type: ISSUE, first: 1) { issueCount } b: search(query: "${SECRETS.inDocument}", type: ISSUE, first: 1) { issueCount } }`;
  return [
    () => mona.request("GET /user"),
    () => mona.request("GET /user"),
    () => octokit(SECRETS.fineGrainedToken).request("GET /user"),
    () => octokit(SECRETS.oldToken).request("GET /user"),
    () => mona.request("GET /rate_limit"),
    () => mona.request("GET /user", { access_token: SECRETS.queryToken }),
    () => mona.request("GET /user{?access_token}", { access_token: SECRETS.queryToken }),
    () => mona.request("GET /repos/{owner}/{repo}", { owner: "mona", repo: SECRETS.path }),
    () => mona.request(`GET /made/up/${SECRETS.path}`),
    () => mona.request("POST /repos/mona/hello/issues", { title: SECRETS.body }),
    () => mona.request("PUT /repos/mona/hello/actions/secrets/KEY", { encrypted_value: SECRETS.body }),
    () => mona.graphql(document, { key: SECRETS.variable }),
    () => mona.graphql(`query ${SECRETS.operationName} { viewer { login } }`),
    () => mona.graphql(`mutation ($token: String!) { go(token: $token) { ok } }`, { token: SECRETS.variable }),
    () => bare(`/user?access_token=${SECRETS.queryToken}&client_secret=${SECRETS.clientSecret}`, {}),
    () => bare(`/user?%61ccess_token=${SECRETS.queryToken}#${SECRETS.code}`, {}),
    () =>
      bare("/user", { authorization: `Basic ${SECRETS.basic}`, cookie: SECRETS.cookie, "x-github-otp": SECRETS.otp }),
    () => bare("/user", { authorization: `Bearer ${SECRETS.classicToken}`, "if-none-match": SECRETS.classicToken }),
    () =>
      bare(
        "/graphql",
        { authorization: `token ${SECRETS.oldToken}` },
        {
          method: "POST",
          body: JSON.stringify({ query: "query A { viewer { login } }", operationName: SECRETS.oldToken }),
        },
      ),
    () =>
      bare(
        `/login/oauth/access_token?code=${SECRETS.code}`,
        {},
        {
          method: "POST",
          body: JSON.stringify({ client_secret: SECRETS.clientSecret, code: SECRETS.code }),
        },
      ),
    () => bare("/broken", { authorization: `token ${SECRETS.classicToken}` }),
    () => mona.request("GET /refused"),
    () => mona.request("GET /missing"),
    () => mona.request("GET /user", { request: { squad: { operation: SECRETS.classicToken } } }),
  ];
}

describe("a trace", () => {
  it("holds no secret, whatever calls carry and however they end, in no sink", async () => {
    const directory = mkdtempSync(join(tmpdir(), "squad-rate-trace-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const clock = createVirtualClock();
    const github = createStubGithub({ clock });
    github.route("/user", { json: { login: "mona", token: SECRETS.body } });
    github.route("/rate_limit", {
      json: { resources: { core: { limit: 1, used: 0, remaining: 1, reset: 9 } }, [SECRETS.body]: 1 },
    });
    github.route("/graphql", { json: { data: { viewer: { login: SECRETS.body } } } });
    github.route("/refused", {
      status: 403,
      json: { message: `You have exceeded a secondary rate limit, ${SECRETS.error}.` },
      headers: { "retry-after": "3600", "x-github-request-id": SECRETS.error },
    });
    github.route("/broken", () => Promise.reject(new TypeError(`fetch failed: ${SECRETS.error}`)));

    const heard = [
      recordEvents("squad-rate:trace"),
      recordEvents("squad-rate:call"),
      recordEvents("squad-rate:exchange"),
      recordEvents("squad-rate:decision"),
      recordEvents("squad-rate:fault"),
    ];
    const taken: TraceRecord[] = [];
    const common = { agent: "ralph", clock, fetch: github.fetch, pacing: false, maxWaitMs: 1_000 } as const;
    const squads = [
      createSquad({ ...common, trace: join(directory, "trace.jsonl") }),
      createSquad({ ...common, trace: (record) => void taken.push(record) }),
      createSquad({
        ...common,
        trace: () => {
          throw new Error(`password=${SECRETS.thrown}`);
        },
      }),
    ];
    let calls = 0;
    const logged: string[] = [];
    for (const squad of squads) {
      for (const call of callsOf(squad, github.fetch, logged)) {
        calls++;
        await clock.settle(call().catch(() => undefined));
      }
      await squad.close();
    }

    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
    const everything = [
      ...files,
      JSON.stringify(taken),
      JSON.stringify(logged),
      ...heard.map((events) => JSON.stringify(events)),
      JSON.stringify(squads.map((squad) => squad.status())),
    ];
    // It is about something: nearly every call has a record in each sink (one is refused for its operation's name).
    const kinds = taken.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "call")).toHaveLength(calls / squads.length - 1);
    expect(kinds.filter((kind) => kind === "attempt").length).toBeGreaterThan(20);
    expect(kinds).toContain("reading");
    expect(files).toHaveLength(1);
    expect(files[0]?.split("\n").length).toBe(taken.length + 1);
    expect(logged).toEqual([expect.stringContaining("the function that takes the trace failed: password=***")]);
    for (const [name, secret] of Object.entries(SECRETS)) {
      for (const text of everything) {
        for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) {
          expect(text.includes(form), name).toBe(false);
        }
      }
    }
    expect(everything.join("\n")).not.toContain("mona");
  });

  it("does not name a target by a secret that stands in its address, so that nobody can guess it", async () => {
    const clock = createVirtualClock();
    const github = createStubGithub({ clock });
    github.route("/user", { json: {} });
    const taken: TraceRecord[] = [];
    const squad = createSquad({ clock, fetch: github.fetch, trace: (record) => void taken.push(record) });
    for (const address of ["?access_token=1234&per_page=5", "?per_page=5&client_secret=5678", "?per_page=5"]) {
      await squad.fetch(`https://api.github.com/user${address}`);
    }
    await squad.fetch("https://api.github.com/user?per_page=6");
    const targets = taken.flatMap((record) => (record.kind === "call" ? [record.target] : []));
    expect(targets.map((target) => target === targets[0])).toEqual([true, true, true, false]);
  });
});
