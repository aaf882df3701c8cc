import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Light } from "../../src/policy/light.js";
import { type PressureMember, pressureOn } from "../../src/policy/pressure.js";

const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const UNTIL = T0 + 2 * MINUTE_MS;
const OK = { ok: true };

function member(name: string, dependsOn: readonly string[] = [], overrides: Partial<PressureMember> = {}) {
  return { name, dependsOn, blockedUntil: 0, breakerOpen: false, light: "green" as Light, alive: true, ...overrides };
}

function blocked(name: string, dependsOn: readonly string[] = [], blockedUntil = UNTIL): PressureMember {
  return member(name, dependsOn, { blockedUntil });
}

function why(agent: string, members: readonly PressureMember[]): string {
  const pressure = pressureOn(agent, members, T0);
  return pressure.ok ? "ok" : pressure.why;
}

describe("an agent", () => {
  it("waits while one that it depends on is blocked, and is told who and until when", () => {
    expect(pressureOn("ralph", [member("ralph", ["data"]), blocked("data")], T0)).toEqual({
      ok: false,
      why: "ralph waits: data, which it depends on, is blocked for another 2 min",
      until: UNTIL,
    });
  });

  it("may begin when nobody is blocked, or nobody it depends on, or no longer", () => {
    const members = [member("ralph", ["data"]), member("data"), blocked("scribe")];
    expect(pressureOn("ralph", members, T0)).toEqual(OK);
    expect(pressureOn("ralph", [member("ralph", ["data"]), blocked("data")], UNTIL)).toEqual(OK);
    expect(pressureOn("data", [member("ralph", ["data"]), blocked("ralph"), member("data")], T0)).toEqual(OK);
  });

  it("waits for an open breaker and a red light without knowing until when, not for an amber one", () => {
    const open = [member("ralph", ["data"]), member("data", [], { breakerOpen: true })];
    expect(pressureOn("ralph", open, T0)).toEqual({
      ok: false,
      why: "ralph waits: data, which it depends on, has an open breaker",
      until: undefined,
    });
    const red = [member("ralph", ["data"]), member("data", [], { light: "red" })];
    expect(why("ralph", red)).toBe("ralph waits: data, which it depends on, is at a red light");
    expect(why("ralph", [member("ralph", ["data"]), member("data", [], { light: "amber" })])).toBe("ok");
    const all = [
      member("ralph", ["data"]),
      member("data", [], { light: "red", breakerOpen: true, blockedUntil: UNTIL }),
    ];
    expect(pressureOn("ralph", all, T0)).toMatchObject({ until: UNTIL });
    expect(pressureOn("ralph", all, UNTIL)).toMatchObject({ ok: false, until: undefined });
  });

  it("waits for one at any depth, and is told the chain", () => {
    const members = [member("ralph", ["scribe"]), member("scribe", ["picard"]), member("picard", ["data"])];
    expect(why("ralph", [...members, blocked("data")])).toBe(
      "ralph waits: it depends on scribe, scribe on picard, picard on data; data is blocked for another 2 min",
    );
  });

  it("is told the beginning and the end of a long chain", () => {
    const many = Array.from({ length: 12 }, (_, index) => member(`a${index}`, [`a${index + 1}`]));
    expect(why("a0", [...many, blocked("a12")])).toBe(
      "a0 waits: it depends on a1, a1 on a2, a2 on a3, a3 on a4, and so on, 12 deep; a12 is blocked for another 2 min",
    );
  });

  it("is found at the end of a chain of twenty thousand", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => member(`a${index}`, [`a${index + 1}`]));
    expect(pressureOn("a0", [...many, blocked("a20000")], T0)).toMatchObject({ ok: false, until: UNTIL });
    expect(pressureOn("a0", [...many, member("a20000")], T0)).toEqual(OK);
  });

  it("is told of the one that lasts longest, by the shortest way to it", () => {
    const members = [
      member("ralph", ["data", "scribe", "picard"]),
      blocked("data", [], T0 + 1),
      blocked("picard"),
      member("scribe", ["picard"]),
    ];
    expect(pressureOn("ralph", members, T0)).toEqual({
      ok: false,
      why: "ralph waits: picard, which it depends on, is blocked for another 2 min",
      until: UNTIL,
    });
  });

  it("is not held up by the dead, by names that nobody has, or when nobody knows it", () => {
    const dead = { ...blocked("data"), alive: false };
    expect(pressureOn("ralph", [member("ralph", ["data", "nobody"]), dead], T0)).toEqual(OK);
    expect(pressureOn("ralph", [{ ...member("ralph", ["data"]), alive: false }, blocked("data")], T0)).toEqual(OK);
    expect(pressureOn("ralph", [blocked("data")], T0)).toEqual(OK);
    const through = [member("ralph", ["scribe"]), { ...member("scribe", ["data"]), alive: false }, blocked("data")];
    expect(pressureOn("ralph", through, T0)).toEqual(OK);
  });
});

