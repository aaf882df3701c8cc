import { randomUUID } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import type { Clock } from "../../../clock.js";
import { parseStoreAddress } from "../../../store/address.js";
import { atomicUpdate } from "../../../store/atomic-update.js";
import { homePath } from "../../../store/file/home-path.js";
import type { Store } from "../../../store/store.js";
import type { CommandContext } from "../../context.js";
import { withStore } from "../pool/with-store.js";
import { roughly } from "../status/words.js";
import type { Check, Finding } from "./check.js";
import { serverAheadMs } from "./store-clock.js";

/** What lies in a store lives for minutes at the least. */
const CLOCKS_MS = 5_000;

/** As a squad's `storeTimeoutMs` is by default. */
const USUAL_TIMEOUT_MS = 250;

/** Whether the store can be used, how fast, and whether updates of it can be lost. Its probe is deleted again. */
export function storeCheck(context: Pick<CommandContext, "clock" | "err">, uri: string | undefined): Check {
  return {
    name: "store",
    look: async () => {
      if (uri === undefined) {
        return {
          state: "warn",
          found: "none is named, so that every process has its own idea of the quota",
          remedy: "set SQUAD_RATE_STORE or store in squad-rate.config.json",
        };
      }
      const address = parseStoreAddress(uri);
      if (address.kind === "memory") {
        return { state: "warn", found: "memory:, which is one process's own", remedy: "name one that processes share" };
      }
      const folder = address.kind === "file" ? lookAtFolder(homePath(address.path)) : undefined;
      if (folder !== undefined) return folder;
      return withStore(context, { store: uri }, (store) => tryStore(store, context.clock));
    },
  };
}

async function tryStore(store: Store, clock: Clock): Promise<Finding> {
  const key = `squad-rate:probe:${randomUUID()}`;
  const began = clock.monotonic();
  try {
    const write = (): Promise<unknown> =>
      atomicUpdate(store, key, (current) => ({ tries: Number(current?.tries ?? 0) + 1 }), { ttlMs: 60_000 });
    // The first one also makes the connection, and proves how updates are made.
    await write();
    const second = clock.monotonic();
    await write();
    const tripMs = clock.monotonic() - second;
    const { uri, atomicity } = store.describe();
    const found = `${uri}: an update takes ${shownMs(tripMs)}, the first one ${shownMs(second - began)}; ${
      atomicity === "atomic" ? "updates are atomic" : `updates are ${atomicity}`
    }`;
    if (atomicity !== "atomic") {
      return {
        state: "warn",
        found,
        remedy: "two processes may lose a change of each other's: use file:, redis: or postgres:",
      };
    }
    const aheadMs = await serverAheadMs(store, () => clock.now());
    if (aheadMs !== undefined && Math.abs(aheadMs) > CLOCKS_MS) {
      const apart = `${roughly(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`;
      return { state: "warn", found: `${found}; its clock is ${apart}`, remedy: "switch time synchronisation on" };
    }
    if (tripMs > USUAL_TIMEOUT_MS / 2) {
      return {
        state: "warn",
        found,
        remedy: `squads wait ${USUAL_TIMEOUT_MS} ms for it: use one that is nearer, or raise storeTimeoutMs`,
      };
    }
    return { state: "ok", found };
  } finally {
    // It runs out by itself, and what it failed with is not what this is about.
    await store.keyv.delete(key).catch(() => undefined);
  }
}

/** What is wrong with the folder of a file store; undefined if nothing is. */
function lookAtFolder(path: string): Finding | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    return {
      state: "warn",
      found: `${path} is not there yet; the first squad makes it`,
      remedy: "which is fine if the path is right",
    };
  }
  if (!stats.isDirectory()) return { state: "bad", found: `${path} is no folder`, remedy: "name a folder" };
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return { state: "bad", found: `${path} cannot be written to`, remedy: `chown or chmod it for this user` };
  }
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8);
    return {
      state: "warn",
      found: `${path} is open to other users of this machine (mode ${mode}), and answers of private repositories lie in it`,
      remedy: `chmod 700 ${path}, unless they are to share it`,
    };
  }
  return undefined;
}

function shownMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
