import { randomBytes } from "node:crypto";
import type { Flight, Landing } from "./flight.js";
import type { FlightPlan } from "./flight-plan.js";
import { jsonOf } from "./json-value.js";
import { keepClaim } from "./keep-claim.js";
import type { GuardRoom } from "./room.js";
import type { SharedValues } from "./shared-values.js";
import { waitForOthers } from "./wait-for-others.js";

/** Finds the value, waits for whoever produces it, or produces it. Never rejects. */
export async function comeBy(room: GuardRoom, flight: Flight, plan: FlightPlan): Promise<Landing> {
  const { engine, values } = room;
  const { shared, key, maxAgeMs, lookedAt, takesOver, now } = plan;
  const id = randomBytes(6).toString("hex");
  const { signature } = flight;
  const known = values.get(key)?.value;
  const claimed = await shared?.claim(plan, { id, signature, maxAgeMs, lookedAt, known, takesOver }, now);
  if (claimed?.kind === "there") {
    values.keep(key, claimed.value);
    return { kind: "found", value: claimed.value, how: "unchanged" };
  }
  if (claimed?.kind === "taken" || claimed?.kind === "overtaken") {
    if (claimed.last !== undefined) values.keepInReserve(key, claimed.last);
    return claimed.kind === "taken" ? waitForOthers(room, flight, plan, claimed.last) : { kind: "again" };
  }
  // Without a word of the store it is produced all the same, by each process for itself.
  const hold: Hold = { id, isSure: claimed !== undefined };
  if (flight.isAbandoned || engine.closed) {
    await letGo(plan, hold, (store) => store.release(plan, id));
    return { kind: "again" };
  }
  flight.isProducing = true;
  return produceHere(room, flight, plan, hold);
}

/** The claim of one production. */
interface Hold {
  readonly id: string;
  /** A store that was too slow to say so may have granted it. */
  readonly isSure: boolean;
}

/** Ends a claim; nobody waits for a store that has just not answered. */
async function letGo(
  { shared }: FlightPlan,
  { isSure }: Hold,
  end: (store: SharedValues) => Promise<void>,
): Promise<void> {
  const ending = shared === undefined ? undefined : end(shared);
  if (isSure) await ending;
}

async function produceHere(room: GuardRoom, { signature }: Flight, plan: FlightPlan, hold: Hold): Promise<Landing> {
  const { id } = hold;
  const beganAt = { byGitHub: plan.now(), mono: room.engine.clock.monotonic() };
  const stopRenewing = hold.isSure ? keepClaim(room.engine, plan, id) : undefined;
  try {
    const text = jsonOf(await plan.produce());
    const value = { text, signature, producedAt: plan.now() };
    stopRenewing?.();
    room.values.keep(plan.key, value, beganAt.mono);
    await letGo(plan, hold, (store) => store.land(plan, id, value, beganAt.byGitHub));
    return { kind: "produced", value };
  } catch (error) {
    stopRenewing?.();
    await letGo(plan, hold, (store) => store.release(plan, id));
    return { kind: "failed", error };
  }
}
