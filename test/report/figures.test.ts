import { describe, expect, it } from "vitest";
import { createReport } from "../../src/report/index.js";
import type { AttemptRecord } from "../../src/trace/record.js";
import { attempt, call } from "./attempt.js";
import { syntheticTrace } from "./synthetic-trace.js";

const HOUR_MS = 3_600_000;

describe("the scorecard", () => {
  it("counts per hour and minute, batches, conditional reads and what is opaque", async () => {
    const { agent: _agent, ...nobody } = attempt(HOUR_MS - 200);
    const query = { resource: "graphql", method: "POST", route: "POST /graphql", target: "q" } as const;
    const { scorecard } = await createReport({
      records: [
        attempt(0, { validator: "0123456789abcdef", status: 304, outcome: "not-modified", chargedUnits: 0 }),
        attempt(1_000, { validator: "0123456789abcdef" }),
        attempt(2_000, { validator: "0123456789abcdef", status: 502, outcome: "server-error", chargedUnits: 0 }),
        attempt(3_000, { ...query, chargedUnits: 18, graphql: { cost: 18 } }),
        attempt(4_000, { ...query, chargedUnits: 1, graphql: {} }),
        ...[0, 1, 2].map((index) => call(index * 1_000, { cache: "shared", ok: index > 0 })),
        nobody,
      ],
    });
    expect(scorecard).toMatchObject({
      calls: 3,
      callsFailed: 1,
      restRequests: 4,
      graphqlRequests: 2,
      batches: 1,
      graphqlUnits: 19,
      graphqlUnitsPerHour: 19,
      restUnitsPerHour: 2,
      callsPerMinute: 3 / 60,
      conditional: { sent: 3, notModified: 1, changed: 1, errors: 1 },
      opaque: { exchanges: 2, noAgent: 1, noRoute: 0, noCost: 1 },
      cache: { shared: 3 },
    });
  });

  it("knows what a mutation costs by GitHub's rule, and what other operations do by their answers alone", async () => {
    const answered = (kind: "query" | "mutation" | undefined, cost?: number) =>
      attempt(0, {
        method: "POST",
        route: "POST /graphql",
        resource: "graphql",
        status: 200,
        graphql: { ...(kind && { kind }), ...(cost !== undefined && { cost }) },
      });
    const opaque = async (...records: readonly AttemptRecord[]) =>
      (await createReport({ records })).scorecard.opaque.noCost;

    expect(await opaque(answered("mutation"))).toBe(0);
    expect(await opaque(answered("query", 1))).toBe(0);
    expect(await opaque(answered("query"))).toBe(1);
    expect(await opaque(answered(undefined))).toBe(1);
  });

  it("tells waits by class", async () => {
    const records = ([0, 1, 2] as const).flatMap((priority) =>
      [0, 10, 1_000].map((waitMs, index) => call(index * 1_000, { priority, waitMs: waitMs * priority })),
    );
    const { waits } = (await createReport({ records })).scorecard;
    expect(waits.map(({ priority, calls, waited, wait }) => [priority, calls, waited, wait?.maxMs])).toEqual([
      [0, 3, 0, 0],
      [1, 3, 2, 1_000],
      [2, 3, 2, 2_000],
    ]);
  });
});

describe("units over time", () => {
  it("lose nothing when parts are joined or names are added up", async () => {
    const agents = Array.from({ length: 30 }, (_, index) => `agent-${index}`);
    const records = [...syntheticTrace({ agents, callsPerSecond: 0.05, forMs: 30 * HOUR_MS })];
    const refused = attempt(1_000, { outcome: "secondary-limit", status: 403 });
    const fine = await createReport({ records: [...records, refused] }, { maxBuckets: 10_000 });
    const coarse = await createReport({ records: [...records, refused] }, { maxBuckets: 10, maxRows: 3 });
    expect(coarse.burn.buckets.length).toBeLessThanOrEqual(10);
    for (const { burn, scorecard, spend } of [fine, coarse]) {
      const units = burn.buckets.reduce(
        (sum, bucket) => sum + bucket.otherUnits + bucket.units.reduce((a, b) => a + b, 0),
        0,
      );
      expect(units).toBe(scorecard.units);
      expect(burn.buckets.reduce((sum, bucket) => sum + bucket.hiddenUnits, 0)).toBe(scorecard.hiddenUnits);
      expect(burn.buckets.reduce((sum, bucket) => sum + bucket.refused, 0)).toBe(1);
      const rows = [...spend.agents.rows, ...(spend.agents.others === undefined ? [] : [spend.agents.others])];
      expect(rows.reduce((sum, row) => sum + row.units, 0)).toBe(scorecard.units);
      expect(rows.reduce((sum, row) => sum + row.share, 0)).toBeCloseTo(1);
    }
    const least = (report: typeof fine): number[] =>
      report.remaining.map(({ points }) => Math.min(...points.map(({ remaining }) => remaining)));
    expect(least(coarse)).toEqual(least(fine));
  });
});
