import type { SquadOptions } from "../../../src/options.js";
import type { Gate } from "../../../src/pipeline/wait-request.js";
import {
  type CallInit,
  PATIENT,
  REPO,
  type Recovery,
  recovery,
  SECONDARY,
  sharedRecovery,
  TOKEN,
  UNWELL,
} from "./bench.js";

/** A bench on which the next call of {@link HeldAt.call} waits at one gate. */
export interface HeldAt {
  readonly bench: Recovery;
  call(signal?: AbortSignal, maxWaitMs?: number): Promise<Response>;
  /** Lets what was set up go on, where something hangs. */
  letGo(): void;
}

/** How a call comes to wait at each gate. */
export const WAITS: readonly (readonly [
  what: string,
  gate: Gate,
  make: (more?: SquadOptions) => Promise<HeldAt>,
  words: RegExp,
])[] = [
  [
    "the light",
    "light",
    (more) => usedUp({ breaker: false, ...more }),
    /^core: 1 of 5000 left \(0 %\), RED; resets in 1 h; P1 waits$/,
  ],
  [
    "the pool",
    "pool",
    inPool,
    /^core: all 5000 units are spent or held by other processes; resets in 59 min 59 s; P1 waits$/,
  ],
  [
    "the cooldown",
    "cooldown",
    (more) => refused(SECONDARY, more),
    /^GitHub refused a request of ralph by a secondary limit \(403\), though none that is known was near; everybody holds back for another 1 min; P1 waits$/,
  ],
  [
    "a primary refusal",
    "primary",
    (more) =>
      refused(
        { status: 403, json: { message: "API rate limit exceeded for user ID 1." } },
        { light: false, breaker: false, ...more },
      ),
    /^core: GitHub refused a request because the quota is used up, which resets in 1 h; P1 waits$/,
  ],
  [
    "the order after a reset",
    "release",
    inRelease,
    /^core: reset 5 s ago, and who waited starts in turn, P2 from 30 s to 1 min after it; this call in 5\d s$/,
  ],
  [
    "the breaker",
    "breaker",
    atBreaker,
    /^core: at 602 units\/min the remaining 1085 of 5000 last 1 min 49 s, the reset is in 53 min 30 s; breaker open, P1 waits 30 s$/,
  ],
  [
    "the pause between writes",
    "pacing",
    afterWrite,
    /^writes are sent 1 s apart, as GitHub asks; the last went just now; P1 waits$/,
  ],
  [
    "a place among requests at once",
    "secondary",
    (more) => crowded(more),
    /^1 of 1 requests at once are under way; P1 waits$/,
  ],
  [
    "an endpoint's points",
    "secondary",
    manyReads,
    /^api\.github\.com GET \/repos\/\{owner\}\/\{repo\}: 5 of 5 points in the last minute are used, and the call costs 1; P1 waits$/,
  ],
  ["content writes", "secondary", manyWrites, /^1 of 1 content writes in the last minute are made; P1 waits$/],
  [
    "content writes that a pool counts",
    "secondary",
    manyWritesInPool,
    /^1 of 1 content writes of the last minute are taken by 1 process, the next is free in 1 min 1 s; P1 waits$/,
  ],
  ["a retry", "retry", failing, /^core: the server failed; P1 tries again in 3 s, retry 1 of 3$/],
];

const nothing = (): void => undefined;

async function usedUp(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, ...more });
  bench.github.quota(TOKEN).used = 4_998;
  await bench.call(REPO, { squad: { priority: 0, emergency: true } });
  return { bench, call: (...own) => bench.call(REPO, initOf(...own)), letGo: nothing };
}

async function inPool(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = await sharedRecovery({ ...PATIENT, ...more });
  bench.github.quota(TOKEN).used = 4_999;
  await bench.clock.settle(bench.call());
  await bench.clock.advance(1_000);
  return { bench, call: (...own) => bench.call(REPO, initOf(...own)), letGo: nothing };
}

