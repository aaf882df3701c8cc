import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineWriter } from "../../src/trace/file/line-writer.js";
import type { AttemptRecord, CallRecord, TraceFacts, TraceRecord } from "../../src/trace/record.js";

/** A value for every member that a record may have: one that is added to the type has to be added here. */
type Members<T> = { readonly [K in keyof Required<T>]: fc.Arbitrary<NonNullable<T[K]>> };

const text = fc.string({ unit: "binary" });
const count = fc.nat();
const ms = fc.integer({ min: 0, max: 10_000_000 }).map((micros) => micros / 1_000);
const yes = fc.constant(true as const);
const rate = fc.record({ limit: count, used: count, remaining: count, resetAt: count });
const NONE: { requiredKeys: [] } = { requiredKeys: [] };

const FACTS: Members<TraceFacts> = {
  v: fc.constant(1 as const),
  at: count,
  call: text,
  machine: text,
  pid: count,
  agent: text,
  priority: fc.constantFrom(0 as const, 1 as const, 2 as const),
  session: text,
  operation: text,
  method: text,
  route: text,
  host: text,
  resource: text,
  target: text,
};

const ATTEMPT: Members<AttemptRecord> = {
  ...FACTS,
  kind: fc.constant("attempt" as const),
  attempt: count,
  principal: text,
  credential: text,
  status: count,
  outcome: fc.constantFrom("ok" as const, "secondary-limit" as const),
  redirected: yes,
  waitMs: ms,
  durationMs: ms,
  bytes: count,
  reservedUnits: count,
  chargedUnits: count,
  inDoubt: yes,
  points: count,
  validator: text,
  etag: text,
  scope: text,
  mayHaveGrown: yes,
  rate,
  graphql: fc.record({ operation: text, cost: count, nodes: count, answer: text }, NONE),
  requestId: text,
};

const CALL: Members<CallRecord> = {
  ...FACTS,
  kind: fc.constant("call" as const),
  ok: fc.boolean(),
  status: count,
  cache: fc.constantFrom("miss" as const, "fresh" as const),
  attempts: count,
  waitMs: ms,
  durationMs: ms,
  units: count,
  decision: fc.record({ kind: fc.constantFrom("wait" as const, "retry" as const), why: text }),
  error: text,
};

const ALWAYS = [
  "v",
  "at",
  "call",
  "machine",
  "pid",
  "agent",
  "priority",
  "method",
  "route",
  "host",
  "resource",
] as const;
const attempt = fc.record(ATTEMPT, {
  requiredKeys: [
    ...ALWAYS,
    "target",
    "kind",
    "attempt",
    "waitMs",
    "durationMs",
    "reservedUnits",
    "chargedUnits",
    "points",
  ],
});
const call = fc.record(CALL, {
  requiredKeys: [...ALWAYS, "target", "kind", "ok", "attempts", "waitMs", "durationMs", "units"],
});
const reading = fc.record({
  v: fc.constant(1 as const),
  kind: fc.constant("reading" as const),
  at: count,
  machine: text,
  pid: count,
  host: text,
  resources: fc.dictionary(fc.constantFrom("core", "search"), rate),
});

describe("lineWriter", () => {
  it("writes what JSON.stringify would, on one line, whatever is in the names", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(attempt, call, reading), { minLength: 1, maxLength: 6 }), (records) => {
        const lineOf = lineWriter();
        for (const record of records) {
          const line = lineOf(record as TraceRecord);
          expect(line).not.toContain("\n");
          expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(record)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
