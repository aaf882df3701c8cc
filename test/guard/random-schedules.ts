import fc from "fast-check";
import { sleep } from "../../src/clock.js";
import type { Guarded } from "../../src/guard.js";
import { openStore } from "../../src/store/open-store.js";
import { createUnreliableStore, type StoreMood } from "../differential/unreliable-store.js";
import type { StubAnswer } from "../harness/stub-github.js";
import { type Guarding, guardBench, PULLS, PULLS_PATH, REPOSITORY } from "./guard-bench.js";

const MOODS: readonly StoreMood[] = ["well", "slow", "throws", "hangs"];

/** One thing that happens; `faults` are left out of schedules without them. */
type Step =
  | { readonly kind: "change" }
  | { readonly kind: "call"; readonly squad: number; readonly maxAgeMs: number; readonly waitMs: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "abort" }
  | { readonly kind: "reads fail"; readonly forMs: number }
  | { readonly kind: "produce fails" }
  | { readonly kind: "produce hangs" }
  | { readonly kind: "close"; readonly squad: number }
  | { readonly kind: "store"; readonly mood: StoreMood };

/** How long everything takes, in order, again and again. */
interface Pace {
  readonly readMs: readonly number[];
  readonly produceMs: readonly number[];
}

export interface Schedule extends Pace {
  readonly steps: readonly Step[];
  readonly squads: number;
  /** All calls come from squads without a store. */
  readonly isLocal: boolean;
}

/** What `produce` makes: what GitHub's state was when it began, and when it ended. */
interface Made {
  readonly began: number;
  readonly endedAt: number;
}

/** A call and what is known of it. */
export interface Played {
  readonly asked: Extract<Step, { kind: "call" }>;
  /** The state that its latest completed read saw; undefined when that read failed. */
  saw: number | undefined;
  /** For each of its productions, the state that its reads had seen; undefined: they had failed. */
  readonly produced: (number | undefined)[];
  end:
    | { readonly ok: true; readonly outcome: Guarded<Made>; readonly atMs: number }
    | { readonly ok: false; readonly error: unknown }
    | undefined;
}

/** There and back. */
export const LONGEST_READ_MS = 600;

/** Plays a schedule to its end. */
export async function play({ steps, squads, isLocal, ...pace }: Schedule): Promise<readonly Played[]> {
  const bench = guardBench();
  const { clock, github } = bench;
  const store = isLocal ? undefined : createUnreliableStore(clock, () => undefined);
  // An adapter that is atomic, unless it is to fail.
  const isFaulty = steps.some(({ kind }) => kind === "store");
  const shared = store === undefined ? undefined : isFaulty ? store : await openStore("memory:", { clock });
  const next = paceOf(pace);
  let version = 0;
  let readsFailUntil = 0;
  let isHanging = false;
  let isFailing = false;
  github.route(PULLS_PATH, async (): Promise<StubAnswer> => {
    await sleep(clock, next.readMs());
    if (clock.monotonic() < readsFailUntil) return { status: 502 };
    const json = [{ title: `version ${version}` }];
    await sleep(clock, next.readMs());
    return { json };
  });

  const played: Played[] = [];
  const guardings: Guarding[] = Array.from({ length: squads }, () => {
    const guarding = bench.guarding(shared === undefined ? {} : { store: shared });
    watchReads(guarding, played);
    return guarding;
  });
  const aborts: AbortController[] = [];
  const ends: Promise<void>[] = [];

  const call = (asked: Played["asked"]): void => {
    const mine: Played = { asked, saw: undefined, produced: [], end: undefined };
    const number = played.push(mine) - 1;
    const abort = new AbortController();
    aborts.push(abort);
    const { guard } = guardings[asked.squad % squads] as Guarding;
    const headers = { "user-agent": `call ${number}` };
    const produce = async (): Promise<Made> => {
      mine.produced.push(mine.saw);
      const began = version;
      if (isHanging) {
        isHanging = false;
        return new Promise(() => undefined);
      }
      const fails = isFailing;
      isFailing = false;
      await sleep(clock, next.produceMs());
      if (fails) throw new Error("produce fails");
      return { began, endedAt: clock.monotonic() };
    };
    const { maxAgeMs, waitMs } = asked;
    const params = { ...REPOSITORY, headers, request: { signal: abort.signal } };
    ends.push(
      guard(PULLS, params, produce, { maxAgeMs, waitMs }).then(
        (outcome) => {
          mine.end = { ok: true, outcome, atMs: clock.monotonic() };
        },
        (error) => {
          mine.end = { ok: false, error };
        },
      ),
    );
  };

  for (const step of steps) {
    if (step.kind === "change") version++;
    else if (step.kind === "call") call(step);
    else if (step.kind === "pass") await clock.advance(step.ms);
    else if (step.kind === "abort") aborts.at(-1)?.abort();
    else if (step.kind === "reads fail") readsFailUntil = clock.monotonic() + step.forMs;
    else if (step.kind === "produce fails") isFailing = true;
    else if (step.kind === "produce hangs") isHanging = true;
    else if (step.kind === "close") void guardings[step.squad % squads]?.squad.close();
    else if (store !== undefined) store.mood = step.mood;
  }
  // Those that wait for their own hanging produce are let go.
  await clock.advance(20 * 60_000);
  for (const abort of aborts) abort.abort();
  await clock.settle(Promise.all(ends));
  return played;
}

