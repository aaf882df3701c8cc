import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideLight, type Light, type LightQuestion, lightOf, type Priority } from "../../src/policy/light.js";
import { observe, type RateWindow, RESET_GUARD_MS, remaining } from "../../src/policy/window.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const RUNS = { numRuns: 10_000 };

function windowOf(used: number, limit = 5_000, resetAt = T0 + HOUR_MS): RateWindow {
  return observe(undefined, { limit, used, remaining: Math.max(0, limit - used), resetAt }, T0) as RateWindow;
}

function ask(overrides: Partial<LightQuestion> = {}): LightQuestion {
  return {
    resource: "core",
    window: windowOf(1),
    githubNow: T0,
    windowMs: HOUR_MS,
    reservedUnits: 0,
    costUnits: 1,
    priority: 1,
    emergency: false,
    mode: "fixed",
    amberBelow: 0.2,
    redBelow: 0.05,
    emergencyReserveUnits: 10,
    ...overrides,
  };
}

function why(question: LightQuestion): string {
  const decision = decideLight(question);
  return decision.kind === "wait" ? decision.why : "go";
}

function lightFor(question: LightQuestion): Light {
  return lightOf(question.window, question.githubNow, question, question.mode, question.reservedUnits);
}

const RANK: Readonly<Record<Light, number>> = { red: 0, amber: 1, green: 2 };

/** Evenly spread, unlike `fc.double`, which prefers numbers near 0. */
function share(min: number, max: number): fc.Arbitrary<number> {
  return fc.nat(10_000).map((part) => min + ((max - min) * part) / 10_000);
}

/** Any question about a window whose reset lies up to its whole length ahead. */
const anyQuestion: fc.Arbitrary<LightQuestion> = fc
  .record({
    limit: fc.constantFrom(1, 10, 30, 60, 400, 1_000, 5_000, 15_000),
    usedShare: fc.oneof(share(0, 1.1), share(0.9, 1)),
    leftShare: share(0, 1),
    reservedShare: fc.oneof(fc.constant(0), share(0, 0.5)),
    windowMs: fc.constantFrom(60_000, HOUR_MS),
    costUnits: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })),
    priority: fc.constantFrom<Priority>(0, 1, 2),
    emergency: fc.boolean(),
    mode: fc.constantFrom("fixed" as const, "glide" as const),
    bands: fc.tuple(share(0, 1), share(0, 0.3)),
    emergencyReserveUnits: fc.nat(50),
  })
  .map(({ limit, usedShare, leftShare, reservedShare, bands, ...rest }) =>
    ask({
      ...rest,
      window: windowOf(Math.round(limit * usedShare), limit, T0 + Math.round(leftShare * rest.windowMs)),
      reservedUnits: Math.round(limit * reservedShare),
      amberBelow: Math.max(...bands),
      redBelow: Math.min(...bands),
    }),
  );

describe("the fixed light", () => {
  it.each([
    [3_999, "green"],
    [4_000, "amber"],
    [4_750, "amber"],
    [4_751, "red"],
    [5_000, "red"],
    [5_006, "red"],
  ] as const)("with %d of 5000 used is %s", (used, light) => {
    expect(lightFor(ask({ window: windowOf(used) }))).toBe(light);
  });

  it("lets everybody pass on green, P0 on amber, and a P0 emergency on red", () => {
    const passing = [3_999, 4_000, 4_751].map((used) =>
      ([0, 1, 2] as const)
        .flatMap((priority) => [false, true].map((emergency) => ({ priority, emergency })))
        .filter((who) => decideLight(ask({ window: windowOf(used), ...who })).kind === "go")
        .map(({ priority, emergency }) => `P${priority}${emergency ? "!" : ""}`)
        .join(" "),
    );
    expect(passing).toEqual(["P0 P0! P1 P1! P2 P2!", "P0 P0!", "P0!"]);
  });

  it("counts what is in flight as spent", () => {
    expect(decideLight(ask({ window: windowOf(3_000), reservedUnits: 999 })).kind).toBe("go");
    expect(decideLight(ask({ window: windowOf(3_000), reservedUnits: 1_000 })).kind).toBe("wait");
  });

  it("keeps the last reserve from an emergency too, and makes it smaller for a small limit", () => {
    const emergency = { priority: 0, emergency: true } as const;
    expect(decideLight(ask({ ...emergency, window: windowOf(4_989) })).kind).toBe("go");
    expect(decideLight(ask({ ...emergency, window: windowOf(4_990) })).kind).toBe("wait");
    expect(decideLight(ask({ ...emergency, window: windowOf(29, 30) })).kind).toBe("go");
    expect(decideLight(ask({ ...emergency, window: windowOf(30, 30) })).kind).toBe("wait");
  });

  it("waits until a second after the reset, and passes then", () => {
    const question = ask({ window: windowOf(4_900) });
    expect(decideLight(question)).toMatchObject({ kind: "wait", untilAt: T0 + HOUR_MS + RESET_GUARD_MS });
    expect(decideLight({ ...question, githubNow: T0 + HOUR_MS + RESET_GUARD_MS }).kind).toBe("go");
  });
});

