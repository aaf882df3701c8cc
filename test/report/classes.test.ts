import { describe, expect, it } from "vitest";
import { createReport, type Report } from "../../src/report/index.js";
import type { AttemptRecord, TraceRecord } from "../../src/trace/record.js";
import { attempt } from "./attempt.js";

async function classesOf(records: readonly TraceRecord[]): Promise<Report["classes"]> {
  return (await createReport({ records })).classes;
}

/** What occurred, by class and reason. */
async function counted(records: readonly TraceRecord[]): Promise<Record<string, number>> {
  const { byClass, byReason } = await classesOf(records);
  return Object.fromEntries([
    ...byClass.filter(({ exchanges }) => exchanges > 0).map((sum) => [sum.class, sum.exchanges]),
    ...byReason.map((sum) => [sum.reason, sum.exchanges]),
  ]);
}

const write = (at: number, change: Partial<AttemptRecord> = {}): AttemptRecord => {
  const { etag: _etag, ...rest } = attempt(at, {
    method: "POST",
    status: 201,
    points: 5,
    target: "w",
    route: "POST /repos/{owner}/{repo}/issues",
  });
  return { ...rest, ...change };
};

describe("the class of a read", () => {
  it("is cacheable if it was charged although nothing had changed, also past a write", async () => {
    expect(
      await counted([attempt(0), write(10_000), attempt(60_000), attempt(120_000, { etag: "fedcba9876543210" })]),
    ).toEqual({
      irreducible: 3,
      cacheable: 1,
    });
  });

  it("is a duplicate if an identical one was under way, unless a write has ended in between", async () => {
    const slow = { durationMs: 5_000 };
    expect(await counted([attempt(0, slow), attempt(3_000, { etag: "fedcba9876543210" })])).toEqual({
      irreducible: 1,
      duplicate: 1,
    });
    expect(await counted([attempt(0, slow), write(1_000), attempt(3_000)])).toEqual({ irreducible: 3 });
    // A write to another repository does not matter.
    const scoped = { ...slow, scope: "hello" };
    expect(await counted([attempt(0, scoped), write(1_000, { scope: "world" }), attempt(3_000, scoped)])).toEqual({
      irreducible: 2,
      duplicate: 1,
    });
  });

  it("is not cacheable without credentials, since GitHub charges their 304s too", async () => {
    const anonymous = (at: number, change: Partial<AttemptRecord> = {}): AttemptRecord => {
      const { credential: _, ...rest } = attempt(at, { principal: "anonymous", ...change });
      return rest;
    };
    const unchanged = { status: 304, outcome: "not-modified", validator: "0123456789abcdef" } as const;
    expect(await classesOf([anonymous(0), anonymous(60_000), anonymous(90_000, unchanged)])).toMatchObject({
      actual: { exchanges: 3, units: 3 },
      withSquadRateUnits: 3,
    });
  });

  it("keeps the unit of a redirect, whatever else is spared", async () => {
    const moved = { redirected: true, chargedUnits: 2 } as const;
    const unchanged = { status: 304, outcome: "not-modified", validator: "0123456789abcdef" } as const;
    const records = [
      attempt(0, moved),
      attempt(60_000, moved),
      attempt(90_000, { ...moved, ...unchanged, chargedUnits: 1 }),
    ];
    const { classes, spend } = await createReport({ records });
    expect(classes).toMatchObject({ actual: { units: 5 }, withSquadRateUnits: 4, withGuardsUnits: 4 });
    expect(spend.routes.rows[0]?.sparedUnits).toBe(1);
  });

  it("is compared with the answer of whichever request began last", async () => {
    const [old, fresh] = [{ durationMs: 5_000 }, { durationMs: 1_000, etag: "fedcba9876543210" }];
    const records = [attempt(0, old), write(1_000), attempt(2_000, fresh), attempt(6_000, fresh)];
    expect(await counted(records)).toEqual({ irreducible: 3, cacheable: 1 });
  });

  it("is compared with nothing after a word that it is not there", async () => {
    const gone = { status: 404, outcome: "client-error" } as const;
    expect(await counted([attempt(0), attempt(10_000, gone), attempt(20_000)])).toEqual({ irreducible: 3 });
  });

  it("is of one credential: another's tag says nothing, and is told as what might be free", async () => {
    const classes = await classesOf([attempt(0), attempt(60_000, { credential: "another", etag: "fedcba9876543210" })]);
    expect(classes).toMatchObject({ withSquadRateUnits: 2, ofOtherCredentials: { exchanges: 1, units: 1 } });
  });

  it("is irreducible for a full last page, whose tag proves nothing", async () => {
    const page = { mayHaveGrown: true } as const;
    expect(await counted([attempt(0, page), attempt(60_000, page)])).toEqual({ irreducible: 2 });
  });

  it("is irreducible for searches, which have no tag, and free for a 304", async () => {
    const { etag: _etag, ...search } = attempt(0, { resource: "search", route: "GET /search/issues" });
    const later = { ...search, at: search.at + 60_000 };
    const revalidated = attempt(60_000, {
      target: "t2",
      status: 304,
      outcome: "not-modified",
      chargedUnits: 0,
      validator: "0123456789abcdef",
    });
    expect(await counted([search, later, revalidated])).toEqual({ irreducible: 2, free: 1 });
  });

  it("is avoidable if it was refused, tried again in vain, or asked again for what is gone", async () => {
    const refused = {
      status: 403,
      outcome: "primary-limit",
      rate: { limit: 60, used: 61, remaining: 0, resetAt: attempt(3_600_000).at },
    } as const;
    const gone = { status: 404, outcome: "client-error", target: "gone" } as const;
    const broken = { status: 502, outcome: "server-error", chargedUnits: 0, target: "broken" } as const;
    expect(
      await counted([
        attempt(0, refused),
        attempt(1_000, refused),
        attempt(2_000, gone),
        attempt(4_000, gone),
        attempt(6_000, broken),
        attempt(8_000, { ...broken, attempt: 2 }),
        write(10_000),
        attempt(12_000, gone),
      ]),
    ).toEqual({
      irreducible: 4,
      avoidable: 4,
      refused: 1,
      "sent-while-blocked": 1,
      "asked-again": 1,
      "retried-in-vain": 1,
    });
  });

  it("forgets what it has no room for, and says so", async () => {
    const records = [0, 1, 2, 0].map((target, index) => attempt(index * 10_000, { target: `t${target}` }));
    const { classes } = await createReport({ records }, { maxTargets: 2 });
    expect(classes).toMatchObject({ forgottenTargets: 2, withSquadRateUnits: 4 });
  });
});

