import { DOCUMENT_VERSION, type PerClass } from "../share/quota-document.js";

/** How long after its reservation a write may be sent, in milliseconds. */
export const RESERVED_FOR_MS = 10_000;

/** Content writes that are sent at `at` at the latest: epoch milliseconds on GitHub's clock, a whole second. */
export type SentBy = readonly [at: number, writes: number];

/** One process, as far as the others have to know. Times are epoch milliseconds on GitHub's clock. */
export interface ContentSpender {
  /** Writes that waited when it asked last, per class, less what it was granted. */
  readonly waiting: PerClass<number>;
  /** They count until then. */
  readonly waitsUntil: number;
  /** Writes that it took of late, as of `tookAt`; what it took a minute ago counts for a third. */
  readonly took: number;
  readonly tookAt: number;
}

/**
 * The content-creating requests that all processes of a principal have sent in the last hour or are about to send, and who
 * waits to send more. It holds counts, times and process ids, and stays below 8 kB.
 */
export interface ContentDocument {
  readonly version: typeof DOCUMENT_VERSION;
  readonly revision: number;
  readonly updatedAt: number;
  /** By time, the oldest first. */
  readonly sent: readonly SentBy[];
  readonly spenders: { readonly [spender: string]: ContentSpender };
}

/**
 * How many processes are listed: those that wait, and those that took something within the hour. Who comes to a full
 * document is served and not listed, unless it waits with more urgent work.
 */
export const MAX_SPENDERS = 40;

/** GitHub takes 500 an hour; whoever has more waiting is served no sooner for saying so. */
export const MAX_WAITING = 1_000;

/** A process's id ends in what makes it unique. */
const MAX_NAME = 24;

/** The name that a document lists a process by: short, and never longer as JSON than it is. */
export function spenderName(spender: string): string {
  return spender.replace(/[^\w.~-]/g, "_").slice(-MAX_NAME);
}

/** A document of which nobody has written anything yet. */
export function emptyContentDocument(): ContentDocument {
  return { version: DOCUMENT_VERSION, revision: 0, updatedAt: 0, sent: [], spenders: {} };
}

/** What waits when `writes` have been granted, the most urgent first. */
export function withoutMostUrgent(waiting: PerClass<number>, writes: number): PerClass<number> {
  const [urgent, usual, idle] = waiting;
  const fromUsual = Math.max(0, writes - urgent);
  const fromIdle = Math.max(0, fromUsual - usual);
  return [Math.max(0, urgent - writes), Math.max(0, usual - fromUsual), Math.max(0, idle - fromIdle)];
}

/** Writes of all classes together. */
export function total([urgent, usual, idle]: PerClass<number>): number {
  return urgent + usual + idle;
}
