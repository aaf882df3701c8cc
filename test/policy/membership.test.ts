import { describe, expect, it } from "vitest";
import {
  type MemberReport,
  type MembershipDocument,
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

function reread(doc: MembershipDocument, now: number): ReturnType<typeof parseMembershipDocument> {
  return parseMembershipDocument(JSON.parse(JSON.stringify(doc)), now);
}

describe("membership", () => {
  it("lasts five minutes from the last word, and remembers since when", () => {
    const joined = updateMembership(undefined, "a", RALPH, T0);
    const renewed = updateMembership(joined, "a", { ...RALPH, light: "amber" }, T0 + 120_000);
    expect(renewed).toMatchObject({ revision: 2, updatedAt: T0 + 120_000 });
    expect(renewed.members.a).toEqual({ ...RALPH, light: "amber", leaseStart: T0, leaseExpiry: T0 + 420_000 });
  });

  it("drops who is silent, at anybody's update", () => {
    const doc = updateMembership(updateMembership(undefined, "a", RALPH, T0), "b", RALPH, T0 + 300_000);
    expect(Object.keys(doc.members)).toEqual(["b"]);
  });

  it("starts anew for who comes back after its lease", () => {
    const doc = updateMembership(updateMembership(undefined, "a", RALPH, T0), "a", RALPH, T0 + 400_000);
    expect(doc.members.a?.leaseStart).toBe(T0 + 400_000);
  });

  it("keeps two agents of one name apart", () => {
    const doc = updateMembership(
      updateMembership(undefined, "a", RALPH, T0),
      "b",
      { ...RALPH, machine: "build-2" },
      T0,
    );
    expect(Object.values(doc.members).map(({ agent, machine }) => `${agent}@${machine}`)).toEqual([
      "ralph@build-1",
      "ralph@build-2",
    ]);
  });

  it("ends at once for who leaves", () => {
    const doc = updateMembership(updateMembership(undefined, "a", RALPH, T0), "a", undefined, T0 + 1_000);
    expect(doc.members).toEqual({});
  });

  it("is not led astray by a name that objects inherit", () => {
    const doc = updateMembership(updateMembership(undefined, "a", RALPH, T0), "constructor", RALPH, T0 + 1);
    expect(Object.entries(doc.members).map(([id, { leaseStart }]) => [id, leaseStart])).toContainEqual([
      "constructor",
      T0 + 1,
    ]);
  });

  it("comes back from a store as it was written", () => {
    const doc = updateMembership(undefined, "a", RALPH, T0);
    expect(reread(doc, T0)).toEqual({ kind: "ok", doc });
  });

  it.each([
    ["a light that is none", { light: "blue" }, "document.members[0].light is none of green, amber, red"],
    ["a dependency that is no name", { dependsOn: [7] }, "document.members[0].dependsOn.0 is 7, not a string"],
    ["a name without end", { agent: "x".repeat(300) }, "document.members[0].agent has 300 characters, more than 256"],
    ["a priority that is none", { priority: 9 }, "document.members[0].priority is 9, outside 0 to 2"],
    ["a breaker half open", { breakerOpen: "half" }, "document.members[0].breakerOpen is neither true nor false"],
  ])("is unreadable with %s", (_, change, why) => {
    const doc = updateMembership(undefined, "a", { ...RALPH, ...(change as Partial<MemberReport>) }, T0);
    expect(reread(doc, T0)).toEqual({ kind: "unreadable", why });
  });

  it("is unreadable when another version, or the future, wrote it", () => {
    const doc = updateMembership(undefined, "a", RALPH, T0);
    expect(parseMembershipDocument({ ...doc, version: 7 }, T0).kind).toBe("unreadable");
    expect(reread(doc, T0 - 3_600_000).kind).toBe("unreadable");
  });
});
