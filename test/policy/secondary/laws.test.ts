import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SecondaryLimits } from "../../../src/policy/secondary/limits.js";
import {
  type LimitParts,
  type SecondaryCall,
  type SecondaryScope,
  SecondaryUse,
  WHOLE,
} from "../../../src/policy/secondary.js";

// Limits that a few dozen calls reach, so that each of them is met in many ways.
const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** What a minute and an hour are at most longer than GitHub's: a bucket's leeway, and the bucket that is leaving. */
const MINUTE_SLACK_MS = 2_000;
const HOUR_SLACK_MS = 60_000;

const limits: fc.Arbitrary<SecondaryLimits> = fc.record({
  concurrent: fc.integer({ min: 1, max: 6 }),
  pointsPerMinute: fc.integer({ min: 5, max: 30 }),
  graphqlPointsPerMinute: fc.integer({ min: 5, max: 40 }),
  contentPerMinute: fc.integer({ min: 1, max: 5 }),
  contentPerHour: fc.integer({ min: 1, max: 10 }),
  responseMsPerMinute: fc.integer({ min: 500, max: 20_000 }),
  graphqlResponseMsPerMinute: fc.integer({ min: 500, max: 20_000 }),
});

const call: fc.Arbitrary<SecondaryCall> = fc.record({
  api: fc.constantFrom("rest", "rest", "graphql"),
  endpoint: fc.constantFrom("GET /a", "POST /a", "GET /b"),
  points: fc.constantFrom(1, 1, 5),
  createsContent: fc.boolean(),
});

interface Step {
  readonly afterMs: number;
  readonly call: SecondaryCall;
  readonly tookMs: number;
  /** What happens first to a call that is under way. */
  readonly first: "end" | "undo" | "nothing";
  readonly which: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.oneof(
    { weight: 8, arbitrary: fc.nat(3_000) },
    { weight: 3, arbitrary: fc.constantFrom(0, 1, 999, 1_000, 59_999, 60_000, 60_001, 61_999, 62_000) },
    { weight: 1, arbitrary: fc.nat(HOUR_MS) },
    { weight: 1, arbitrary: fc.integer({ min: -1_500, max: 0 }) },
  ),
  call,
  tookMs: fc.nat(4_000),
  first: fc.constantFrom("end", "end", "end", "undo", "nothing"),
  which: fc.nat(),
});
const steps = fc.array(step, { maxLength: 150 });

function alone(limits: SecondaryLimits): SecondaryScope {
  return { limits, parts: WHOLE, divided: false, concurrent: limits.concurrent, content: true, factor: 1 };
}

/** The same part of everything that processes divide. */
function partsOf(part: number): LimitParts {
  return { points: part, graphqlPoints: part, responseMs: part, graphqlResponseMs: part };
}

interface Timed {
  readonly at: number;
  readonly call: SecondaryCall;
}

/** Every call and every answer with its time, and sums over all of them. */
class Ledger {
  sent: Timed[] = [];
  answers: (Timed & { readonly tookMs: number })[] = [];
  underWay: Timed[] = [];

