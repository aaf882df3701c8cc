import { type Clock, systemClock } from "../clock.js";
import { SquadRateError } from "../errors.js";
import { describeAddress, parseStoreAddress, type StoreAddress } from "./address.js";
import { type CallLimits, watchDocuments } from "./bounded-calls.js";
import { withDeadline } from "./deadline.js";
import type { Documents } from "./documents.js";
import { makeKeyv } from "./make-keyv.js";
import type { Opened } from "./opened.js";
import { proveDocuments } from "./prove-documents.js";
import { Proving } from "./proving.js";
import type { Atomicity, Store, StoreDescription, StoreKeyv, StoreOptions } from "./store.js";
import { storeError } from "./store-error.js";
import { UpdateQueue } from "./update-queue.js";

interface Resolved {
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly onWarning: (message: string) => void;
}

/** What is behind a store, before the update queue is put in front of it. */
interface Backing {
  readonly kind: StoreDescription["kind"];
  readonly where: string;
  readonly opened: Opened;
  /** Undefined: to be proved. */
  readonly documents: Documents | undefined;
}

/** What `openStore` does; a file of its own, so that it is loaded only when a store is opened. */
export async function openTarget(target: string | StoreKeyv, options: StoreOptions): Promise<Store> {
  const resolved: Resolved = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    timeoutMs: checkTimeout(options.timeoutMs ?? 250),
    onWarning: options.onWarning ?? (() => {}),
  };
  const backing = typeof target === "string" ? await openAddress(target, resolved) : handedIn(target);
  return buildStore(backing, resolved);
}

async function openAddress(uri: string, resolved: Resolved): Promise<Backing> {
  const address = parseStoreAddress(uri);
  const where = describeAddress(address);
  try {
    const opened = await openKind(address, { ...resolved, where });
    return { kind: address.kind, where, opened, documents: opened.documents };
  } catch (cause) {
    throw storeError(where, "open", cause);
  }
}

async function openKind(
  address: StoreAddress,
  resolved: Resolved & CallLimits,
): Promise<Opened & { readonly documents?: Documents | undefined }> {
  switch (address.kind) {
    case "memory": {
      const keyv = await makeKeyv(new Map<string, unknown>());
      return { keyv, close: async () => {}, breakOff: () => {} };
    }
    case "file": {
      const { openFiles } = await import("./file-keyv.js");
      return openFiles({ ...resolved, directory: address.path });
    }
    case "redis": {
      const { openRedis } = await import("./redis.js");
      return openRedis(address.url, resolved);
    }
    case "postgres": {
      const { openPostgres } = await import("./postgres.js");
      return openPostgres(address.url, resolved);
    }
  }
}

function handedIn(keyv: StoreKeyv): Backing {
  for (const method of ["get", "set", "delete"] as const) {
    if (typeof (keyv as Partial<StoreKeyv> | null)?.[method] === "function") continue;
    throw new SquadRateError(
      "SQUAD_RATE_OPTIONS",
      `A store must be a URI or a Keyv; what was given has no ${method}().`,
    );
  }
  // It is the user's: its connections are neither bounded nor closed here.
  const opened: Opened = { keyv, close: async () => {}, breakOff: () => {} };
  return { kind: "keyv", where: "keyv:", opened, documents: undefined };
}

function buildStore({ kind, where, opened, documents }: Backing, resolved: Resolved): Store {
  const { clock, timeoutMs, onWarning } = resolved;
  const { keyv } = opened;
  let atomicity: Atomicity = documents?.atomicity ?? "unproven";
  const proved = (found: Documents): Documents => {
    atomicity = found.atomicity;
    if (atomicity === "advisory") {
      onWarning(
        "The store's adapter has no atomic update: when two processes change the pool at the same moment, one change may be lost. Use file:, redis: or postgres:.",
      );
    }
    return watchDocuments(found, { ...resolved, where, breakOff: opened.breakOff });
  };
  const proving = new Proving({ prove: () => proveDocuments(keyv, resolved), proved, clock, timeoutMs });
  const known = documents && Promise.resolve(documents);

  const updates = new UpdateQueue({ documents: () => known ?? proving.documents(), clock, timeoutMs, where });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      updates.close();
      proving.close();
      // A hung server lets no connection end in peace.
      await withDeadline(clock, timeoutMs, opened.close()).catch(() => opened.breakOff());
    })();
    return closing;
  };
  return {
    keyv,
    updates,
    describe: () => ({ kind, uri: where, atomicity }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function checkTimeout(timeoutMs: number): number {
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= 60_000) return timeoutMs;
  throw new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    `timeoutMs must be a whole number from 1 to 60,000 milliseconds; got ${String(timeoutMs)}.`,
  );
}
