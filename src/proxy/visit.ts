import type { IncomingMessage, ServerResponse } from "node:http";

const LEFT: Error = Object.freeze(new Error("The client left before it was answered."));

/** A request that has come, until it is answered or its client has left. */
export class Visit {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly #leaving = new AbortController();
  readonly #onEnd: (() => void)[] = [];
  #isOver = false;

  constructor(incoming: IncomingMessage, response: ServerResponse) {
    this.incoming = incoming;
    this.response = response;
  }

  /** Aborts when the client leaves before its answer has ended. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  onEnd(listener: () => void): void {
    this.#onEnd.push(listener);
  }

  /** It is over, one way or the other. Further calls do nothing. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.response.writableFinished) this.#leaving.abort(LEFT);
    for (const listener of this.#onEnd) listener();
  }

  /** Ends the whole connection: what was begun on it can be neither finished nor taken back. */
  cut(): void {
    this.incoming.socket.destroy();
  }
}
