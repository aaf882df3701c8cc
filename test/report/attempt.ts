import type { AttemptRecord, CallRecord } from "../../src/trace/record.js";

/** The time at which made-up traces begin. */
export const START = Date.UTC(2030, 0, 1);

/** A read that was answered and charged, `at` milliseconds after the start; `change` says what is different. */
export function attempt(at: number, change: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    v: 1,
    kind: "attempt",
    at: START + at,
    call: `c${at}`,
    machine: "box",
    pid: 1,
    agent: "ralph",
    priority: 1,
    method: "GET",
    route: "GET /repos/{owner}/{repo}",
    host: "api.github.com",
    resource: "core",
    target: "t1",
    attempt: 1,
    principal: "mona",
    credential: "token",
    status: 200,
    outcome: "ok",
    waitMs: 0,
    durationMs: 200,
    reservedUnits: 1,
    chargedUnits: 1,
    points: 1,
    etag: "0123456789abcdef",
    ...change,
  };
}

/** A call that ended well, `at` milliseconds after the start. */
export function call(at: number, change: Partial<CallRecord> = {}): CallRecord {
  const { v, machine, pid, agent, priority, method, route, host, resource, target } = attempt(at);
  const facts = { v, machine, pid, agent, priority, method, route, host, resource, target } as const;
  return {
    ...facts,
    kind: "call",
    at: START + at,
    call: `c${at}`,
    ok: true,
    status: 200,
    cache: "miss",
    attempts: 1,
    waitMs: 0,
    durationMs: 200,
    units: 1,
    ...change,
  };
}

/** Rate headers of a window that ends an hour after the start. */
export function rate(used: number, resetAfterMs = 3_600_000): NonNullable<AttemptRecord["rate"]> {
  return { limit: 5_000, used, remaining: Math.max(0, 5_000 - used), resetAt: START + resetAfterMs };
}
