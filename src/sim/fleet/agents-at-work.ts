import type { Clock } from "../../clock.js";
import type { PlacedAgent } from "./agents.js";
import { CALL_HEADER, type CallBook } from "./call-book.js";
import { callRequest } from "./call-work.js";
import { chanceFor, exponential } from "./chance.js";
import type { FleetClient } from "./client.js";
import type { FleetSession } from "./needs.js";
import type { FleetProcess } from "./process.js";
import { type FleetRequest, ownRequest } from "./requests.js";
import type { CallWork } from "./scenario.js";
import type { PullFacts, WatchedWorld } from "./watched-world.js";

const DEFAULT_MAX_WAIT_MS = 60_000;

/** A process that runs, with its client. */
export interface Manned {
  readonly process: FleetProcess;
  readonly client: FleetClient;
}

/** What agents work with. */
export interface WorkPlace {
  readonly clock: Clock;
  readonly book: CallBook;
  readonly world: WatchedWorld;
  readonly seed: number;
  /** When no call is made any more, epoch milliseconds. */
  readonly until: number;
}

/** Lets an agent call at random moments, whatever became of its calls before. */
export function callAtRandom(placed: PlacedAgent, work: CallWork, manned: Manned, place: WorkPlace): void {
  const { clock, seed, until } = place;
  const { fromMs = 0, untilMs } = placed.of;
  const random = chanceFor(seed, `calls of ${placed.agent.name}`);
  const kinds = chanceFor(seed, `kinds of calls of ${placed.agent.name}`);
  const endAt = untilMs === undefined ? until : Math.min(until, clock.now() + untilMs);
  let nth = 0;
  const arm = (afterMs: number): void => {
    clock.timer(afterMs + exponential(random, 3_600_000 / work.perHour), () => {
      if (clock.now() >= endAt || manned.process.dead) return;
      arm(0);
      const request = callRequest(work, placed.index, nth++, kinds());
      makeCall(placed, request, work.maxWaitMs ?? DEFAULT_MAX_WAIT_MS, manned, place);
    });
  };
  if (work.perHour > 0) arm(fromMs);
}

/** Lets an agent look at what it has just changed, `count` times within `withinMs`. */
export function callAfterChange(
  placed: PlacedAgent,
  session: FleetSession,
  { count, withinMs }: { readonly count: number; readonly withinMs: number },
  manned: Manned,
  place: WorkPlace,
): void {
  const { clock, seed, world } = place;
  const random = chanceFor(seed, `own calls of ${placed.agent.name} at ${clock.now()}`);
  for (let nth = 0; nth < count; nth++) {
    clock.timer(random() * withinMs, () => {
      const head = world.truths(session, clock.now(), clock.now())[0] as PullFacts;
      makeCall(placed, ownRequest(nth, session, head.headSha), DEFAULT_MAX_WAIT_MS, manned, place);
    });
  }
}

/** Nobody whose process stands still makes a call. */
function makeCall(
  placed: PlacedAgent,
  { request, createsContent, isTrue }: FleetRequest,
  maxWaitMs: number,
  { process, client }: Manned,
  { book, clock, world }: WorkPlace,
): void {
  if (!process.runs) return;
  const { agent } = placed;
  const queues = request.kind === "rest" && !createsContent;
  const call = book.made(placed, process, queues);
  client.call({ agent, maxWaitMs, headers: { [CALL_HEADER]: call.tag }, request }).then(
    (answer) => {
      book.answered(call);
      const truths = agent.session === undefined ? [] : world.truths(agent.session, call.madeAt, clock.now());
      if (!isTrue(answer, truths)) book.stale();
    },
    (error) => book.failed(call, error),
  );
}
