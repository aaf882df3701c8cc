import { Flight, type Landing } from "./flight.js";
import type { FlightPlan } from "./flight-plan.js";
import type { Place } from "./place.js";
import { comeBy } from "./production.js";
import type { GuardRoom } from "./room.js";

/** A caller that wants a value. */
export interface Passenger {
  readonly signals: readonly AbortSignal[];
  readonly produce: () => unknown;
  /** When its reads began, in monotonic milliseconds. */
  readonly lookedAt: number;
  /** How long it still waits for others. */
  readonly patienceMs: number;
  /** It has waited long enough, and there is no last value to be content with. */
  readonly isAlone: boolean;
}

/** Joins the flight that is under way to the value at `place`, or sets out. One at a time: what is new may soon be old. */
export async function board(room: GuardRoom, place: Place, signature: string, passenger: Passenger): Promise<Landing> {
  const { signals, patienceMs, lookedAt, isAlone } = passenger;
  const known = room.values.get(place.key);
  // A value for another answer that came meanwhile may have seen more than the reads did.
  const isOvertaken = known !== undefined && known.value.signature !== signature && known.since > lookedAt;
  if (isOvertaken && !isAlone) return { kind: "again" };
  const underWay = room.flights.get(place.key);
  if (underWay === undefined || !mayJoin(underWay, signature, isAlone)) {
    return setOut(room, place, signature, passenger);
  }
  const { aliveForMs } = underWay;
  const landing = await underWay.wait(isAlone ? aliveForMs : Math.min(patienceMs, aliveForMs), signals);
  if (landing.kind === "over") return landing;
  if (underWay.signature !== signature) return { kind: "again" };
  return landing.kind === "produced" ? { kind: "shared", value: landing.value } : landing;
}

/** Whoever has waited long enough joins only what this very process produces for the same answer. */
function mayJoin(flight: Flight, signature: string, isAlone: boolean): boolean {
  if (flight.aliveForMs <= 0) return false;
  return !isAlone || (flight.isProducing && flight.signature === signature);
}

function setOut(
  room: GuardRoom,
  place: Place,
  signature: string,
  { produce, signals, patienceMs, lookedAt, isAlone }: Passenger,
): Promise<Landing> {
  const {
    flights,
    engine: { clock },
  } = room;
  const flight = new Flight(clock, signature);
  flights.set(place.key, flight);
  const landed = flight.wait(Number.POSITIVE_INFINITY, signals);
  const plan: FlightPlan = {
    ...place,
    produce,
    lookedAt: place.now() - (clock.monotonic() - lookedAt),
    waitMs: patienceMs,
    takesOver: isAlone,
  };
  void comeBy(room, flight, plan).then((landing) => {
    if (flights.get(place.key) === flight) flights.delete(place.key);
    flight.land(landing);
  });
  return landed;
}
