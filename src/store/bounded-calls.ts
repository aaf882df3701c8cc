import type { Clock } from "../clock.js";
import { withDeadline } from "./deadline.js";
import type { Documents } from "./documents.js";
import { storeError } from "./store-error.js";

/** What every call of a store is bounded by. */
export interface CallLimits {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The store's address as it may be shown. */
  readonly where: string;
}

/** The same for an adapter with a connection. */
export interface CallBounds extends CallLimits {
  /** Breaks the connection off, so that the next call makes a new one. */
  readonly breakOff: () => void;
}

/** A call unanswered for so long is not slow: whoever was at the other end is gone without a word. */
const SILENCE_MS = 5_000;

/** Without `clear`, which is made of these, and may take its time. */
const METHODS = ["get", "getMany", "set", "setMany", "delete", "deleteMany", "has", "hasMany"] as const;

/**
 * Puts a deadline on every call of an adapter of ours, and makes its errors `SQUAD_RATE_STORE` errors without
 * credentials. Sockets of a store do not keep the process alive; the deadline's timer does, while somebody waits.
 */
export function boundCalls(adapter: object, bounds: CallBounds): void {
  const methods = adapter as Record<string, unknown>;
  for (const name of METHODS) {
    const method = methods[name];
    if (typeof method !== "function") continue;
    methods[name] = (...given: unknown[]): Promise<unknown> =>
      bounded(bounds, `${name} an entry`, async () => method.apply(adapter, given));
  }
  const { iterator } = adapter as { iterator?: (namespace?: string) => AsyncIterator<unknown> };
  if (iterator === undefined) return;
  methods.iterator = async function* (namespace?: string): AsyncGenerator<unknown> {
    const entries = iterator.call(adapter, namespace);
    for (;;) {
      const step = await bounded(bounds, "list its entries", () => entries.next());
      if (step.done === true) return;
      yield step.value;
    }
  };
}

async function bounded<T>(bounds: CallBounds, doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline(bounds.clock, bounds.timeoutMs, watched(bounds, work));
  } catch (cause) {
    throw storeError(bounds.where, doing, cause);
  }
}

/** Documents whose server is watched likewise; their deadline is the update queue's. */
export function watchDocuments(documents: Documents, bounds: CallBounds): Documents {
  return {
    atomicity: documents.atomicity,
    read: (key) => watched(bounds, () => documents.read(key)),
    update: (key, step, abandoned) => watched(bounds, () => documents.update(key, step, abandoned)),
  };
}

async function watched<T>({ clock, timeoutMs, breakOff }: CallBounds, work: () => Promise<T>): Promise<T> {
  const cancel = clock.timer(Math.max(SILENCE_MS, timeoutMs), breakOff, { unref: true });
  try {
    return await work();
  } finally {
    cancel();
  }
}
