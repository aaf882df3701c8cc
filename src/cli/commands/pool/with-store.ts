import { existsSync } from "node:fs";
import { parseStoreAddress } from "../../../store/address.js";
import { homePath } from "../../../store/file/home-path.js";
import { openStore } from "../../../store/open-store.js";
import type { Store } from "../../../store/store.js";
import { CommandEnd } from "../../command-end.js";
import type { Settings } from "../../config.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";

/** A person waits longer than a call does. */
const TIMEOUT_MS = 2_000;

const HOUR_MS = 3_600_000;

const NAME_ONE =
  "name the one that your agents use: --store file:~/.squad/store, SQUAD_RATE_STORE, or store in squad-rate.config.json";

/**
 * Opens the store of the settings, for as long as `work` lasts. A folder that nobody has made is not made here.
 *
 * @throws CommandEnd `EXIT.unavailable` where there is none to look into; SquadRateError `SQUAD_RATE_STORE` when it fails.
 */
export async function withStore<T>(
  { clock, err }: Pick<CommandContext, "clock" | "err">,
  { store: uri }: Pick<Settings, "store">,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (uri === undefined) throw new CommandEnd(EXIT.unavailable, { message: "no store is named", remedy: NAME_ONE });
  checkThatThereIsOne(uri);
  // Connections to a store keep no process alive, and this one has nothing else to live for.
  const cancel = clock.timer(HOUR_MS, () => undefined);
  try {
    const onWarning = (message: string): void => err.write(`squad-rate: ${message}\n`);
    const store = await openStore(uri, { clock, timeoutMs: TIMEOUT_MS, onWarning });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    cancel();
  }
}

function checkThatThereIsOne(uri: string): void {
  const address = parseStoreAddress(uri);
  if (address.kind === "memory") {
    throw new CommandEnd(EXIT.unavailable, {
      message: "the store memory: lies in the process that opened it, and cannot be seen from another",
      remedy: NAME_ONE,
    });
  }
  if (address.kind === "file" && !existsSync(homePath(address.path))) {
    throw new CommandEnd(EXIT.unavailable, {
      message: `there is no folder ${homePath(address.path)}: no squad has used this store on this machine`,
      remedy: "compare it with the store that your agents use",
    });
  }
}
