import type { AttemptRecord, CallRecord, TraceRecord } from "../../src/trace/record.js";

/** What a synthetic trace is like. */
export interface SyntheticOptions {
  readonly agents: readonly string[];
  /** Calls per second of all agents together. */
  readonly callsPerSecond: number;
  readonly forMs: number;
  readonly startAt?: number;
  /** Different reads. */
  readonly targets?: number;
}

const ROUTES = [
  "GET /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}",
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments",
  "GET /repos/{owner}/{repo}/issues/{issue_number}",
];

/** A long trace, made as it is read: calls and attempts, two quotas with hidden use, refusals, 304s, queries. */
export function* syntheticTrace(options: SyntheticOptions): Generator<TraceRecord> {
  const { agents, callsPerSecond, forMs, startAt = Date.UTC(2030, 0, 1), targets = 2_000 } = options;
  const random = mulberry(7);
  const used = { core: 0, graphql: 0 };
  let window = 0;
  const calls = Math.floor((forMs / 1_000) * callsPerSecond);
  for (let index = 0; index < calls; index++) {
    const offset = (index / callsPerSecond) * 1_000;
    const at = Math.floor(startAt + offset);
    const hour = Math.floor(offset / 3_600_000);
    if (hour !== window) {
      window = hour;
      used.core = 0;
      used.graphql = 0;
    }
    if (random() < 0.02) used.core += Math.floor(random() * 3);
    const isQuery = random() < 0.15;
    const resource = isQuery ? "graphql" : "core";
    const which = Math.floor(random() ** 2 * targets);
    const isWrite = !isQuery && random() < 0.02;
    const route = isQuery
      ? "POST /graphql"
      : isWrite
        ? "POST /repos/{owner}/{repo}/issues"
        : (ROUTES[which % ROUTES.length] as string);
    const who = Math.floor(random() ** 1.5 * agents.length);
    const agent = agents[who] as string;
    const limit = 15_000;
    const isRefused = used[resource] >= limit;
    const isUnchanged = !isQuery && !isWrite && random() < 0.35;
    const cost = isUnchanged ? 0 : isQuery ? (random() < 0.3 ? 18 : 1) : 1;
    used[resource] += isRefused ? 1 : cost;
    const durationMs = Math.round(120 * Math.exp(random() * (isQuery ? 3 : 1.5)));
    const priority = (who % 3) as 0 | 1 | 2;
    const waitMs = random() < 0.1 ? Math.round(random() * 4_000 * (priority + 1)) : 0;
    const facts = {
      v: 1,
      at,
      call: `c${index}`,
      machine: `pod-${who % 4}`,
      pid: 100 + (who % 8),
      agent,
      priority,
      session: `session-${who}`,
      ...(isQuery ? { operation: "pullRequestStatus" } : {}),
      method: isQuery || isWrite ? "POST" : "GET",
      route,
      host: "api.github.com",
      resource,
      target: `t${isQuery ? "q" : ""}${which}`,
    } as const;
    const attempt: AttemptRecord = {
      ...facts,
      kind: "attempt",
      attempt: 1,
      principal: "0123456789abcdef0123456789abcdef",
      credential: "fedcba9876543210fedcba9876543210",
      status: isRefused ? 403 : isUnchanged ? 304 : isWrite ? 201 : 200,
      outcome: isRefused ? "primary-limit" : isUnchanged ? "not-modified" : "ok",
      waitMs,
      durationMs,
      reservedUnits: cost,
      chargedUnits: isRefused ? 1 : cost,
      points: isWrite ? 5 : 1,
      ...(isUnchanged ? { validator: `"${String(which % 7).padStart(15, "e")}` } : {}),
      ...(isQuery || isWrite ? {} : { etag: `"${String(which + Math.floor(random() * 2)).padStart(15, "e")}` }),
      rate: {
        limit,
        used: used[resource],
        remaining: Math.max(0, limit - used[resource]),
        resetAt: startAt + (window + 1) * 3_600_000,
      },
      ...(isQuery ? { graphql: { cost, answer: `a${which % 50}` } } : {}),
      requestId: `ABCD:${index}`,
    };
    yield attempt;
    const call: CallRecord = {
      ...facts,
      kind: "call",
      at: at - waitMs,
      ok: !isRefused,
      status: attempt.status as number,
      ...(isQuery || isWrite ? {} : { cache: isUnchanged ? "revalidated" : "miss" }),
      attempts: 1,
      waitMs,
      durationMs: durationMs + waitMs,
      units: attempt.chargedUnits,
    };
    yield call;
  }
}

/** The same lines as bytes, in pieces that end anywhere. */
export async function* bytesOf(records: Iterable<TraceRecord>): AsyncGenerator<Uint8Array> {
  let text = "";
  for (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
