import { RESERVED_FOR_MS, type SentBy } from "./document.js";
import { HOUR_MS, MINUTE_MS, UNSURE_MS } from "./windows.js";

const SECOND_MS = 1_000;

/** Writes that no minute counts any more are kept by whole minutes, or by ten seconds before those are over. */
const GRAINS_MS = [MINUTE_MS, 10_000] as const;

/** Others may be behind this process by a little, and still count what is over by its clock. */
const KEPT_MS = HOUR_MS + UNSURE_MS + MINUTE_MS;

/** Under which time a write is booked that is sent at `now`. */
export function sentSecond(now: number): number {
  return Math.ceil(now / SECOND_MS) * SECOND_MS;
}

/** Under which time a write is booked that is reserved at `now`; it must be sent by then. */
export function reservedSecond(now: number): number {
  return Math.floor((now + RESERVED_FOR_MS) / SECOND_MS) * SECOND_MS;
}

/** `sent` with `writes` more, or fewer when negative: what is not there cannot be taken away. */
export function book(sent: readonly SentBy[], at: number, writes: number): readonly SentBy[] {
  const index = sent.findIndex(([of]) => of >= at);
  const position = index < 0 ? sent.length : index;
  const found = sent[position]?.[0] === at ? sent[position] : undefined;
  const sum = (found?.[1] ?? 0) + writes;
  const booked: readonly SentBy[] = sum > 0 ? [[at, sum]] : [];
  return [...sent.slice(0, position), ...booked, ...sent.slice(position + (found === undefined ? 0 : 1))];
}

/** How many writes are booked under exactly this time. */
export function bookedAt(sent: readonly SentBy[], at: number): number {
  return sent.find(([of]) => of === at)?.[1] ?? 0;
}

/** `sent` without what nobody counts any more, and the older of it in fewer entries, each under a later time. */
export function fold(sent: readonly SentBy[], now: number): readonly SentBy[] {
  const folded = new Map<number, number>();
  for (const [at, writes] of sent) {
    if (at + KEPT_MS <= now) continue;
    const key = foldedTo(at, now);
    folded.set(key, (folded.get(key) ?? 0) + writes);
  }
  return [...folded].sort(([one], [other]) => one - other);
}

function foldedTo(at: number, now: number): number {
  for (const grainMs of GRAINS_MS) {
    const end = Math.ceil(at / grainMs) * grainMs;
    // Nothing may count in a minute again that no longer did.
    if (end + MINUTE_MS + UNSURE_MS <= now) return end;
  }
  return at;
}
