import type { Clock } from "../../src/clock.js";
import { Chronicle, type ObservedGitHub, type View } from "./observed-github.js";
import { type Call, type Ending, type Exchange, PENDING } from "./record.js";
import { keyOf, type Timeline } from "./timeline.js";
import { trickle } from "./trickle.js";

/** What a call is, before it is made. */
export type PlannedCall = Pick<Call, "squad" | "view" | "cache"> & { readonly abortAfterMs: number | undefined };

/** Writes down every call and every exchange, and which call an exchange is for. */
export class Recorder {
  readonly calls: Call[] = [];
  readonly exchanges: Exchange[] = [];
  readonly #clock: Clock;
  readonly #chronicle: Chronicle<Exchange>;
  readonly #current = new Chronicle<Call>();
  readonly #pending: Promise<unknown>[] = [];

  constructor(clock: Clock, chronicle: Chronicle<Exchange>) {
    this.#clock = clock;
    this.#chronicle = chronicle;
  }

  /** The address that the running code wants. */
  currentAddress(): string | undefined {
    return this.#current.owner()?.view.url;
  }

  close(): void {
    this.#chronicle.close();
    this.#current.close();
  }

  /** Resolves when every call has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Begins a call; `make` makes it, with a signal if it is to be aborted. */
  async begin(
    { squad, view, cache, abortAfterMs }: PlannedCall,
    timeline: Timeline,
    make: (signal: AbortSignal | undefined) => Promise<Ending>,
  ): Promise<void> {
    const kind = view.method === "GET" || view.method === "HEAD" ? "read" : "write";
    if (kind === "read") await timeline.follow(view, this.#chronicle.tick());
    const call: Call = {
      kind,
      squad,
      view,
      cache,
      startedAt: this.#chronicle.tick(),
      startedMs: this.#clock.monotonic(),
      exchanges: [],
      abortReason: undefined,
      endedAt: PENDING,
      ending: undefined,
    };
    this.calls.push(call);
    const signal = abortAfterMs === undefined ? undefined : this.#abortLater(call, abortAfterMs);
    const made = this.#current.owned(call, () => make(signal));
    const note = (ending: Ending): void => {
      call.ending = ending;
      call.endedAt = this.#chronicle.tick();
    };
    this.#pending.push(made.then(note));
  }

  /** The wire of a squad; half of each body comes `bodyMs` after its head. */
  wireOf(squad: string, github: ObservedGitHub, bodyMs: number): typeof globalThis.fetch {
    return async (input, init) => {
      const call = this.#current.owner();
      if (call === undefined) throw new Error("An exchange that no call asked for.");
      const exchange = this.#open(squad, call, String(input), init);
      try {
        const response = await this.#chronicle.owned(exchange, () => github.fetch(input, init));
        exchange.status = response.status;
        exchange.requestId = response.headers.get("x-github-request-id") ?? undefined;
        exchange.refused =
          response.status === 403 &&
          (response.headers.get("x-ratelimit-remaining") === "0" || response.headers.has("retry-after"));
        const ended = (): void => {
          exchange.bodyEndedAt = this.#chronicle.tick();
        };
        if (bodyMs === 0 || response.body === null) ended();
        return trickle(response, { clock: this.#clock, ms: bodyMs, signal: init?.signal ?? undefined, ended });
      } catch (failure) {
        exchange.failure = failure;
        throw failure;
      } finally {
        exchange.endedAt = this.#chronicle.tick();
      }
    };
  }

  #abortLater(call: Call, afterMs: number): AbortSignal {
    const controller = new AbortController();
    const reason = new Error(`Caller ${this.calls.length} has left.`);
    this.#clock.timer(afterMs, () => {
      call.abortReason = reason;
      controller.abort(reason);
    });
    return controller.signal;
  }

  #open(squad: string, call: Call, url: string, init: RequestInit | undefined): Exchange {
    const headers = new Headers(init?.headers);
    const view: View = {
      method: init?.method ?? "GET",
      url,
      authorization: headers.get("authorization") ?? undefined,
      accept: headers.get("accept") ?? "*/*",
      userAgent: headers.get("user-agent") ?? "",
    };
    if (keyOf(view) !== keyOf(call.view)) throw new Error(`Another request was sent than ${keyOf(call.view)}.`);
    const exchange: Exchange = {
      squad,
      call,
      view,
      startedAt: this.#chronicle.tick(),
      startedMs: this.#clock.monotonic(),
      fires: [],
      endedAt: PENDING,
      bodyEndedAt: PENDING,
      status: undefined,
      failure: undefined,
      requestId: undefined,
      refused: false,
    };
    this.exchanges.push(exchange);
    call.exchanges.push(exchange);
    return exchange;
  }
}
