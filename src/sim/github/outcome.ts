import type { WindowReading } from "./windows.js";
import type { WireReply } from "./wire.js";

/** What became of an exchange: the reply, and what it cost. */
export interface Outcome {
  readonly reply: WireReply;
  readonly units: number;
  /** The window it was booked in. */
  readonly reading: WindowReading;
  readonly refusedBy: "primary" | "secondary" | undefined;
}
