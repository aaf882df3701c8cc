import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { type CacheOutcome, createSquad, type SquadOptions, squadRate } from "octokit-plugin-squad-rate";
import type { Contestant } from "./rounds.js";
import { createStubGithub, STUB_TOKEN, type StubGithub } from "./stub-github.js";

/** A client that makes one kind of call, and the case that its cost is held against. */
export interface OverheadCase extends Contestant {
  /** The name of the plain client's case that asks for the same; undefined for the plain ones. */
  readonly plain: string | undefined;
}

interface Row {
  readonly name: string;
  readonly plain?: string;
  readonly client: (stub: StubGithub) => Octokit;
  readonly ask: (client: Octokit, index: number) => Promise<Asked>;
  /** How many calls with one index are under way at once, 1 by default. */
  readonly atOnce?: number;
  /** What the calls must have been, or the figures are about something else. */
  readonly outcome?: CacheOutcome;
  readonly requests: "one for each call" | "one for each index" | "none" | "unchanged";
  /** In place of the usual number of calls in a turn, and of turns in a round. */
  readonly pace?: { readonly calls: number; readonly turns: number };
}

interface Asked {
  readonly headers: { readonly [name: string]: unknown };
}

/** How many identical reads are under way at once where the case is about that. */
export const AT_ONCE = 20;
/** What the cache of the miss case holds, so that each of its calls also throws an older answer out. */
export const KEPT_ANSWERS = 400;
/** The cache's own estimate of what an entry takes beside its body. */
const ENTRY_BYTES = 512;
/** A call takes a hundred times as long there, whatever the machine does. */
const SLOW = { calls: 1, turns: 2 };

/** The cases for one body. Each client has a stub and, if it is ours, a squad of its own, and has made one call. */
export function overheadCases(body: string, calls: number): Promise<readonly OverheadCase[]> {
  const one = "one for each call";
  const small = { cache: { maxBytes: KEPT_ANSWERS * (body.length + ENTRY_BYTES), maxEntryBytes: body.length } };
  const fresh = { cache: { freshForMs: 3_600_000 } };
  const rows: readonly Row[] = [
    { name: "plain GET", client: plain, ask: read, requests: one },
    { name: "miss", plain: "plain GET", client: ours(small), ask: read, outcome: "miss", requests: one },
    {
      name: "revalidated",
      plain: "plain GET",
      client: ours(),
      ask: reread,
      outcome: "revalidated",
      requests: "unchanged",
    },
    { name: "fresh", plain: "plain GET", client: ours(fresh), ask: reread, outcome: "fresh", requests: "none" },
    { name: "plain GET, 20 at once", client: plain, ask: read, atOnce: AT_ONCE, requests: one },
    {
      name: "shared, 20 at once",
      plain: "plain GET, 20 at once",
      client: ours(small),
      ask: read,
      atOnce: AT_ONCE,
      outcome: "shared",
      requests: "one for each index",
    },
    { name: "plain search", client: plain, ask: search, requests: one },
    { name: "uncacheable GET", plain: "plain search", client: ours(), ask: search, requests: one },
    { name: "plain POST", client: plain, ask: write, requests: one },
    { name: "POST", plain: "plain POST", client: ours(), ask: write, requests: one },
    { name: "throttling + retry", plain: "plain GET", client: throttled, ask: read, pace: SLOW, requests: one },
  ];
  return Promise.all(rows.map((row) => caseOf(row, body, calls)));
}

async function caseOf(row: Row, body: string, usualCalls: number): Promise<OverheadCase> {
  const { name, plain, ask, atOnce = 1, pace } = row;
  const stub = createStubGithub(body);
  const client = row.client(stub);
  let index = 0;
  let last = await ask(client, index);
  let { sent, notModified } = stub;
  return {
    name,
    plain,
    calls: Math.ceil(usualCalls / atOnce) * atOnce,
    ...pace,
    async run(wanted) {
      ({ sent, notModified } = stub);
      if (atOnce === 1) {
        for (let made = 0; made < wanted; made++) last = await ask(client, ++index);
        return;
      }
      for (let made = 0; made < wanted; made += atOnce) {
        index++;
        const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(client, index)));
        last = answers.at(-1) as Asked;
      }
    },
    check(made) {
      const outcome = last.headers["x-squad-rate"];
      const requests = stub.sent - sent;
      const expected = row.requests === "none" ? 0 : row.requests === "one for each index" ? made / atOnce : made;
      const unchanged = row.requests === "unchanged" ? made : 0;
      if (outcome === row.outcome && requests === expected && stub.notModified - notModified === unchanged) return;
      throw new Error(
        `"${name}" was something else: the last of ${made} calls was ${outcome ?? "outside the cache"}, and ${requests} requests were sent`,
      );
    },
  };
}

const repository = { owner: "octocat", repo: "hello-world" };

function read(client: Octokit, index: number): Promise<Asked> {
  return client.request("GET /repos/{owner}/{repo}/commits", { ...repository, sha: `branch-${index}`, per_page: 100 });
}

function reread(client: Octokit): Promise<Asked> {
  return read(client, 0);
}

function search(client: Octokit, index: number): Promise<Asked> {
  return client.request("GET /search/issues", { q: `is:open author:agent-${index}` });
}

function write(client: Octokit, index: number): Promise<Asked> {
  const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
  return client.request(route, { ...repository, issue_number: index + 1, body: "Done, as asked." });
}

function clientOptions(stub: StubGithub): {
  readonly auth: string;
  readonly request: { readonly fetch: typeof fetch };
} {
  return { auth: STUB_TOKEN, request: { fetch: stub.fetch } };
}

function plain(stub: StubGithub): Octokit {
  return new Octokit(clientOptions(stub));
}

/** A benchmark sends more than GitHub allows; what is measured is that all of it is counted. */
const MOST = 10_000_000;
const COUNTED = {
  concurrent: MOST,
  pointsPerMinute: MOST,
  graphqlPointsPerMinute: MOST,
  contentPerMinute: MOST,
  contentPerHour: MOST,
  responseMsPerMinute: MOST,
  graphqlResponseMsPerMinute: MOST,
};

function ours(options: SquadOptions = {}): (stub: StubGithub) => Octokit {
  const squad = { pacing: false, secondary: COUNTED, ...options };
  return (stub) => new (Octokit.plugin(squadRate))({ ...clientOptions(stub), squad: createSquad(squad) });
}

function throttled(stub: StubGithub): Octokit {
  const throttle = { onRateLimit: () => false, onSecondaryRateLimit: () => false };
  return new (Octokit.plugin(throttling, retry))({ ...clientOptions(stub), throttle });
}
