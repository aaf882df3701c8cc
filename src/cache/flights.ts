import { onAbort } from "../call/on-abort.js";
import { StreamingBodies } from "../call/streaming-bodies.js";
import type { StoredAnswer } from "./answer.js";

/** What joiners are told: the answer they can share, or that they have to send their own. */
type Landing = StoredAnswer | undefined;

/**
 * One exchange under way that identical reads of the same credential may share.
 *
 * It is aborted only when everybody who wanted it has gone: one abort detaches one caller.
 */
export class Flight {
  /** The count of completed writes when the exchange began. */
  readonly startedAfterWrite: number;
  /** Aborts the exchange itself; undefined when the first caller can never leave. */
  readonly controller: AbortController | undefined;
  #participants = 1;
  #land!: (landing: Landing) => void;
  #landed: Promise<Landing> | undefined;
  #landing: Landing;
  #hasLanded = false;

  constructor(startedAfterWrite: number, abortable: boolean) {
    this.startedAfterWrite = startedAfterWrite;
    this.controller = abortable ? new AbortController() : undefined;
  }

  /** Waits for the exchange as an additional caller; rejects with the signal's reason as soon as that caller aborts. */
  join(signal: AbortSignal | undefined): Promise<Landing> {
    this.#participants++;
    if (this.#landed === undefined) {
      this.#landed = this.#hasLanded
        ? Promise.resolve(this.#landing)
        : new Promise((resolve) => {
            this.#land = resolve;
          });
    }
    return signal === undefined ? this.#landed : this.detachable(this.#landed, signal);
  }

  /** `work`, unless the caller behind `signal` aborts first; the exchange goes on for the others. */
  detachable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason);
        if (--this.#participants === 0) this.controller?.abort(signal.reason);
      };
      // Listened to even when nobody waits any more: its failure would otherwise count as unhandled.
      const ended = work.then(resolve, reject);
      if (signal.aborted) leave();
      else ended.then(onAbort(signal, leave));
    });
  }

  /** Tells the joiners. */
  land(landing: Landing): void {
    this.#hasLanded = true;
    this.#landing = landing;
    this.#land?.(landing);
  }
}

/** The exchanges under way. */
export class Flights {
  readonly #flights = new Map<string, Flight>();
  readonly #bodies = new StreamingBodies();

  get size(): number {
    return this.#flights.size;
  }

  /** An exchange that a read which must see write number `lastWrite` may join. */
  find(id: string, lastWrite: number): Flight | undefined {
    const flight = this.#flights.get(id);
    return flight !== undefined && flight.startedAfterWrite >= lastWrite ? flight : undefined;
  }

  open(id: string, startedAfterWrite: number, abortable: boolean): Flight {
    const flight = new Flight(startedAfterWrite, abortable);
    this.#flights.set(id, flight);
    return flight;
  }

  /** Takes the exchange off the list, unless a later one has taken its place, and tells its joiners. */
  close(id: string, flight: Flight, landing: Landing): void {
    if (this.#flights.get(id) === flight) this.#flights.delete(id);
    flight.land(landing);
  }

  /** Lets the first caller's abort reach an answer that goes through as it streams: it has that one reader. */
  tie(response: Response, signal: AbortSignal, { controller }: Flight): void {
    if (controller !== undefined) this.#bodies.tie(response, signal, controller);
  }
}