describe("the class of a query", () => {
  const query = (at: number, answer: string, change: Partial<AttemptRecord> = {}): AttemptRecord => {
    const { etag: _etag, ...rest } = attempt(at, {
      resource: "graphql",
      method: "POST",
      route: "POST /graphql",
      target: "q",
      chargedUnits: 18,
    });
    return { ...rest, graphql: { cost: 18, answer }, ...change };
  };

  it("is avoidable if it gave the same answer again and nothing was written: a guard spares it", async () => {
    const classes = await classesOf([
      query(0, "a"),
      query(60_000, "a"),
      query(120_000, "b"),
      write(130_000),
      query(180_000, "b"),
    ]);
    expect(classes.byReason).toEqual([{ reason: "query-repeated", exchanges: 1, units: 18 }]);
    expect(classes).toMatchObject({ actual: { units: 73 }, withSquadRateUnits: 73, withGuardsUnits: 55 });
  });

  it("counts a mutation as a write", async () => {
    const mutation = query(90_000, "m", { points: 5, target: "m", chargedUnits: 1 });
    expect(await counted([query(0, "a"), mutation, query(120_000, "a")])).toEqual({ irreducible: 3 });
  });
});

describe("refusals", () => {
  it("stand until a minute is over or a later request was answered", async () => {
    const refused = { status: 403, outcome: "secondary-limit", chargedUnits: 1, target: "x" } as const;
    const { scorecard } = await createReport({
      records: [
        attempt(0, { ...refused, durationMs: 100 }),
        // Under way when the refusal came: not sent while blocked.
        attempt(50, { ...refused, durationMs: 100 }),
        attempt(10_000, refused),
        attempt(75_000, refused),
        attempt(80_000, { target: "y" }),
        attempt(90_000, refused),
      ],
    });
    expect(scorecard.refusals).toEqual({ primary: 0, secondary: 5, sentWhileBlocked: 1, units: 5 });
    expect(scorecard.wasted).toEqual({ exchanges: 5, units: 5 });
  });
});
