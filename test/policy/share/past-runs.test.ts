import { describe, expect, it } from "vitest";
import type { Priority } from "../../../src/policy/light.js";
import type { PoolModelOptions, PoolStep } from "../../harness/pool-model.js";
import { followWithoutHiddenUse } from "./laws.js";

const MINUTE_MS = 60_000;

const exact: PoolModelOptions = {
  limit: 8,
  windowMs: MINUTE_MS,
  spenders: 2,
  unchangedEvery: 0,
  resetJitterMs: 0,
  clockErrorsMs: [0, 0, 0, 0],
  clockSkewsMs: [0, 0, 0, 0],
};

const call = (who: number, units: number): PoolStep => ({ kind: "call", who, priority: 0, units });
const rush = (who: number, calls: number, priority: Priority = 0): PoolStep => ({ kind: "rush", who, priority, calls });
const flow = (lost = 0, reversed = false): PoolStep => ({ kind: "flow", reversed, lost });
const pass = (ms: number): PoolStep => ({ kind: "pass", ms });
const report = (who: number): PoolStep => ({ kind: "report", who });
const send = (who: number): PoolStep => ({ kind: "send", who });
const reach: PoolStep = { kind: "reach", which: 0 };

/** Runs that chance found and that broke the law, shortened. Each is named after what was wrong. */
describe("a run that once had calls refused, or the cushion spent, without hidden use", () => {
  it.each<readonly [string, Partial<PoolModelOptions>, readonly PoolStep[]]>([
    [
      "seed 1006: who had no clock yet was sent into the new window with the old one's units, and was not counted there",
      {},
      [
        call(0, 3),
        rush(0, 2),
        reach,
        reach,
        call(0, 6),
        { kind: "answer", which: 1 },
        rush(1, 2),
        { kind: "carry-on", who: 0 },
        pass(29_000),
        rush(3, 2, 2),
        flow(1),
        rush(0, 2),
        reach,
        { kind: "carry-on", who: 0 },
      ],
    ],
    [
      "the same, while the other was already in the new window",
      { limit: 9, spenders: 3, clockSkewsMs: [0, 0, -11_104, 0] },
      [
        pass(80_000),
        rush(2, 2, 2),
        pass(1_307),
        { kind: "die", who: 0 },
        rush(0, 2, 2),
        flow(1, true),
        pass(9_000),
        rush(0, 2, 2),
        rush(2, 5),
        flow(),
      ],
    ],
    [
      "the same, with the clock right by chance",
      {},
      [
        pass(59_900),
        rush(0, 2),
        pass(100),
        flow(),
        pass(14_000),
        rush(1, 2),
        rush(0, 2),
        rush(0, 2),
        report(0),
        send(0),
        flow(),
      ],
    ],
    [
      "a slow clock that nobody had set took an old header for newer than a request that was never answered",
      { spenders: 4, clockSkewsMs: [0, 0, 0, -20_001] },
      [rush(0, 2, 1), rush(3, 2), flow(1, true), pass(10_000), rush(3, 2), rush(0, 2), rush(0, 2), flow()],
    ],
    [
      "the same, with a charge that nobody else had seen",
      { clockSkewsMs: [0, -21_001, 0, 0] },
      [call(3, 1), report(3), send(3), reach, pass(11_000), report(1), rush(0, 2, 1), rush(0, 2), rush(0, 2), flow()],
    ],
  ])("%s", (_, options, steps) => {
    expect(() => followWithoutHiddenUse({ ...exact, ...options }, steps)).not.toThrow();
  });
});
