import type { Clock } from "../../clock.js";
import type { SimulatedGitHub } from "../github/surface.js";
import { CALL_HEADER, type CallBook } from "./call-book.js";
import type { FleetProcess } from "./process.js";

/** A machine's clock that is off by `skewMs`. Timers are right, and stand still with the machine. */
export function skewedClock({ clock }: FleetProcess, skewMs: number): Clock {
  return {
    now: () => clock.now() + skewMs,
    monotonic: () => clock.monotonic(),
    timer: (ms, callback) => clock.timer(ms, callback),
  };
}

/** A process's way to GitHub: what it has sent arrives, even when it has just died; no answer reaches a dead process. */
export function seatFetch(github: SimulatedGitHub, process: FleetProcess, book: CallBook): typeof globalThis.fetch {
  return (input, init) => {
    const tag = headerOf(input, init);
    if (tag !== undefined) book.sent(tag);
    return new Promise((resolve, reject) => {
      github.fetch(input, init).then(
        (response) => process.in(() => resolve(response)),
        (error) => process.in(() => reject(error)),
      );
    });
  };
}

function headerOf(input: RequestInfo | URL, init: RequestInit | undefined): string | undefined {
  const headers = init?.headers ?? (input instanceof Request ? input.headers : undefined);
  if (headers === undefined) return undefined;
  if (headers instanceof Headers) return headers.get(CALL_HEADER) ?? undefined;
  if (Array.isArray(headers)) return headers.find(([name]) => name?.toLowerCase() === CALL_HEADER)?.[1];
  return (headers as Readonly<Record<string, string>>)[CALL_HEADER];
}
