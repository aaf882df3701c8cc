import type { CancelTimer, Clock } from "../clock.js";
import type { Visit } from "./visit.js";

/** How long a client may neither read what is written to it nor write what it said it would. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 10_000;

/** How far a client has come. */
interface Progress {
  bytes: number;
  sinceMono: number;
}

/**
 * Cuts clients that stand still while something waits for them. A client that waits itself, for an answer or for more of
 * one, may do so for ever.
 */
export class SlowClients {
  readonly #clock: Clock;
  readonly #watched = new Map<Visit, Progress>();
  #cancelTimer: CancelTimer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(visit: Visit): void {
    this.#watched.set(visit, { bytes: -1, sinceMono: this.#clock.monotonic() });
    visit.onEnd(() => this.#watched.delete(visit));
    if (this.#cancelTimer === undefined) this.#arm();
  }

  /** One timer for all of them, and none for nobody. */
  #arm(): void {
    this.#cancelTimer = this.#clock.timer(LOOK_EVERY_MS, () => this.#look(), { unref: true });
  }

  #look(): void {
    const nowMono = this.#clock.monotonic();
    for (const [visit, progress] of this.#watched) {
      const bytes = bytesMoved(visit);
      if (!isWaitedFor(visit) || bytes !== progress.bytes) {
        progress.bytes = bytes;
        progress.sinceMono = nowMono;
      } else if (nowMono - progress.sinceMono >= PATIENCE_MS) visit.cut();
    }
    this.#cancelTimer = undefined;
    if (this.#watched.size > 0) this.#arm();
  }
}

/** What the system has taken from us and given to us: the stream counts as written what lies in it yet. */
function bytesMoved({ incoming: { socket } }: Visit): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}

/** Whether it is the client's turn: something lies there to be read, or its body is wanted and does not come. */
function isWaitedFor({ incoming }: Visit): boolean {
  return incoming.socket.writableLength > 0 || (!incoming.complete && incoming.readableFlowing === true);
}