/** Notes what each call's reads see; what names a call is no part of what it asks for. */
function watchReads({ octokit }: Guarding, played: readonly Played[]): void {
  octokit.hook.wrap("request", async (request, options) => {
    const mine = played[Number(/^call (\d+)/.exec(String(options.headers["user-agent"]))?.[1])];
    try {
      const answer = await request(options);
      if (mine !== undefined) mine.saw = Number(/version (\d+)/.exec(answer.data[0].title)?.[1]);
      return answer;
    } catch (error) {
      if (mine !== undefined) mine.saw = undefined;
      throw error;
    }
  });
}

function paceOf(pace: Pace): { readonly [K in keyof Pace]: () => number } {
  let count = 0;
  const from = (list: readonly number[]) => () => list[count++ % list.length] as number;
  return { readMs: from(pace.readMs), produceMs: from(pace.produceMs) };
}

const squad = fc.integer({ min: 0, max: 3 });

/** Random schedules: many calls, some changes; with `faults`, anything that can go wrong. */
export function schedules({ faults }: { readonly faults: boolean }): fc.Arbitrary<Schedule> {
  const maxAgeMs = faults ? fc.constantFrom(0, 2_000, 20_000, 3_600_000) : fc.constant(3_600_000);
  const waitMs = faults ? fc.constantFrom(0, 500, 5_000, 30_000) : fc.constant(120_000);
  const usual: fc.WeightedArbitrary<Step>[] = [
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("call"), squad, maxAgeMs, waitMs }) },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.constantFrom(0, 1, 100, 400, 2_000, 10_000) }),
    },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: "change" }) },
  ];
  const unusual: fc.WeightedArbitrary<Step>[] = [
    { weight: 1, arbitrary: fc.constant<Step>({ kind: "abort" }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reads fail"), forMs: fc.constantFrom(100, 3_000) }) },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: "produce fails" }, { kind: "produce hangs" }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("store"), mood: fc.constantFrom(...MOODS) }) },
  ];
  const rare: fc.WeightedArbitrary<Step> = {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("close"), squad }),
  };
  return fc.record<Schedule>({
    steps: fc.array(fc.oneof(...usual, ...(faults ? [...unusual, rare] : [])), { minLength: 5, maxLength: 40 }),
    squads: fc.integer({ min: 1, max: 4 }),
    isLocal: fc.boolean(),
    readMs: fc.array(fc.constantFrom(0, 5, 80, 300), { minLength: 1, maxLength: 7 }),
    produceMs: fc.array(fc.constantFrom(0, 50, 700, 4_000), { minLength: 1, maxLength: 5 }),
  });
}
