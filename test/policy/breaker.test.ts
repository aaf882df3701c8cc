import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BreakerEvent,
  type BreakerQuestion,
  type BreakerState,
  breakerAt,
  CLOSED,
  decideBreaker,
  type SeenPace,
  stepBreaker,
} from "../../src/policy/breaker.js";
import { addSample, forecast, type UsageSamples } from "../../src/policy/forecast.js";
import type { Priority } from "../../src/policy/light.js";

const T0 = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const RESET = T0 + HOUR_MS;
const COOLDOWN_MS = 30_000;
const RUNS = { numRuns: 500 };

/** 1,900 units that last so many seconds. */
function lasting(seconds: number, overrides: Partial<SeenPace> = {}): BreakerEvent {
  const pace = { resetAt: RESET, windowMs: HOUR_MS, limit: 5_000, remainingUnits: 1_900, ...overrides };
  const unitsPerMinute = (pace.remainingUnits * 60) / seconds;
  return { kind: "seen", pace: { forecast: { unitsPerMinute, exhaustedInMs: seconds * 1_000 }, ...pace } };
}

/** The same pace with nothing to say about the future. */
function unforeseen(overrides: Partial<SeenPace> = {}): BreakerEvent {
  return lasting(1, { forecast: undefined, ...overrides });
}

function ended(how: "answered" | "refused" | "unanswered", probe = T0): BreakerEvent {
  return { kind: "probe-ended", probe, how };
}

function sent(probe = T0): BreakerEvent {
  return { kind: "probe-sent", probe };
}

/** Goes through events, each so many seconds after T0. */
function play(events: readonly (readonly [number, BreakerEvent])[], from: BreakerState = CLOSED): BreakerState {
  return events.reduce((state, [seconds, event]) => stepBreaker(state, event, T0 + seconds * 1_000), from);
}

function kindAt(state: BreakerState, seconds: number): BreakerState["kind"] {
  return breakerAt(state, T0 + seconds * 1_000).kind;
}

function ask(state: BreakerState, seconds: number, overrides: Partial<BreakerQuestion> = {}): BreakerQuestion {
  return { resource: "core", state, priority: 1, gates: true, now: T0 + seconds * 1_000, ...overrides };
}

const OPEN = play([[0, lasting(95)]]);

describe("a breaker opens", () => {
  it("when the window will be used up before its reset and within two minutes", () => {
    expect(kindAt(play([[0, lasting(120)]]), 0)).toBe("open");
    expect(kindAt(play([[0, lasting(121)]]), 0)).toBe("closed");
  });

  it("within a thirtieth of a window that is shorter than an hour", () => {
    const search = { windowMs: MINUTE_MS, resetAt: T0 + MINUTE_MS, limit: 30 };
    expect(kindAt(play([[0, lasting(2, search)]]), 0)).toBe("open");
    expect(kindAt(play([[0, lasting(2.1, search)]]), 0)).toBe("closed");
  });

  it("not when the reset comes first", () => {
    expect(kindAt(play([[0, lasting(95, { resetAt: T0 + 95_000 })]]), 0)).toBe("closed");
    expect(kindAt(play([[0, lasting(95, { resetAt: T0 + 95_001 })]]), 0)).toBe("open");
  });

  it("not without a forecast", () => {
    expect(kindAt(play([[0, unforeseen()]]), 0)).toBe("closed");
  });

  it("not for a window that is over, or whose reset is so near that it may be", () => {
    expect(kindAt(play([[0, lasting(0, { resetAt: T0 - 1 })]]), 0)).toBe("closed");
    expect(kindAt(play([[0, lasting(0, { resetAt: T0 + 2_000 })]]), 0)).toBe("closed");
  });
});