  /** Each limit by name: what is used within its window and `slack` before it, and what the limit is. */
  use(
    next: SecondaryCall,
    limits: SecondaryLimits,
    now: number,
    slack: 0 | 1,
    expectedMs: (api: SecondaryCall["api"]) => number = () => 0,
  ): [string, number, number][] {
    const minute = now - MINUTE_MS - slack * MINUTE_SLACK_MS;
    const hour = now - HOUR_MS - slack * HOUR_SLACK_MS;
    const points = (since: number, of: (one: SecondaryCall) => boolean): number =>
      this.sent.reduce((sum, one) => (one.at >= since && of(one.call) ? sum + one.call.points : sum), 0);
    const content = (since: number): number =>
      this.sent.filter((one) => one.at >= since && one.call.createsContent).length;
    const tookMs = (of: (one: SecondaryCall) => boolean): number =>
      this.answers.reduce((sum, one) => (one.at >= minute && of(one.call) ? sum + one.tookMs : sum), 0);
    const graphql = (one: SecondaryCall): boolean => one.api === "graphql";
    const underWayMs = (api: SecondaryCall["api"]): number =>
      Math.ceil(this.underWay.filter(({ call }) => call.api === api).length * expectedMs(api));
    const half = Math.max(1, Math.ceil(expectedMs(next.api) / 2));
    const endpoint = (one: SecondaryCall): boolean => one.api === "rest" && one.endpoint === next.endpoint;
    const used: [string, number, number][] = [
      ["concurrent", this.underWay.length + 1, limits.concurrent],
      [
        "response-time",
        tookMs(() => true) + underWayMs("rest") + underWayMs("graphql") + half,
        Math.max(half, limits.responseMsPerMinute),
      ],
    ];
    if (next.api === "graphql") {
      used.push(["graphql-points", points(minute, graphql) + next.points, limits.graphqlPointsPerMinute]);
      const queriesMs = tookMs(graphql) + underWayMs("graphql") + half;
      used.push(["graphql-response-time", queriesMs, Math.max(half, limits.graphqlResponseMsPerMinute)]);
    } else {
      used.push(["points", points(minute, endpoint) + next.points, limits.pointsPerMinute]);
    }
    if (next.createsContent) {
      used.push(["content-minute", content(minute) + 1, limits.contentPerMinute]);
      used.push(["content-hour", content(hour) + 1, limits.contentPerHour]);
    }
    return used;
  }
}

/** Lets what the step says happen to a call under way, in the ledger and in the model. */
function finish(use: SecondaryUse, ledger: Ledger, { first, which, tookMs }: Step, now: number): void {
  const done = first === "nothing" ? undefined : ledger.underWay[which % Math.max(1, ledger.underWay.length)];
  if (done === undefined) return;
  ledger.underWay = ledger.underWay.filter((one) => one !== done);
  if (first === "undo") {
    ledger.sent = ledger.sent.filter((one) => one !== done);
    use.undo(done.call, done.at);
  } else {
    ledger.answers.push({ at: now, call: done.call, tookMs });
    use.end(done.call, tookMs, now);
  }
}

/** Plays steps with one scope, and has each word on the next call looked at. */
function play(
  steps: readonly Step[],
  scope: SecondaryScope,
  look: (use: SecondaryUse, next: SecondaryCall, now: number, ledger: Ledger) => void = () => {},
): { readonly use: SecondaryUse; readonly ledger: Ledger; readonly now: number } {
  const use = new SecondaryUse();
  const ledger = new Ledger();
  let now = T0;
  for (const step of steps) {
    now += step.afterMs;
    finish(use, ledger, step, now);
    look(use, step.call, now, ledger);
    if (use.decide(step.call, scope, now).kind === "wait") continue;
    use.begin(step.call, now);
    const sent = { at: now, call: step.call };
    ledger.sent.push(sent);
    ledger.underWay.push(sent);
  }
  return { use, ledger, now };
}

