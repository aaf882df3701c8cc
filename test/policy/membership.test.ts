import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isDependedOn,
  type MemberChange,
  type MemberReport,
  type MembershipDocument,
  memberLeaseMs,
  memberRenewalMs,
  parseMembershipDocument,
  updateMembership,
} from "../../src/policy/membership.js";

const T0 = Date.UTC(2030, 0, 1);
const RALPH: MemberReport = {
  agent: "ralph",
  priority: 2,
  machine: "build-1",
  dependsOn: ["data"],
  light: "green",
  breakerOpen: false,
  blockedUntil: 0,
};

/** One member's update. */
function update(
  doc: MembershipDocument | undefined,
  id: string,
  report: MemberReport | undefined,
  now: number,
): MembershipDocument {
  return updateMembership(doc, [{ id, report }], now);
}

function reread(doc: MembershipDocument, now: number): ReturnType<typeof parseMembershipDocument> {
  return parseMembershipDocument(JSON.parse(JSON.stringify(doc)), now);
}

describe("membership", () => {
  it("lasts five minutes from the last word, and remembers since when", () => {
    const joined = update(undefined, "a", RALPH, T0);
    const renewed = update(joined, "a", { ...RALPH, light: "amber" }, T0 + 120_000);
    expect(renewed).toMatchObject({ revision: 2, updatedAt: T0 + 120_000 });
    expect(renewed.members.a).toEqual({ ...RALPH, light: "amber", leaseStart: T0, leaseExpiry: T0 + 420_000 });
  });

  it("drops who is silent, at anybody's update", () => {
    const doc = update(update(undefined, "a", RALPH, T0), "b", RALPH, T0 + 300_000);
    expect(Object.keys(doc.members)).toEqual(["b"]);
  });

  it("starts anew for who comes back after its lease", () => {
    const doc = update(update(undefined, "a", RALPH, T0), "a", RALPH, T0 + 400_000);
    expect(doc.members.a?.leaseStart).toBe(T0 + 400_000);
  });

  it("keeps two agents of one name apart", () => {
    const doc = update(update(undefined, "a", RALPH, T0), "b", { ...RALPH, machine: "build-2" }, T0);
    expect(Object.values(doc.members).map(({ agent, machine }) => `${agent}@${machine}`)).toEqual([
      "ralph@build-1",
      "ralph@build-2",
    ]);
  });

  it("ends at once for who leaves", () => {
    const doc = update(update(undefined, "a", RALPH, T0), "a", undefined, T0 + 1_000);
    expect(doc.members).toEqual({});
  });

  it("is not led astray by a name that objects inherit", () => {
    const doc = update(update(undefined, "a", RALPH, T0), "constructor", RALPH, T0 + 1);
    expect(Object.entries(doc.members).map(([id, { leaseStart }]) => [id, leaseStart])).toContainEqual([
      "constructor",
      T0 + 1,
    ]);
  });

  it("changes several members in one step, each by itself", () => {
    const before = updateMembership(
      undefined,
      [
        { id: "stays", report: RALPH },
        { id: "leaves", report: RALPH },
      ],
      T0,
    );
    const after = updateMembership(
      before,
      [
        { id: "leaves", report: undefined },
        { id: "joins", report: RALPH },
        { id: "stays", report: { ...RALPH, priority: 0 } },
        { id: "never-was", report: undefined },
      ],
      T0 + 60_000,
    );
    expect(after.revision).toBe(2);
    expect(after.members).toEqual({
      stays: { ...RALPH, priority: 0, leaseStart: T0, leaseExpiry: T0 + 360_000 },
      joins: { ...RALPH, leaseStart: T0 + 60_000, leaseExpiry: T0 + 360_000 },
    });
  });

  it("is renewed every two minutes in a squad of up to ten, and less often in a larger fleet", () => {
    const minutes = [1, 10, 20, 50, 500].map((members) => [memberRenewalMs(members), memberLeaseMs(members)]);
    expect(minutes.flat().map((ms) => ms / 60_000)).toEqual([2, 5, 2, 5, 4, 10, 10, 25, 10, 25]);
    const crowd = Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, report: RALPH }));
    const doc = updateMembership(updateMembership(undefined, crowd, T0), [{ id: "7", report: RALPH }], T0 + 1_000);
    expect(doc.members["7"]?.leaseExpiry).toBe(T0 + 1_000 + 25 * 60_000);
  });

  it("keeps a lease that a clock ahead has given", () => {
    const doc = update(update(undefined, "a", RALPH, T0 + 30_000), "a", RALPH, T0);
    expect(doc.members.a?.leaseExpiry).toBe(T0 + 30_000 + memberLeaseMs(1));
  });

  it("renews those it lists when it is full, takes no more, and stays readable", () => {
    const crowd = Array.from({ length: 5_003 }, (_, index) => ({ id: `${index}`, report: RALPH }));
    const full = updateMembership(undefined, crowd, T0);
    expect(Object.keys(full.members)).toHaveLength(5_000);
    expect(reread(full, T0).kind).toBe("ok");

    const renewed = updateMembership(full, crowd.toReversed(), T0 + 1_000);
    expect(renewed.members["0"]?.leaseExpiry).toBe(T0 + 1_000 + memberLeaseMs(5_000));
    expect(renewed.members["5001"]).toBeUndefined();
    const freed = updateMembership(
      renewed,
      [
        { id: "0", report: undefined },
        { id: "5001", report: RALPH },
      ],
      T0 + 2_000,
    );
    expect(freed.members["5001"]).toBeDefined();
  });

  it("stays readable whatever an agent and its machine are called, and whatever it says of itself", () => {
    const name = "x".repeat(1_000);
    const doc = update(undefined, "a", { ...RALPH, agent: name, machine: name }, T0);
    expect(reread(doc, T0).kind).toBe("ok");
    const dependsOn = Array.from({ length: 300 }, () => name);
    for (const blockedUntil of [Number.POSITIVE_INFINITY, Number.NaN, -1, 9e15]) {
      const said = update(doc, "a", { ...RALPH, dependsOn, blockedUntil }, T0);
      expect(reread(said, T0).kind).toBe("ok");
      const amended = updateMembership(
        doc,
        [{ id: "a", report: { ...RALPH, dependsOn, blockedUntil }, amends: true }],
        T0,
      );
      expect(reread(amended, T0).kind).toBe("ok");
    }
  });

  it("lets a member's lease run on when only what it says of itself changes, and brings nobody back", () => {
    const joined = update(undefined, "a", RALPH, T0);
    const red: MemberReport = { ...RALPH, light: "red" };
    const amend = (now: number): MembershipDocument =>
      updateMembership(
        joined,
        [
          { id: "a", report: red, amends: true },
          { id: "never-was", report: red, amends: true },
        ],
        now,
      );
    expect(amend(T0 + 120_000).members).toEqual({ a: { ...red, leaseStart: T0, leaseExpiry: T0 + 300_000 } });
    expect(amend(T0 + 300_000).members).toEqual({});
  });

  it("knows whether anybody alive depends on an agent", () => {
    const doc = update(undefined, "a", RALPH, T0);
    const asked = [
      isDependedOn(doc, "data", T0),
      isDependedOn(doc, "ralph", T0),
      isDependedOn(doc, "data", T0 + 300_000),
    ];
    expect(asked).toEqual([true, false, false]);
  });

  it("never shortens a lease, and is readable to whoever comes next, whatever changes come when", () => {
    const step = fc.record({
      afterMs: fc.integer({ min: -60_000, max: 200_000 }),
      changes: fc.array(
        fc.record({
          id: fc.constantFrom("a", "b", "__proto__"),
          report: fc.option(
            fc.record({
              agent: fc.string({ maxLength: 300 }),
              priority: fc.constantFrom(0, 1, 2),
              machine: fc.string({ maxLength: 300 }),
              dependsOn: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
              light: fc.constantFrom("green", "amber", "red"),
              breakerOpen: fc.boolean(),
              blockedUntil: fc.nat(),
            }),
            { nil: undefined },
          ),
        }),
        { maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let now = T0;
        let doc: MembershipDocument | undefined;
        for (const { afterMs, changes } of steps) {
          now += afterMs;
          const next = updateMembership(doc, changes as readonly MemberChange[], now);
          for (const [id, { leaseStart, leaseExpiry }] of Object.entries(doc?.members ?? {})) {
            const after = Object.hasOwn(next.members, id) ? next.members[id] : undefined;
            const left = changes.some((change) => change.id === id && change.report === undefined);
            if (left || leaseExpiry <= now) continue;
            expect(after?.leaseExpiry).toBeGreaterThanOrEqual(leaseExpiry);
            expect(after?.leaseStart).toBe(leaseStart);
          }
          expect(next.updatedAt).toBeGreaterThanOrEqual(doc?.updatedAt ?? now);
          for (const { leaseExpiry } of Object.values(next.members)) expect(leaseExpiry).toBeGreaterThan(now);
          expect(reread(next, next.updatedAt)).toEqual({ kind: "ok", doc: next });
          doc = next;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("comes back from a store as it was written", () => {
    const doc = update(undefined, "a", RALPH, T0);
    expect(reread(doc, T0)).toEqual({ kind: "ok", doc });
  });

  it.each([
    ["a light that is none", { light: "blue" }, "document.members[0].light is none of green, amber, red"],
    ["a dependency that is no name", { dependsOn: [7] }, "document.members[0].dependsOn.0 is 7, not a string"],
    ["a name without end", { agent: "x".repeat(300) }, "document.members[0].agent has 300 characters, more than 256"],
    ["a priority that is none", { priority: 9 }, "document.members[0].priority is 9, outside 0 to 2"],
    ["a breaker half open", { breakerOpen: "half" }, "document.members[0].breakerOpen is neither true nor false"],
  ])("is unreadable with %s", (_, change, why) => {
    const doc = update(undefined, "a", RALPH, T0);
    const foreign = { ...doc, members: { a: { ...doc.members.a, ...change } } };
    expect(parseMembershipDocument(foreign, T0)).toEqual({ kind: "unreadable", why });
  });

  it("is unreadable when another version, or the future, wrote it", () => {
    const doc = update(undefined, "a", RALPH, T0);
    expect(parseMembershipDocument({ ...doc, version: 7 }, T0).kind).toBe("unreadable");
    expect(reread(doc, T0 - 3_600_000).kind).toBe("unreadable");
  });
});
