import type { CallRecord } from "../trace/record.js";
import type { Call } from "./call.js";
import type { Wire } from "./wire.js";

/** Notes for the trace what a request asks for, as it goes over the wire. */
export function noteAddress({ notes }: Call, wire: Wire): void {
  if (notes === undefined) return;
  notes.address = wire.url;
  notes.accept = wire.header("accept");
}

/** Notes for the trace what holds a call up; the latest counts. */
export function noteDecision({ notes }: Call, kind: NonNullable<CallRecord["decision"]>["kind"], why: string): void {
  if (notes !== undefined) notes.decision = { kind, why };
}
