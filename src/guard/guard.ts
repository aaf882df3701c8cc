import type { Call } from "../pipeline/call.js";
import { ageOf, isYoung } from "../policy/guard-claim.js";
import type { GuardedValue } from "../policy/guard-document.js";
import { formatDuration } from "../policy/words.js";
import { board } from "./board.js";
import type { CheckedGuard } from "./check-guard.js";
import type { Landing } from "./flight.js";
import { guardId, readsId } from "./guard-key.js";
import type { GuardedHow } from "./guarded.js";
import { type FailedLook, type GuardClient, look } from "./look.js";
import type { Owner } from "./owner.js";
import { lastKnown, type Place, placeOf, rememberedValue } from "./place.js";
import type { GuardRoom } from "./room.js";
import { checkSource } from "./source.js";

/** What a guard came to. */
export interface Outcome {
  readonly value: GuardedValue;
  readonly how: GuardedHow;
  readonly ageMs: number;
  readonly cause?: unknown;
}

/** What happened on the way, for the event. */
export interface Course {
  key: string | undefined;
  readonly calls: (Call | undefined)[];
  failed: number;
}

/** So often the reads are made again because what others have produced does not fit them. */
const MAX_ROUNDS = 3;

/**
 * The life of a guard: the reads are made; if they say what they said when the last value was produced, that is returned;
 * otherwise a new one is waited for or produced. Whenever others were waited for in vain the reads are made again, since
 * what they said may no longer be so.
 */
export async function runGuard(
  room: GuardRoom,
  client: GuardClient,
  asked: CheckedGuard,
  produce: () => unknown,
  course: Course,
): Promise<Outcome> {
  const { clock } = room.engine;
  const { signals, maxAgeMs, waitMs } = asked;
  const reads = readsId(asked.reads);
  const guard = guardId(reads, asked);
  checkSource(room.sources, guard, asked, produce);
  const beganAt = clock.monotonic();
  let waitEndsAt: number | undefined;
  let isAlone = false;
  for (let round = 0; ; round++) {
    const lookedAt = clock.monotonic();
    const seen = await look(client, reads, asked);
    course.calls.push(...seen.calls);
    course.failed += seen.failed;
    for (const signal of signals) signal.throwIfAborted();
    const placeFor = (owner: Owner): Place => {
      const place = placeOf(room, owner, guard, maxAgeMs);
      course.key = place.key;
      return place;
    };
    if (seen.kind === "failed") return standIn(room, seen.owner && placeFor(seen.owner), seen);
    const place = placeFor(seen.owner);
    const known = rememberedValue(room, place, seen.signature);
    if (known !== undefined) return told(place, known.value, known.since > beganAt ? "shared" : "unchanged");
    waitEndsAt ??= clock.monotonic() + waitMs;
    const patienceMs = Math.max(0, waitEndsAt - clock.monotonic());
    const landing: Landing =
      isAlone || round <= MAX_ROUNDS
        ? await board(room, place, seen.signature, { signals, produce, lookedAt, patienceMs, isAlone })
        : { kind: "over" };
    switch (landing.kind) {
      case "produced":
      case "shared":
        return told(place, landing.value, landing.kind);
      case "found":
        // Whoever found it may have been content with an older one.
        if (isYoung(landing.value, maxAgeMs, place.now())) return told(place, landing.value, landing.how);
        break;
      case "failed":
        throw landing.error;
      case "over": {
        // It may have been another's patience that was at its end.
        if (round <= MAX_ROUNDS && clock.monotonic() < waitEndsAt) break;
        const last = await lastKnown(room, place);
        if (last !== undefined) return stale(place, last, tookTooLong(waitMs));
        // It may even be this call's own caller that is being waited for: a guard within the `produce` of another.
        if (isProducedHere(room, place, seen.signature)) throw tookTooLong(waitMs);
        isAlone = true;
      }
    }
  }
}

/** Fails closed: without GitHub's word nothing is produced. */
async function standIn(room: GuardRoom, place: Place | undefined, { error, isFinal }: FailedLook): Promise<Outcome> {
  const last = isFinal || place === undefined ? undefined : await lastKnown(room, place);
  if (place === undefined || last === undefined) throw error;
  return stale(place, last, error);
}

function told({ now }: Place, value: GuardedValue, how: GuardedHow): Outcome {
  return { value, how, ageMs: ageOf(value, now()) };
}

function stale(place: Place, value: GuardedValue, cause: unknown): Outcome {
  return { ...told(place, value, "stale"), cause };
}

function isProducedHere({ flights }: GuardRoom, { key }: Place, signature: string): boolean {
  const flight = flights.get(key);
  return flight?.isProducing === true && flight.aliveForMs > 0 && flight.signature === signature;
}

function tookTooLong(waitMs: number): Error {
  return new Error(
    `What the reads say now is new, and whoever produces has not come to a value for it; waitMs is ${waitMs} (${formatDuration(waitMs)}).`,
  );
}
