import type { AttemptRecord, CallRecord } from "./record.js";
import type { NamedTarget } from "./target.js";

/** What is noted of one call on its way, for its records. */
export interface CallNotes {
  /** Names the call. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The address as it goes over the wire, and what it accepts; undefined before the call has come so far. */
  address: string | undefined;
  accept: string | undefined;
  /** The names of what it asks for, when they have been made. */
  target: NamedTarget | undefined;
  /** Of the wait so far, what was told with an attempt. */
  toldWaitMs: number;
  /** Physical requests that are not over. */
  underWay: number;
  /** Whether the next answer is to be looked into before its record is written, and the record that waits for it. */
  looksInto: boolean;
  held: Writable<AttemptRecord> | undefined;
  units: number;
  /** Of the latest answer. */
  status: number | undefined;
  /** The bucket that an answer named. */
  resource: string | undefined;
  /** Whether the latest request failed by itself, without an answer. */
  unanswered: boolean;
  decision: CallRecord["decision"];
  /** Writes the call's record once it has ended, and all its requests are over. */
  finish: (() => void) | undefined;
}

/** A record that is being made. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function beginNotes(id: string, at: number): CallNotes {
  return {
    id,
    at,
    address: undefined,
    accept: undefined,
    target: undefined,
    toldWaitMs: 0,
    underWay: 0,
    looksInto: false,
    held: undefined,
    units: 0,
    status: undefined,
    resource: undefined,
    unanswered: false,
    decision: undefined,
    finish: undefined,
  };
}
