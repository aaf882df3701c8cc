import { randomBytes } from "node:crypto";
import { sleep } from "../clock.js";
import { currentValue, isClaimed, lastValue } from "../policy/guard-claim.js";
import type { GuardedValue } from "../policy/guard-document.js";
import { type Flight, HUNG_AFTER_MS, type Landing } from "./flight.js";
import { jsonOf } from "./json-value.js";
import type { Place } from "./place.js";
import type { GuardRoom } from "./room.js";
import type { SharedValues } from "./shared-values.js";

/** How a value is come by. */
export interface Production extends Place {
  readonly produce: () => unknown;
  /** How long to wait for another process that produces. */
  readonly waitMs: number;
  /** Others were waited for long enough. */
  readonly takesOver: boolean;
}

/** A claim lasts ten seconds without a word. */
const RENEW_EVERY_MS = 3_000;
const FIRST_POLL_MS = 150;
const LAST_POLL_MS = 1_000;

/** Finds the value, waits for whoever produces it, or produces it. Never rejects. */
export async function comeBy(room: GuardRoom, flight: Flight, plan: Production): Promise<Landing> {
  const { engine, values } = room;
  const { shared, key, maxAgeMs, takesOver, now } = plan;
  const id = randomBytes(6).toString("hex");
  const { signature } = flight;
  const claimed = await shared?.claim(plan, { id, signature, maxAgeMs, takesOver }, now);
  if (claimed?.kind === "there") {
    values.keep(key, claimed.value);
    return { kind: "found", value: claimed.value, how: "unchanged" };
  }
  if (claimed?.kind === "taken") {
    if (claimed.last !== undefined) values.keep(key, claimed.last);
    return waitForOthers(room, flight, plan, claimed.last);
  }
  // Without a word of the store it is produced all the same, by each process for itself.
  const holder = claimed === undefined ? undefined : shared;
  if (flight.isAbandoned || engine.closed) {
    await holder?.release(plan, id);
    return { kind: "again" };
  }
  flight.isProducing = true;
  return produceHere(room, flight, plan, holder, id);
}

async function produceHere(
  room: GuardRoom,
  { signature }: Flight,
  plan: Production,
  holder: SharedValues | undefined,
  id: string,
): Promise<Landing> {
  const beganAt = plan.now();
  const stopRenewing = holder === undefined ? undefined : keepClaim(room, plan, holder, id);
  try {
    const text = jsonOf(await plan.produce());
    const value = { text, signature, producedAt: plan.now() };
    stopRenewing?.();
    room.values.keep(plan.key, value, beganAt);
    await holder?.land(plan, id, value, beganAt);
    return { kind: "produced", value };
  } catch (error) {
    stopRenewing?.();
    await holder?.release(plan, id);
    return { kind: "failed", error };
  }
}

/** Says again and again that this process lives, so that others wait; returns what ends it. */
function keepClaim({ engine }: GuardRoom, plan: Production, holder: SharedValues, id: string): () => void {
  const { clock } = engine;
  const endAt = clock.monotonic() + HUNG_AFTER_MS;
  let isOver = false;
  let cancel: () => void = () => undefined;
  const renew = async (): Promise<void> => {
    if (engine.closed || clock.monotonic() >= endAt) return;
    const isStillOurs = await holder.renew(plan, id, plan.now);
    if (isStillOurs !== false && !isOver) arm();
  };
  const arm = (): void => {
    cancel = clock.timer(RENEW_EVERY_MS, () => void renew(), { unref: true });
  };
  arm();
  return () => {
    isOver = true;
    cancel();
  };
}

/** Looks at the store until the value is there, its producer has given up, or the wait is over. */
async function waitForOthers(
  { engine, values }: GuardRoom,
  flight: Flight,
  { shared, key, maxAgeMs, waitMs, now }: Production,
  last: GuardedValue | undefined,
): Promise<Landing> {
  const { clock } = engine;
  const endAt = clock.monotonic() + waitMs;
  for (let everyMs = FIRST_POLL_MS; ; everyMs = Math.min(1.5 * everyMs, LAST_POLL_MS)) {
    const leftMs = endAt - clock.monotonic();
    if (leftMs <= 0) return { kind: "over" };
    await sleep(clock, Math.min(everyMs, leftMs));
    if (flight.isAbandoned || engine.closed) return { kind: "again" };
    const read = await shared?.read(key);
    if (read === undefined) return { kind: "again" };
    const value = currentValue(read.doc, flight.signature, maxAgeMs, now());
    if (value !== undefined) {
      values.keep(key, value);
      return { kind: "found", value, how: "shared" };
    }
    if (!isClaimed(read.doc, now())) return { kind: "again" };
    const other = lastValue(read.doc, maxAgeMs, now());
    if (other === undefined || other.signature === last?.signature) continue;
    values.keep(key, other);
    return { kind: "again" };
  }
}