describe("an open breaker", () => {
  it("lets P0 pass and holds the others until its cooldown is over", () => {
    expect(decideBreaker(ask(OPEN, 1, { priority: 0 }))).toEqual({ kind: "go", probe: undefined });
    for (const priority of [1, 2] as const) {
      expect(decideBreaker(ask(OPEN, 1, { priority }))).toMatchObject({ kind: "wait", untilAt: T0 + COOLDOWN_MS });
    }
    expect(decideBreaker(ask(OPEN, 30)).kind).toBe("go");
  });

  it("holds nobody back when it does not gate", () => {
    expect(decideBreaker(ask(OPEN, 1, { priority: 2, gates: false }))).toEqual({ kind: "go", probe: undefined });
  });

  it("keeps its cooldown whatever is seen meanwhile, and explains itself by the newest prospect", () => {
    const later = play([[10, lasting(40)]], OPEN);
    expect(later).toMatchObject({ kind: "open", openedAt: T0, halfOpenAt: T0 + COOLDOWN_MS });
    expect(decideBreaker(ask(later, 10))).toMatchObject({ why: expect.stringContaining("last 40 s") });
    expect(play([[10, lasting(500)]], OPEN)).toEqual(OPEN);
  });

  it("explains itself in numbers", () => {
    const brisk = { unitsPerMinute: 141.6, exhaustedInMs: 89_500 };
    const state = play([[0, lasting(1, { remainingUnits: 212, resetAt: T0 + 690_000, forecast: brisk })]]);
    expect(decideBreaker(ask(state, 10))).toEqual({
      kind: "wait",
      untilAt: T0 + COOLDOWN_MS,
      why: "core: at 142 units/min the remaining 212 of 5000 last 1 min 30 s, the reset is in 11 min 20 s; breaker open, P1 waits 20 s",
    });
    const slow = { unitsPerMinute: 0.5, exhaustedInMs: 0 };
    const spent = play([[0, lasting(1, { remainingUnits: -1, forecast: slow, limit: 15 })]]);
    const probing = play([[30, sent()]], spent);
    expect(decideBreaker(ask(probing, 40, { priority: 2 }))).toEqual({
      kind: "wait",
      untilAt: T0 + 41_000,
      why: "core: at 0.5 units/min the remaining 0 of 15 last 0 s, the reset is in 59 min 20 s; breaker half-open, a probe is under way, P2 waits 1 s",
    });
  });
});

describe("a half-open breaker", () => {
  it("lets one probe pass at a time, whoever comes first, and P0 besides", () => {
    expect(decideBreaker(ask(OPEN, 30, { priority: 2 }))).toEqual({ kind: "go", probe: T0 });
    expect(decideBreaker(ask(OPEN, 30, { priority: 0 }))).toEqual({ kind: "go", probe: T0 });
    const probing = play([[30, sent()]], OPEN);
    expect(decideBreaker(ask(probing, 31)).kind).toBe("wait");
    expect(decideBreaker(ask(probing, 31, { priority: 0 }))).toEqual({ kind: "go", probe: undefined });
    expect(decideBreaker(ask(probing, 31, { gates: false }))).toEqual({ kind: "go", probe: undefined });
    expect(decideBreaker(ask(play([[31, ended("answered")]], probing), 32))).toEqual({ kind: "go", probe: T0 });
  });

  it("has its probe also when it gates nobody, so that it closes by what they find", () => {
    expect(decideBreaker(ask(OPEN, 30, { gates: false }))).toEqual({ kind: "go", probe: T0 });
  });

  it("closes after two that were answered", () => {
    const once = play(
      [
        [30, sent()],
        [31, ended("answered")],
      ],
      OPEN,
    );
    expect(kindAt(once, 31)).toBe("half-open");
    const twice = play(
      [
        [31, sent()],
        [32, ended("answered")],
      ],
      once,
    );
    expect(twice.kind).toBe("closed");
  });

  it("opens again, for a whole cooldown, when a probe is refused", () => {
    const refused = play(
      [
        [30, sent()],
        [31, ended("refused")],
      ],
      OPEN,
    );
    expect(refused).toMatchObject({ kind: "open", openedAt: T0 + 31_000, halfOpenAt: T0 + 61_000 });
  });

  it("opens again when any answer shows the same prospect, and forgets the successes", () => {
    const again = play(
      [
        [30, sent()],
        [31, ended("answered")],
        [32, lasting(60)],
        [62, sent(T0 + 32_000)],
        [63, ended("answered", T0 + 32_000)],
      ],
      OPEN,
    );
    expect(breakerAt(again, T0 + 63_000)).toMatchObject({ kind: "half-open", successes: 1, openedAt: T0 + 32_000 });
  });

  it("learns nothing from a probe that was not answered, and sends another", () => {
    const lost = play(
      [
        [30, sent()],
        [31, ended("unanswered")],
      ],
      OPEN,
    );
    expect(lost).toMatchObject({ kind: "half-open", probing: false, successes: 0 });
  });

  it("does not hear a probe that was sent before it opened again", () => {
    const again = play(
      [
        [30, sent()],
        [31, lasting(60)],
      ],
      OPEN,
    );
    const late = play(
      [
        [61, sent(T0 + 31_000)],
        [62, ended("answered", T0)],
      ],
      again,
    );
    expect(late).toMatchObject({ kind: "half-open", probing: true, successes: 0 });
  });
});

