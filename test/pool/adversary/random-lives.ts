import fc from "fast-check";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { readDocument } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";
import { BadGithub, type Fate, KINDS, type Kind, requestOf } from "./bad-github.js";

const SQUADS = 3;
const FATES: readonly Fate["end"][] = [
  "answers",
  "answers",
  "answers",
  "answers",
  "fails",
  "throws",
  "hangs",
  "is late",
];

type Act =
  | ({ readonly do: "call"; readonly who: number; readonly abortAfterMs: number | undefined } & Fate & {
        readonly priority: number;
        readonly maxWaitMs: number;
      })
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "next window" }
  | { readonly do: "set the clock"; readonly ms: number }
  | { readonly do: "store"; readonly manner: Manner }
  | { readonly do: "close"; readonly who: number }
  | { readonly do: "rotate the token" };

type Manner = "well" | "dead" | "hangs" | "slow" | "flaps";

/** A request is given up after this long. */
const REQUEST_TIMEOUT_MS = 5_000;
/** Beyond its bound a call may await reports that are under way, and twice join an exchange that comes to nothing. */
const BEYOND_MS = 2_500 + 2 * REQUEST_TIMEOUT_MS;
/** Longer silence ends a lease: who comes back later starts anew, and what it spent is in the headers alone. */
const LEASE_MS = 300_000;
/** No window is taken to be longer than a day, whatever clocks and resets say. */
const LONGEST_MS = 25 * 3_600_000;

const call = fc.record({
  do: fc.constant("call" as const),
  who: fc.nat(SQUADS - 1),
  kind: fc.constantFrom<Kind>(...KINDS),
  end: fc.constantFrom<Fate["end"]>(...FATES),
  ms: fc.constantFrom(0, 0, 50, 200, 3_000),
  /** -1: before the call. */
  abortAfterMs: fc.option(fc.constantFrom(-1, 0, 1, 50, 60, 150, 249, 251, 1_000, 4_000), { nil: undefined }),
  priority: fc.nat(2),
  maxWaitMs: fc.constantFrom(0, 1_000, 60_000, 7_200_000),
});
const moment = fc.constantFrom(0, 0, 1, 1, 49, 50, 51, 100, 249, 1_000, 10_000, 70_000);
const pass = fc.record({ do: fc.constant("pass" as const), ms: moment });
const trouble = fc.oneof(
  fc.record({ do: fc.constant("pass" as const), ms: fc.constant(400_000) }),
  fc.record({ do: fc.constant("next window" as const) }),
  fc.record({ do: fc.constant("set the clock" as const), ms: fc.constantFrom(-7_200_000, -5_000, 5_000, 7_200_000) }),
  fc.record({
    do: fc.constant("store" as const),
    manner: fc.constantFrom<Manner>("well", "dead", "hangs", "slow", "flaps"),
  }),
  fc.record({ do: fc.constant("close" as const), who: fc.nat(SQUADS - 1) }),
  fc.record({ do: fc.constant("rotate the token" as const) }),
);
const slowStore = fc.constant<Act>({ do: "store", manner: "slow" });
const limits = fc.constantFrom(5_000, 5_000, 40, 6);

/** Calls, failures and aborts only, so that every unit can be accounted for. */
export function assertEveryUnitIsBooked(options: fc.Parameters<unknown>): Promise<void> {
  const acts = fc.array<Act>(
    fc.oneof({ weight: 10, arbitrary: call }, { weight: 6, arbitrary: pass }, { weight: 1, arbitrary: slowStore }),
    { minLength: 1, maxLength: 40 },
  );
  return fc.assert(
    fc.asyncProperty(acts, limits, async (each, limit) => {
      const { spent, charged, doubtful, inOneWindow } = await live(each, limit);
      // The document keeps the counts of its last window alone.
      if (inOneWindow && (spent < charged || spent > charged + doubtful))
        throw new Error(`The document has ${spent} units spent; ${charged} were charged, ${doubtful} are in doubt.`);
    }),
    options,
  );
}

/** Whatever else can happen as well: nothing is held, nothing runs, and nobody waits when it is quiet. */
export function assertNothingIsLeft(options: fc.Parameters<unknown>): Promise<void> {
  const acts = fc.array<Act>(
    fc.oneof({ weight: 10, arbitrary: call }, { weight: 6, arbitrary: pass }, { weight: 4, arbitrary: trouble }),
    { minLength: 1, maxLength: 25 },
  );
  return fc.assert(
    fc.asyncProperty(acts, limits, async (each, limit) => void (await live(each, limit, LONGEST_MS))),
    options,
  );
}

interface Life {
  readonly spent: number;
  readonly charged: number;
  readonly doubtful: number;
  readonly inOneWindow: boolean;
}

/**
 * Plays `acts`, lets everything come to rest for `restMs`, checks that nothing is left but what is in doubt, closes, and
 * checks again.
 */
