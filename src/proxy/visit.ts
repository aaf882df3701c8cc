import type { IncomingMessage, ServerResponse } from "node:http";

const LEFT: Error = Object.freeze(new Error("The client left before it was answered."));

/** A request that has come, until it is answered or its client has left. */
export class Visit {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly #leaving = new AbortController();
  readonly #onEnd: (() => void)[] = [];
  /** The client waits to be asked for its body (RFC 9110 §10.1.1). */
  #isHeldBack: boolean;
  #isOver = false;

  constructor(incoming: IncomingMessage, response: ServerResponse) {
    this.incoming = incoming;
    this.response = response;
    this.#isHeldBack = incoming.httpVersion !== "1.0" && incoming.headers.expect?.toLowerCase() === "100-continue";
    // Without listeners an error of theirs, such as a client that has just left, would be one of the process.
    incoming.on("error", ignore);
    response.on("error", ignore);
  }

  /** Aborts when the client leaves before its answer has ended. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Its body is about to be read. Node ends the connection of a request that is answered without. */
  askForBody(): void {
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    const { response } = this;
    if (response.socket !== null) response.writeContinue();
    // Behind answers that are still to come, Node would put it within its own.
    else
      response.once("socket", () => {
        if (!response.headersSent) response.writeContinue();
      });
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

function ignore(): void {}