describe("a circle", () => {
  it("holds nobody up by itself", () => {
    const circle = [member("a", ["b"]), member("b", ["c"]), member("c", ["a", "c"])];
    for (const name of ["a", "b", "c"]) expect(pressureOn(name, circle, T0)).toEqual(OK);
  });

  it("is held up by one that is blocked in it, but for that one itself", () => {
    const circle = [member("a", ["b"]), member("b", ["c"]), blocked("c", ["a"])];
    expect(why("a", circle)).toBe("a waits: it depends on b, b on c; c is blocked for another 2 min");
    expect(why("b", circle)).toBe("b waits: c, which it depends on, is blocked for another 2 min");
    expect(why("c", circle)).toBe("ok");
    expect(why("d", [blocked("d", ["d"])])).toBe("ok");
  });
});

describe("a name that several have", () => {
  it("is held up when all who live are blocked, until the first of them is free", () => {
    const ralph = member("ralph", ["data"]);
    expect(pressureOn("ralph", [ralph, blocked("data"), member("data")], T0)).toEqual(OK);
    const both = [ralph, blocked("data", [], UNTIL + MINUTE_MS), blocked("data")];
    expect(pressureOn("ralph", both, T0)).toMatchObject({ ok: false, until: UNTIL });
    expect(pressureOn("ralph", [ralph, blocked("data"), { ...member("data"), alive: false }], T0).ok).toBe(false);
  });

  it("is held up when some are blocked and the others depend on who is", () => {
    const members = [member("ralph", ["data"]), blocked("data"), member("data", ["picard"]), member("picard")];
    expect(why("ralph", members)).toBe("ok");
    expect(pressureOn("ralph", [...members.slice(0, 3), blocked("picard", [], T0 + 5)], T0)).toEqual({
      ok: false,
      why: "ralph waits: it depends on data, data on picard; picard is blocked for another 5 ms",
      until: T0 + 5,
    });
  });

  it("may begin while one of them may", () => {
    const [held, free] = [member("ralph", ["data"]), member("ralph", ["scribe"])];
    expect(why("ralph", [held, free, blocked("data")])).toBe("ok");
    expect(why("ralph", [held, held, blocked("data")])).toBe(
      "ralph waits: data, which it depends on, is blocked for another 2 min",
    );
  });
});

describe("any squad", () => {
  const NAMES = ["a", "b", "c", "d", "e", "f"];
  const anyMember = fc.record({
    name: fc.constantFrom(...NAMES),
    dependsOn: fc.array(fc.constantFrom(...NAMES, "nobody"), { maxLength: 3 }),
    blockedUntil: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: T0 - 5, max: T0 + 20 })),
    breakerOpen: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
    light: fc.constantFrom<Light>("green", "green", "green", "amber", "red"),
    alive: fc.integer({ min: 0, max: 5 }).map((chance) => chance > 0),
  });
  const anySquad = fc.array(anyMember, { maxLength: 14 });

  /** The rule, word by word, until nothing changes: when each live member is free, were nothing else to happen. */
  function freeAt(agent: string, members: readonly PressureMember[]): number {
    const live = members.filter(({ alive }) => alive);
    const own = (of: PressureMember): number => {
      if (of.name === agent) return 0;
      if (of.blockedUntil > T0) return of.blockedUntil;
      return of.breakerOpen || of.light === "red" ? Number.POSITIVE_INFINITY : 0;
    };
    let free = live.map(() => 0);
    const ofName = (name: string): number => {
      const those = free.filter((_, index) => live[index]?.name === name);
      return those.length === 0 ? 0 : Math.min(...those);
    };
    for (let round = 0; round <= live.length; round++) {
      free = live.map((of) => Math.max(own(of), ...of.dependsOn.map((name) => (name === agent ? 0 : ofName(name)))));
    }
    return ofName(agent);
  }

  it("is judged by the rule: held up while all of a name are, until that is over", () => {
    let pressed = 0;
    fc.assert(
      fc.property(anySquad, fc.constantFrom(...NAMES), (members, agent) => {
        const pressure = pressureOn(agent, members, T0);
        const at = freeAt(agent, members);
        expect(pressure.ok).toBe(at <= T0);
        if (pressure.ok) return;
        pressed++;
        expect(pressure.until).toBe(Number.isFinite(at) ? at : undefined);
      }),
      { numRuns: 2_000 },
    );
    expect(pressed).toBeGreaterThan(100);
  });

  it("is judged alike in whatever order it is listed", () => {
    const shuffled = anySquad.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom(...NAMES), ([list, other], agent) => {
        const [one, two] = [pressureOn(agent, list, T0), pressureOn(agent, other, T0)];
        expect(one.ok).toBe(two.ok);
        if (!one.ok && !two.ok) expect(one.until).toBe(two.until);
      }),
      { numRuns: 500 },
    );
  });

  it("names a chain of which each depends on the next, and whose last is blocked", () => {
    fc.assert(
      fc.property(anySquad, fc.constantFrom(...NAMES), (members, agent) => {
        const pressure = pressureOn(agent, members, T0);
        if (pressure.ok) return;
        const live = members.filter(({ alive }) => alive);
        const deep = / (\w) on (\w)(?=[,;])/g;
        for (const [, from, to] of pressure.why.matchAll(deep)) {
          expect(live.some(({ name, dependsOn }) => name === from && dependsOn.includes(to ?? ""))).toBe(true);
        }
        const last = / (\w)(?:, which it depends on,)? (?:is|has) /.exec(pressure.why)?.[1];
        expect(
          live.some(
            ({ name, blockedUntil, breakerOpen, light }) =>
              name === last && (blockedUntil > T0 || breakerOpen || light === "red"),
          ),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