async function live(acts: readonly Act[], limit: number, restMs = 0): Promise<Life> {
  const clock = createVirtualClock();
  const store = await openStore("memory:", { clock });
  const github = new BadGithub(clock, limit);
  const endsAt = clock.now() + github.leftMs();
  const behave = mannersOf(store, clock);
  const squads = Array.from({ length: SQUADS }, (_, index) =>
    createSquad({
      agent: `agent-${index}`,
      clock,
      store,
      fetch: github.fetch,
      cache: index === 2 ? false : { store: index === 1 },
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    }),
  );
  const calls: Promise<string | undefined>[] = [];
  const closings: Promise<void>[] = [];
  const send = (act: Act & { readonly do: "call" }): void => {
    const controller = new AbortController();
    const { abortAfterMs, maxWaitMs, priority } = act;
    if (abortAfterMs === -1) controller.abort(new Error("left before"));
    else if (abortAfterMs !== undefined) clock.timer(abortAfterMs, () => controller.abort(new Error("left")));
    const { url, init } = requestOf(act.kind, github.plan(act));
    const signal = abortAfterMs === undefined ? {} : { signal: controller.signal };
    const begin = clock.monotonic();
    const answer = (squads[act.who] as Squad).fetch(url, {
      ...init,
      ...signal,
      squad: { priority: priority as 0 | 1 | 2, maxWaitMs },
    });
    calls.push(
      answer.then(
        () => undefined,
        (error: { readonly code?: unknown }) => {
          const waitedMs = clock.monotonic() - begin;
          const held = String(error.code).startsWith("SQUAD_RATE") && error.code !== "SQUAD_RATE_CLOSED";
          return held && waitedMs > maxWaitMs + BEYOND_MS ? `waited ${waitedMs} ms of ${maxWaitMs}` : undefined;
        },
      ),
    );
  };
  for (const act of acts) {
    if (act.do === "call") send(act);
    else if (act.do === "pass") await clock.advance(act.ms);
    else if (act.do === "next window") await clock.advance(github.leftMs() + 3_000);
    else if (act.do === "set the clock") clock.step(act.ms);
    else if (act.do === "store") behave(act.manner);
    else if (act.do === "close") closings.push((squads[act.who] as Squad).close());
    else github.rotate();
  }
  behave("well");
  await rest(clock, calls);
  await clock.advance(restMs);
  // Of a request without an answer the units are in flight until a header has told, or its window is over.
  const inDoubt = squads.reduce((sum, squad) => sum + leftInFlight(squad), 0);
  if (inDoubt > (restMs > 0 ? 0 : github.doubtful)) throw new Error(`${inDoubt} units are in flight when it is quiet.`);
  const closed = Promise.all([...closings, ...squads.map((squad) => squad.close())]);
  await within(clock, closed, 5_000, "close() does not end");
  await clock.advance(100);
  if (clock.pendingTimers > 0) throw new Error(`${clock.pendingTimers} timers are left.`);
  const { charged, doubtful } = github;
  return { spent: await spentIn(store, squads), charged, doubtful, inOneWindow: clock.now() < endsAt };
}

async function rest(clock: ReturnType<typeof createVirtualClock>, calls: readonly Promise<string | undefined>[]) {
  let over = false;
  const ended = Promise.all(calls).then((each) => {
    over = true;
    return each.filter((complaint) => complaint !== undefined);
  });
  for (let step = 0; step < 5_000 && !over; step++) await clock.advance(step < 200 ? 500 : LEASE_MS / 60);
  if (!over) throw new Error("A call never ends.");
  const complaints = await ended;
  if (complaints.length > 0) throw new Error(complaints.join("; "));
}

async function within(
  clock: ReturnType<typeof createVirtualClock>,
  promise: Promise<unknown>,
  ms: number,
  complaint: string,
): Promise<void> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await clock.advance(ms);
  if (!over) throw new Error(complaint);
}

/** Units of core in flight; nothing else may be left of any resource. */
function leftInFlight(squad: Squad): number {
  let inFlight = 0;
  for (const { windows } of squad.status().principals) {
    for (const [resource, { reserved, lease }] of Object.entries(windows)) {
      const left = [reserved, ...(lease?.waitingUnits ?? [])];
      if (left.some((units) => units !== 0)) throw new Error(`${resource} has ${left.join(", ")} when it is quiet.`);
      if (resource === "core") inFlight += lease?.inFlightUnits ?? 0;
    }
  }
  return inFlight;
}

async function spentIn(store: Store, squads: readonly Squad[]): Promise<number> {
  const pool = squads.flatMap((squad) => squad.status().principals).find((principal) => principal.pool !== undefined);
  const key = `squad-rate:quota:api.github.com:${pool?.pool?.name}:core`;
  const doc = (await readDocument(store, key)) as
    | { readonly retired: readonly number[]; readonly allocations: Record<string, { readonly used: number }> }
    | undefined;
  if (doc === undefined) return 0;
  const listed = Object.values(doc.allocations).reduce((sum, { used }) => sum + used, 0);
  return doc.retired.reduce((sum, units) => sum + units, listed);
}

function mannersOf(store: Store, clock: ReturnType<typeof createVirtualClock>): (manner: Manner) => void {
  let manner: Manner = "well";
  const update = store.updates.update.bind(store.updates);
  const later = (ms: number): Promise<void> => new Promise((done) => clock.timer(ms, done));
  store.updates.update = async (...given) => {
    if (manner === "dead") throw new Error("connection refused");
    if (manner === "flaps" && Math.floor(clock.monotonic() / 1_000) % 2 === 1) throw new Error("connection reset");
    if (manner === "hangs") {
      await later(250);
      throw new Error("no answer within 250 ms");
    }
    if (manner === "slow") await later(200);
    return update(...given);
  };
  return (next) => {
    manner = next;
  };
}
