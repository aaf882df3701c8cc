import type { Priority } from "../../policy/light.js";
import { type ReleaseWindow, releasePlace, releaseWindows } from "../../policy/retry-windows.js";
import { formatDuration } from "../../policy/words.js";
import { waitingElsewhere } from "../../pool/waiting-elsewhere.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { StartingOrder, TrackedWindow } from "../principal.js";
import type { MustWait } from "../wait-request.js";

type Counts = readonly [number, number, number];

/**
 * After a reset or a cooldown those who waited start in windows, one class after the other, so that GitHub is not met by
 * all of them in one second. Who comes meanwhile is not held, but for the classes that go first.
 */
export function releaseGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  githubNow: number,
): MustWait | undefined {
  if (engine.options.retry === false) return undefined;
  const release = releaseOf(tracked, githubNow);
  if (release === undefined) return undefined;
  const { priority } = call.request;
  const window = release.windows[priority];
  if (githubNow >= window.toAt) return undefined;
  const waitedForIt =
    call.firstWaitedAt !== undefined &&
    call.firstWaitedAt <= engine.clock.monotonic() - Math.max(0, githubNow - release.at);
  if (!waitedForIt && githubNow >= window.fromAt) return undefined;
  const place = releasePlace(window, chanceOf(engine, call));
  if (githubNow >= place) return undefined;
  const after = (at: number): string => formatDuration(at - release.at);
  const began =
    release.after === "reset"
      ? `${tracked.resource}: reset ${after(githubNow)} ago`
      : `the hold after a refusal ended ${after(githubNow)} ago`;
  return {
    kind: "wait",
    gate: "release",
    untilAt: engine.clock.now() + place - githubNow,
    why: `${began}, and who waited starts in turn, P${priority} from ${after(window.fromAt)} to ${after(window.toAt)} after it; this call in ${formatDuration(place - githubNow)}`,
  };
}

/**
 * When a call that waits for a reset or a cooldown at `at` may really start, in this machine's wall time: its place among
 * those who wait now. It is asked again then, and placed among those who wait by that time.
 */
export function withRelease(engine: Engine, call: Call, tracked: TrackedWindow, at: number, githubNow: number): number {
  const { clock, options } = engine;
  if (options.retry === false) return clock.now() + at - githubNow;
  const { priority } = call.request;
  const windows = windowsAt(tracked, at, othersAndMe(tracked, priority));
  return clock.now() + releasePlace(windows[priority], chanceOf(engine, call)) - githubNow;
}

/** The release under way; made when the first call asks after a reset or a cooldown for which others have waited. */
function releaseOf(tracked: TrackedWindow, githubNow: number): StartingOrder | undefined {
  const { at, after } = latestEnd(tracked, githubNow);
  if (at > (tracked.release?.at ?? 0) + SAME_MS) {
    const isOrdered = githubNow - at < RECENT_MS && somebodyWaits(tracked, after);
    // Where nobody waited there is nothing to put in order until the next end.
    const windows = isOrdered ? windowsAt(tracked, at, waitingFor(tracked)) : NOTHING_TO_ORDER;
    tracked.release = { at, after, windows };
  }
  return tracked.release;
}

/**
 * Whether there are calls to start in order, here or, as far as the pool tells, elsewhere: who has nobody waiting would
 * otherwise send less urgent calls ahead of another process's urgent ones. Who waits elsewhere for a cooldown's end is in no
 * document, and there mostly is somebody.
 */
function somebodyWaits(tracked: TrackedWindow, after: StartingOrder["after"]): boolean {
  const mayWaitElsewhere = after === "cooldown" && tracked.principal.pool !== undefined;
  return mayWaitElsewhere || waitingFor(tracked).some((calls) => calls > 0);
}

/** Two words on one reset differ by as much. */
const SAME_MS = 5_000;
/** Whoever asks first later than this after an end does not ask because of it. */
const RECENT_MS = 120_000;
const OVER: ReleaseWindow = { fromAt: 0, toAt: 0 };
const NOTHING_TO_ORDER: StartingOrder["windows"] = [OVER, OVER, OVER];

function latestEnd(tracked: TrackedWindow, githubNow: number): Pick<StartingOrder, "at" | "after"> {
  const { lastUntil } = tracked.principal.cooldown;
  const resetAt = tracked.lastEndBy(githubNow);
  return lastUntil <= githubNow && lastUntil > resetAt
    ? { at: lastUntil, after: "cooldown" }
    : { at: resetAt, after: "reset" };
}

function windowsAt(tracked: TrackedWindow, at: number, waiting: Counts): StartingOrder["windows"] {
  const limit = tracked.window?.limit ?? UNKNOWN_LIMIT;
  return releaseWindows({ at, waiting, limit, windowMs: tracked.windowMs });
}

/** GitHub's smallest hourly limit that anybody lives by. */
const UNKNOWN_LIMIT = 1_000;

/** Calls that wait, of all processes as far as the pool has heard of them. */
function waitingFor(tracked: TrackedWindow): Counts {
  const { held, spender } = tracked;
  const others = spender === undefined ? NOBODY : waitingElsewhere(spender);
  return [held[0] + others[0], held[1] + others[1], held[2] + others[2]];
}

const NOBODY: Counts = [0, 0, 0];

function othersAndMe(tracked: TrackedWindow, priority: Priority): Counts {
  const [a, b, c] = waitingFor(tracked);
  return [
    Math.max(a, priority === 0 ? 1 : 0),
    Math.max(b, priority === 1 ? 1 : 0),
    Math.max(c, priority === 2 ? 1 : 0),
  ];
}

function chanceOf({ options }: Engine, call: Call): number {
  call.chance ??= options.random();
  return call.chance;
}