describe("the secondary limits of a process", () => {
  it("are exceeded in no window, and no call waits that had room with the slack", () => {
    fc.assert(
      fc.property(limits, steps, (limits, steps) => {
        const scope = alone(limits);
        play(steps, scope, (use, next, now, ledger) => {
          const word = use.decide(next, scope, now);
          if (word.kind === "go") {
            for (const [name, used, most] of ledger.use(next, limits, now, 0)) {
              if (used > most) expect.fail(`${name}: ${used} of ${most}`);
            }
          } else {
            const expectedMs = (api: SecondaryCall["api"]) => use.expectedMs(api);
            const full = ledger.use(next, limits, now, 1, expectedMs).filter(([, used, most]) => used > most);
            expect(full.map(([name]) => name)).toContain(word.limit);
          }
        });
      }),
      { numRuns: 1_500 },
    );
  });

  it("let a call go at the moment that it was told, and not a millisecond sooner, if nothing else happens", () => {
    fc.assert(
      fc.property(limits, steps, call, (limits, steps, next) => {
        const scope = alone(limits);
        const { use, ledger, now } = play(steps, scope);
        for (const { at, call } of ledger.underWay) use.end(call, 0, at);
        const word = use.decide(next, scope, now);
        fc.pre(word.kind === "wait");
        expect(word.untilAt).toBeGreaterThan(now);
        expect(use.decide(next, scope, word.untilAt - 1).kind).toBe("wait");
        expect(use.decide(next, scope, word.untilAt).kind).toBe("go");
      }),
      { numRuns: 1_500 },
    );
  });

  it("allow with a greater share, or less tightened, whatever they allow with a smaller one", () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(limits, steps, part, part, part, part, (limits, steps, a, b, c, d) => {
        const less = { ...alone(limits), parts: partsOf(Math.min(a, b)), factor: Math.min(c, d) };
        const more = { ...alone(limits), parts: partsOf(Math.max(a, b)), factor: Math.max(c, d) };
        play(steps, less, (use, next, now) => {
          if (use.decide(next, less, now).kind === "go") expect(use.decide(next, more, now).kind).toBe("go");
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it("admit no fewer of the same calls to an endpoint with a greater share", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const times = fc.array(fc.nat(4_000), { maxLength: 150 });
    fc.assert(
      fc.property(limits, times, share, share, (limits, times, a, b) => {
        const next: SecondaryCall = { api: "rest", endpoint: "GET /a", points: 1, createsContent: false };
        const calls = times.map((afterMs): Step => ({ afterMs, call: next, tookMs: 0, first: "end", which: 0 }));
        const admitted = (share: number): number =>
          play(calls, { ...alone(limits), parts: partsOf(share) }).ledger.sent.length;
        expect(admitted(Math.max(a, b))).toBeGreaterThanOrEqual(admitted(Math.min(a, b)));
      }),
      { numRuns: 500 },
    );
  });

  it("are never of more calls at once than there are slots, also when slots come and go", () => {
    const slots = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(limits, steps, slots, (limits, steps, slots) => {
        const use = new SecondaryUse();
        const ledger = new Ledger();
        let now = T0;
        steps.forEach((step, index) => {
          now += step.afterMs;
          finish(use, ledger, step, now);
          expect(use.underWay).toBe(ledger.underWay.length);
          const concurrent = slots[index % slots.length] ?? 1;
          if (use.decide(step.call, { ...alone(limits), concurrent }, now).kind === "wait") return;
          expect(ledger.underWay.length).toBeLessThan(concurrent);
          use.begin(step.call, now);
          const sent = { at: now, call: step.call };
          ledger.sent.push(sent);
          ledger.underWay.push(sent);
        });
      }),
      { numRuns: 500 },
    );
  });

  it("are as if a call had never been, once it is undone", () => {
    fc.assert(
      fc.property(limits, steps, fc.nat(149), call, fc.nat(90_000), (limits, steps, at, extra, undoneAfterMs) => {
        const scope = alone(limits);
        const [use, twin] = [new SecondaryUse(), new SecondaryUse()];
        let now = T0;
        let begunAt: number | undefined;
        let undone = false;
        steps.forEach((step, index) => {
          now += Math.max(0, step.afterMs);
          if (index === at) {
            use.begin(extra, now);
            begunAt = now;
          }
          if (begunAt !== undefined && !undone && now - begunAt >= undoneAfterMs) {
            use.undo(extra, begunAt);
            undone = true;
          }
          if (begunAt === undefined || undone) {
            expect(use.decide(step.call, scope, now)).toEqual(twin.decide(step.call, scope, now));
            expect(use.pressure(scope, now)).toEqual(twin.pressure(scope, now));
          }
          for (const either of [use, twin]) {
            either.begin(step.call, now);
            if (step.first === "end") either.end(step.call, step.tookMs, now);
          }
        });
      }),
      { numRuns: 500 },
    );
  });
});
