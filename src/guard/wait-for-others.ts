import { sleep } from "../clock.js";
import { currentValue, isClaimed, lastValue } from "../policy/guard-claim.js";
import type { GuardedValue } from "../policy/guard-document.js";
import type { Flight, Landing } from "./flight.js";
import type { FlightPlan } from "./flight-plan.js";
import type { GuardRoom } from "./room.js";

const FIRST_POLL_MS = 150;
const LAST_POLL_MS = 1_000;

/** Looks at the store until the value is there, its producer has given up, or the wait is over. */
export async function waitForOthers(
  { engine, values }: GuardRoom,
  flight: Flight,
  { shared, key, maxAgeMs, waitMs, now }: FlightPlan,
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
    values.keepInReserve(key, other);
    return { kind: "again" };
  }
}