describe("the gliding light", () => {
  const glide = (used: number, leftMs: number, overrides: Partial<LightQuestion> = {}) =>
    ask({ mode: "glide", window: windowOf(used), githubNow: T0 + HOUR_MS - leftMs, ...overrides });

  it("starts with the published thresholds and ends without any", () => {
    expect(lightFor(glide(4_000, HOUR_MS))).toBe("amber");
    expect(lightFor(glide(4_000, HOUR_MS / 2))).toBe("green");
    expect(lightFor(glide(4_999, 500))).toBe("green");
    expect(decideLight(glide(4_999, 500, { priority: 2 })).kind).toBe("go");
  });

  it("stays green for demand that spends evenly", () => {
    for (let leftMs = HOUR_MS; leftMs > 0; leftMs -= 60_000) {
      expect(lightFor(glide(Math.ceil(5_000 * (1 - leftMs / HOUR_MS)), leftMs))).toBe("green");
    }
  });

  it("waits only until the thresholds have sunk far enough", () => {
    const decision = decideLight(glide(4_100, HOUR_MS));
    expect(decision).toMatchObject({ kind: "wait", untilAt: T0 + HOUR_MS / 10 + 1 });
  });

  it("lets the reserve sink with the red band, whoever asks", () => {
    const emergency = { priority: 0, emergency: true } as const;
    const decision = decideLight(glide(4_996, HOUR_MS, emergency));
    // 3 units would stay: the reserve is at most 3 once half the red band is below 4, at 8 of 250 parts of the window.
    expect(decision).toMatchObject({ kind: "wait", untilAt: T0 + HOUR_MS - (HOUR_MS * 8) / 250 + 1 });
    expect(decideLight(glide(4_990, HOUR_MS / 20, { priority: 0 })).kind).toBe("wait");
    expect(decideLight(glide(4_990, HOUR_MS / 20, emergency)).kind).toBe("go");
  });

  it("holds all of the reserve while the end of the window is not known", () => {
    const window = windowOf(0);
    expect(lightFor(glide(0, 60_000, { window, reservedUnits: 4_000 }))).toBe("amber");
    expect(decideLight(glide(0, 60_000, { window, reservedUnits: 3_999 })).kind).toBe("go");
  });
});

describe("without a window", () => {
  it("lets everything pass when no header was seen, as with limits switched off", () => {
    expect(decideLight(ask({ window: undefined, priority: 2, costUnits: 1e6 })).kind).toBe("go");
    expect(lightOf(undefined, T0, ask(), "glide")).toBe("green");
  });

  it("holds a burst after the reset to one limit, and asks again within a second", () => {
    const githubNow = T0 + HOUR_MS + RESET_GUARD_MS;
    const after = ask({ window: windowOf(5_000), githubNow });
    expect(decideLight({ ...after, reservedUnits: 3_999 }).kind).toBe("go");
    expect(decideLight({ ...after, reservedUnits: 4_000 })).toMatchObject({ kind: "wait", untilAt: githubNow + 1_000 });
  });
});

describe("the explanation", () => {
  it.each<[string, Partial<LightQuestion>]>([
    [
      "core: 212 of 5000 left (4 %), RED; resets in 11 min 20 s; P1 waits",
      { window: windowOf(4_788, 5_000, T0 + 680_000) },
    ],
    [
      "search: 6 of 30 left besides 2 in flight (20 %), AMBER; resets in 42 s; P2 waits",
      { resource: "search", window: windowOf(22, 30, T0 + 42_000), reservedUnits: 2, priority: 2 },
    ],
    [
      "graphql: 300 of 5000 left (6 %), AMBER; the call may cost 301 and the last 10 are kept; resets in 1 h; P0 waits",
      { resource: "graphql", window: windowOf(4_700), costUnits: 301, priority: 0 },
    ],
    [
      "core: 900 of 5000 left (18 %), AMBER; resets in 1 h; P1 waits 6 min 1 s",
      { window: windowOf(4_100), mode: "glide" },
    ],
    [
      "core: 0 of 5000 left besides 5000 in flight (0 %), RED; a new window, its end not known yet; P0 waits 1 s",
      { window: windowOf(0), reservedUnits: 5_000, priority: 0 },
    ],
  ])("%s", (text, overrides) => {
    expect(why(ask(overrides))).toBe(text);
  });

  it("is not made for a call that passes: every go is the same frozen value", () => {
    const go = decideLight(ask());
    expect(decideLight(ask({ priority: 0, window: undefined }))).toBe(go);
    expect(Object.isFrozen(go)).toBe(true);
  });
});

