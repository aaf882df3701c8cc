import { redact } from "../call/redact.js";
import { publish } from "../events.js";

/** Says on `squad-rate:fault` that something inside went wrong; the call in question goes on without it. */
export function reportFault(what: string, cause: unknown): void {
  publish("squad-rate:fault", () => ({
    what: redact(what),
    cause: cause === undefined ? undefined : redact(messageOf(cause)),
  }));
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