describe("a reset", () => {
  it("closes an open and a half-open breaker, also before the cooldown is over", () => {
    const late = play([[3_590, lasting(5)]]);
    expect(kindAt(late, 3_599)).toBe("open");
    expect(kindAt(late, 3_600)).toBe("closed");
    expect(decideBreaker(ask(late, 3_595))).toMatchObject({ kind: "wait", untilAt: RESET });
    const probing = play([[30, sent()]], OPEN);
    expect(kindAt(probing, 3_599)).toBe("half-open");
    expect(decideBreaker(ask(probing, 3_599.5))).toMatchObject({ kind: "wait", untilAt: RESET });
    expect(kindAt(probing, 3_600)).toBe("closed");
  });

  it("is where the first answer said, however later ones jitter", () => {
    expect(play([[10, lasting(40, { resetAt: RESET + 2_000 })]], OPEN)).toMatchObject({ trip: { resetAt: RESET } });
  });

  it("is seen in an answer from a later window, too, and that window's own prospect counts", () => {
    const next = { resetAt: RESET + HOUR_MS };
    expect(kindAt(play([[10, unforeseen(next)]], OPEN), 10)).toBe("closed");
    expect(play([[10, lasting(60, next)]], OPEN)).toMatchObject({ kind: "open", openedAt: T0 + 10_000, trip: next });
  });

  it("is not undone by late answers of the window that is over, however their resets jitter", () => {
    const closed = play([[3_600, unforeseen()]], play([[3_000, lasting(60)]]));
    expect(kindAt(play([[3_600, lasting(0.5, { resetAt: RESET + 2_000 })]], closed), 3_600)).toBe("closed");
    const other = play([[3_700, lasting(60, { resetAt: RESET + HOUR_MS })]]);
    expect(play([[3_701, lasting(5)]], other)).toBe(other);
  });

  it("of one credential that alternates between two windows is the later one's", () => {
    const later = play([[10, unforeseen({ resetAt: RESET + MINUTE_MS })]], OPEN);
    expect(play([[11, lasting(60)]], later)).toBe(later);
    const closed = play(
      [
        [30, sent()],
        [31, ended("answered")],
        [32, ended("answered")],
      ],
      OPEN,
    );
    expect(play([[33, lasting(60, { resetAt: RESET - MINUTE_MS })]], closed)).toBe(closed);
  });
});

