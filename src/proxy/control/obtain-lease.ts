import { type Clock, sleep } from "../../clock.js";
import { FileLocks } from "../../store/file/file-lock.js";
import { askForLease, type Lease } from "./control-client.js";
import { isServed } from "./is-served.js";
import type { Launched } from "./launch.js";
import { readProcessFile } from "./process-file.js";
import type { Admission } from "./protocol.js";
import type { ProxyFolder } from "./proxy-folder.js";
import { forgetStartFailure, startFailureSince, tellStartFailure } from "./start-failure.js";

export type LeaseOutcome =
  | { readonly kind: "lease"; readonly lease: Lease }
  | { readonly kind: "none"; readonly message: string; readonly remedy: string };

/** A start takes a second; on a machine where fifty commands begin at once, some. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 30;

/**
 * A client of the proxy that serves `folder`. Where none does, one is started: by one of all who ask at the same time, and the
 * others wait for it. `random` (0–1) spreads them.
 */
export async function obtainLease(
  folder: ProxyFolder,
  admission: Admission,
  launch: () => Promise<Launched>,
  clock: Clock,
  random: () => number,
): Promise<LeaseOutcome> {
  const begin = clock.now();
  const until = clock.monotonic() + PATIENCE_MS;
  const locks = new FileLocks(folder.path, clock);
  try {
    for (;;) {
      const outcome = await ask(folder, admission, clock);
      if (outcome !== "nobody") return outcome;
      // Whoever serves and admits nobody is ending.
      const isEnding = await isServed(folder.controlSocket);
      const lock = isEnding ? undefined : locks.tryLock(folder.startLock, true);
      if (lock !== undefined) {
        try {
          const again = await ask(folder, admission, clock);
          if (again !== "nobody") return again;
          const why = startFailureSince(folder, begin) ?? (await start(folder, launch, clock));
          if (why !== undefined) return notStarted(folder, why);
        } finally {
          lock.release();
        }
      } else {
        await sleep(clock, LOOK_AGAIN_MS * (0.5 + random()));
      }
      if (clock.monotonic() >= until) {
        return notStarted(folder, `nobody has started it within ${PATIENCE_MS / 1_000} s`);
      }
    }
  } finally {
    locks.close();
  }
}

async function ask(folder: ProxyFolder, admission: Admission, clock: Clock): Promise<LeaseOutcome | "nobody"> {
  const answer = await askForLease(folder.controlSocket, admission, clock);
  switch (answer.kind) {
    case "nobody":
      return "nobody";
    case "done":
      return { kind: "lease", lease: answer.value };
    case "refused":
      return { kind: "none", message: answer.message, remedy: answer.remedy };
    case "silent": {
      const pid = readProcessFile(folder.processFile)?.pid;
      const remedy = pid === undefined ? `end whoever holds ${folder.controlSocket}` : `end it: kill ${pid}`;
      return { kind: "none", message: "The proxy that runs does not answer", remedy };
    }
  }
}

/** Why it failed, if it did. */
async function start(folder: ProxyFolder, launch: () => Promise<Launched>, clock: Clock): Promise<string | undefined> {
  forgetStartFailure(folder);
  const launched = await launch();
  if (launched.kind === "up") return undefined;
  tellStartFailure(folder, clock.now(), launched.why);
  return launched.why;
}

function notStarted(folder: ProxyFolder, why: string): LeaseOutcome {
  return {
    kind: "none",
    message: `The proxy could not be started: ${why}`,
    remedy: `its log is ${folder.log}`,
  };
}