async function refused(answer: Parameters<Recovery["github"]["once"]>[0], more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, ...more });
  bench.github.once(answer);
  await bench.call(REPO, { squad: { retries: 0 } });
  return { bench, call: (...own) => bench.call(REPO, initOf(...own)), letGo: nothing };
}

async function inRelease(more: SquadOptions = {}): Promise<HeldAt> {
  const held = await usedUp({ breaker: false, random: () => 0.99, ...more });
  const { bench } = held;
  const first = bench.call(REPO, { squad: { priority: 0 } });
  const { resetAt } = bench.github.quota(TOKEN);
  // The first has gone, and P1's turn has not come.
  await bench.clock.settle(first);
  await bench.clock.advance(Math.max(0, resetAt + 2_000 - bench.clock.now()));
  return { ...held, call: (...own) => bench.call(REPO, withPriority(2, initOf(...own))) };
}

async function atBreaker(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, light: false, secondary: false, ...more });
  const quota = bench.github.quota(TOKEN);
  for (let sample = 0; sample < 100; sample++) {
    await bench.clock.settle(bench.call(REPO, { squad: { priority: 0 } }));
    if (bench.squad.status().principals[0]?.windows.core?.breaker === "open") break;
    quota.used += 300;
    await bench.clock.advance(30_000);
  }
  return { bench, call: (...own) => bench.call(REPO, initOf(...own)), letGo: nothing };
}

const LABEL = "/repos/mona/hello/labels/bug";
const ISSUES = "/repos/mona/hello/issues";

async function afterWrite(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, ...more });
  const write = { method: "PATCH", body: "{}" };
  bench.github.route(LABEL, { json: {} });
  await bench.call(LABEL, write);
  return { bench, call: (...own) => bench.call(LABEL, { ...write, ...initOf(...own) }), letGo: nothing };
}

async function crowded(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, secondary: { concurrent: 1 }, ...more });
  const release = bench.github.hold();
  const first = bench.call(`${REPO}/other`).catch(nothing);
  await bench.clock.advance(0);
  return {
    bench,
    call: (...own) => bench.call(REPO, initOf(...own)),
    letGo: () => {
      release();
      void first;
    },
  };
}

async function manyReads(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, secondary: { pointsPerMinute: 5 }, ...more });
  for (let read = 0; read < 5; read++) await bench.call();
  return { bench, call: (...own) => bench.call(REPO, initOf(...own)), letGo: nothing };
}

async function manyWrites(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, pacing: false, secondary: { contentPerMinute: 1 }, ...more });
  const write = { method: "POST", body: "{}" };
  bench.github.route(ISSUES, { json: {} });
  await bench.call(ISSUES, write);
  return { bench, call: (...own) => bench.call(ISSUES, { ...write, ...initOf(...own) }), letGo: nothing };
}

async function manyWritesInPool(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = await sharedRecovery({ ...PATIENT, pacing: false, secondary: { contentPerMinute: 1 }, ...more });
  const write = { method: "POST", body: "{}" };
  bench.github.route(ISSUES, { json: {} });
  await bench.clock.settle(bench.call(ISSUES, write));
  await bench.clock.advance(1_000);
  return { bench, call: (...own) => bench.call(ISSUES, { ...write, ...initOf(...own) }), letGo: nothing };
}

async function failing(more: SquadOptions = {}): Promise<HeldAt> {
  const bench = recovery({ ...PATIENT, ...more });
  await bench.call();
  bench.github.route(`${REPO}/unwell`, UNWELL);
  return { bench, call: (...own) => bench.call(`${REPO}/unwell`, initOf(...own)), letGo: nothing };
}

function initOf(signal?: AbortSignal, maxWaitMs?: number): CallInit {
  return { ...(signal === undefined ? {} : { signal }), ...(maxWaitMs === undefined ? {} : { squad: { maxWaitMs } }) };
}

function withPriority(priority: 0 | 1 | 2, init: CallInit): CallInit {
  return { ...init, squad: { ...init.squad, priority } };
}