describe("whatever is seen, sent and answered", () => {
  const pace = fc.record({
    resetAt: fc.constantFrom(-1_000, 0, 1_000, 2_000, HOUR_MS).map((ms) => RESET + ms),
    seconds: fc.constantFrom(0, 1, 50, 119, 121, 1_000),
  });
  const event: fc.Arbitrary<BreakerEvent | "use"> = fc.oneof(
    pace.map(({ resetAt, seconds }) => lasting(seconds, { resetAt })),
    fc.constant(unforeseen()),
    fc.constant("use" as const),
    fc.constantFrom("answered", "refused", "unanswered").map((how) => ended(how)),
  );
  const steps = fc.array(fc.record({ afterMs: fc.oneof(fc.nat(2_000), fc.nat(90_000)), event }), {
    minLength: 10,
    maxLength: 80,
  });

  /** Probes as a caller would: takes one when it is offered, and ends the one that is under way. */
  function walk(
    list: readonly { readonly afterMs: number; readonly event: BreakerEvent | "use" }[],
    look: (before: BreakerState, after: BreakerState, now: number) => void,
  ): void {
    let state: BreakerState = CLOSED;
    let now = RESET - 10 * MINUTE_MS;
    let probe = 0;
    for (const { afterMs, event } of list) {
      now += afterMs;
      const before = breakerAt(state, now);
      if (event === "use") {
        const decision = decideBreaker({ resource: "core", state, priority: 2, gates: true, now });
        if (decision.kind === "go" && decision.probe !== undefined) {
          probe = decision.probe;
          state = stepBreaker(state, sent(probe), now);
        }
      } else {
        state = stepBreaker(state, event.kind === "probe-ended" ? { ...event, probe } : event, now);
      }
      look(before, breakerAt(state, now), now);
    }
  }

  it("it is never open past its reset", () => {
    fc.assert(
      fc.property(steps, fc.nat(HOUR_MS), (list, laterMs) => {
        walk(list, (_, after, now) => {
          if (after.kind === "closed") return;
          expect(now).toBeLessThan(after.trip.resetAt);
          expect(breakerAt(after, after.trip.resetAt + laterMs).kind).toBe("closed");
        });
      }),
      RUNS,
    );
  });

  it("it opens at most once per cooldown within a window", () => {
    let opened = 0;
    fc.assert(
      fc.property(steps, (list) => {
        const last = { at: Number.NEGATIVE_INFINITY, resetAt: 0 };
        walk(list, (before, after, now) => {
          if (after.kind !== "open" || (before.kind === "open" && before.openedAt === after.openedAt)) return;
          opened++;
          if (after.trip.resetAt <= last.resetAt + 2_000) expect(now - last.at).toBeGreaterThanOrEqual(COOLDOWN_MS);
          Object.assign(last, { at: now, resetAt: after.trip.resetAt });
        });
      }),
      RUNS,
    );
    expect(opened).toBeGreaterThan(RUNS.numRuns / 2);
  });

  it("who passes does not pass less for being more urgent, and who waits is told when to ask again", () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (list, gates) => {
        walk(list, (_, state, now) => {
          const told = ([0, 1, 2] as const).map((priority: Priority) =>
            decideBreaker({ resource: "core", state, priority, gates, now }),
          );
          expect(told[0]?.kind).toBe("go");
          if (told[2]?.kind === "go") expect(told[1]?.kind).toBe("go");
          if (!gates) expect(told[2]?.kind).toBe("go");
          for (const decision of told) {
            if (decision.kind === "go") continue;
            expect(decision.untilAt).toBeGreaterThan(now);
            if (state.kind !== "open") continue;
            const question = { resource: "core", state, priority: 2 as const, gates };
            expect(decideBreaker({ ...question, now: decision.untilAt - 1 }).kind).toBe("wait");
            expect(decideBreaker({ ...question, now: decision.untilAt }).kind).toBe("go");
          }
        });
      }),
      RUNS,
    );
  });
});

describe("a process that would use its window up in four minutes", () => {
  /** When P1's demand of 20 a second has used up 5,000 an hour, in minutes; P0 calls every ten seconds besides. */
  function exhaustedAfter(gates: boolean): number {
    let used = 0;
    let samples: UsageSamples | undefined;
    let state: BreakerState = CLOSED;
    const call = (priority: Priority, now: number): void => {
      const decision = decideBreaker({ resource: "core", state, priority, gates, now });
      if (decision.kind === "wait") return;
      const probe = decision.probe ?? 0;
      state = stepBreaker(state, sent(probe), now);
      const remainingUnits = 5_000 - ++used;
      samples = addSample(samples, { at: now, used, resetAt: RESET }, HOUR_MS);
      const told = forecast(samples, remainingUnits, now);
      state = stepBreaker(state, unforeseen({ remainingUnits, forecast: told }), now);
      state = stepBreaker(state, ended("answered", probe), now);
    };
    for (let ms = 0; ms < HOUR_MS; ms += 50) {
      if (ms % 10_000 === 0) call(0, T0 + ms);
      call(1, T0 + ms);
      if (used >= 5_000) return ms / MINUTE_MS;
    }
    return 60;
  }

  it("spends what is left at a falling pace, and lasts five times as long", () => {
    expect(exhaustedAfter(false)).toBeCloseTo(4.1, 1);
    expect(exhaustedAfter(true)).toBeGreaterThan(20);
  });
});