describe("any question", () => {
  it("never lets more pass than is left", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        if (decideLight(question).kind === "wait") return;
        const left = (remaining(question.window, question.githubNow) ?? 0) - question.reservedUnits;
        expect(left).toBeGreaterThanOrEqual(question.costUnits);
      }),
      RUNS,
    );
  });

  it("holds a whole burst to the limit", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const left = (remaining(question.window, question.githubNow) ?? 0) - question.reservedUnits;
        const most = Math.min(left, 400);
        let reservedUnits = question.reservedUnits;
        for (let calls = 0; calls <= most; calls++) {
          if (decideLight({ ...question, costUnits: 1, reservedUnits }).kind === "wait") break;
          reservedUnits++;
        }
        expect(reservedUnits - question.reservedUnits).toBeLessThanOrEqual(Math.max(0, left));
      }),
      { numRuns: 1_000 },
    );
  });

  it("favours the more urgent call, the cheaper call and the fuller window", () => {
    const go = (question: LightQuestion): number => (decideLight(question).kind === "go" ? 1 : 0);
    fc.assert(
      fc.property(anyQuestion, fc.nat(100), (question, more) => {
        const { window, priority, reservedUnits, costUnits } = question;
        const fuller: LightQuestion = {
          ...question,
          window: { ...(window as RateWindow), used: Math.max(1, (window?.used ?? 0) - more) },
        };
        const was = go(question);
        if (priority > 0) expect(go({ ...question, priority: (priority - 1) as Priority })).toBeGreaterThanOrEqual(was);
        expect(go({ ...question, emergency: true })).toBeGreaterThanOrEqual(was);
        expect(go({ ...question, costUnits: Math.max(1, costUnits - more) })).toBeGreaterThanOrEqual(was);
        expect(go({ ...question, reservedUnits: Math.max(0, reservedUnits - more) })).toBeGreaterThanOrEqual(was);
        if (window?.provisional === false) {
          expect(go(fuller)).toBeGreaterThanOrEqual(was);
          expect(RANK[lightFor(fuller)]).toBeGreaterThanOrEqual(RANK[lightFor(question)]);
        }
      }),
      RUNS,
    );
  });

  it("glides between no threshold and the fixed one: never stricter than fixed, never stricter later", () => {
    fc.assert(
      fc.property(anyQuestion, fc.nat(HOUR_MS), (question, laterMs) => {
        const gliding: LightQuestion = { ...question, mode: "glide" };
        const now = RANK[lightFor(gliding)];
        expect(now).toBeGreaterThanOrEqual(RANK[lightFor({ ...question, mode: "fixed" })]);
        expect(RANK[lightFor({ ...gliding, githubNow: T0 + laterMs })]).toBeGreaterThanOrEqual(
          laterMs < (question.window?.resetAt ?? 0) + RESET_GUARD_MS - T0 ? now : 0,
        );
      }),
      RUNS,
    );
  });

  it("names the first moment at which the answer changes by time alone", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const { window } = question;
        const decision = decideLight(question);
        if (decision.kind === "go" || window === undefined) return;
        expect(decision.untilAt).toBeGreaterThan(question.githubNow);
        const overAt = window.resetAt + RESET_GUARD_MS;
        if (window.provisional) return;
        expect(decision.untilAt).toBeLessThanOrEqual(overAt);
        // A call that costs more than a full window grants passes never.
        const then = decideLight({ ...question, githubNow: decision.untilAt });
        if (decision.untilAt < overAt) expect(then.kind).toBe("go");
        if (decision.untilAt > question.githubNow + 3) {
          expect(decideLight({ ...question, githubNow: decision.untilAt - 3 }).kind).toBe("wait");
        }
      }),
      RUNS,
    );
  });
});
