import type { Engine } from "../pipeline/engine.js";
import { isYoung, lastValue } from "../policy/guard-claim.js";
import type { GuardedValue } from "../policy/guard-document.js";
import { guardKey } from "./guard-key.js";
import type { Owner } from "./owner.js";
import type { RememberedValue } from "./remembered-values.js";
import type { GuardRoom } from "./room.js";
import type { SharedPlace, SharedValues } from "./shared-values.js";

/** Where the value of one guard is kept for one owner. */
export interface Place extends SharedPlace {
  /** Undefined: it is nobody else's. */
  readonly shared: SharedValues | undefined;
  /** GitHub's time, epoch milliseconds. */
  readonly now: () => number;
}

export function placeOf(room: GuardRoom, owner: Owner, guard: string, maxAgeMs: number): Place {
  return {
    key: guardKey(owner.name, guard),
    maxAgeMs,
    shared: owner.isShared ? room.shared : undefined,
    now: clockOf(room.engine, owner.host),
  };
}

/** The value in memory, if it was produced when the reads said what they say now. */
export function rememberedValue(
  { values }: GuardRoom,
  { key, maxAgeMs, now }: Place,
  signature: string,
): RememberedValue | undefined {
  const known = values.get(key);
  return known?.value.signature === signature && isYoung(known.value, maxAgeMs, now()) ? known : undefined;
}

/** The last value there is, whatever the reads say now: in memory, or else in the store. */
export async function lastKnown(
  { values }: GuardRoom,
  { key, maxAgeMs, shared, now }: Place,
): Promise<GuardedValue | undefined> {
  const remembered = values.get(key)?.value;
  if (remembered !== undefined && isYoung(remembered, maxAgeMs, now())) return remembered;
  const value = lastValue((await shared?.read(key))?.doc, maxAgeMs, now());
  if (value !== undefined) values.keepInReserve(key, value);
  return value;
}

function clockOf({ quota }: Engine, host: string): () => number {
  return () => quota.clocks.now(host);
}
