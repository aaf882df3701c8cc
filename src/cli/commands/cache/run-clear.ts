import { STORED_ANSWERS_PREFIX } from "../../../cache/stored-answers.js";
import { some } from "../../../report/words/format.js";
import { listKeys } from "../../../store/list-keys.js";
import type { Store } from "../../../store/store.js";
import { CommandEnd } from "../../command-end.js";
import { confirmed } from "../../confirm.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { loadSettings } from "../../settings.js";
import type { Flags } from "../../shared-options.js";
import { showProgress } from "../../show/progress.js";
import { withStore } from "../pool/with-store.js";

/** One step of the listing, of a store that may be large. */
const STEP_MS = 10_000;
/** Deletions under way at once. */
const AT_ONCE = 16;

/** What `squad-rate cache clear` does. */
export async function runClearCache(
  context: CommandContext,
  { yes }: { readonly yes?: boolean },
  flags: Flags,
): Promise<void> {
  const settings = await loadSettings(context, flags);
  const { clock, err, out, signal } = context;
  await withStore(context, settings, async (store) => {
    const where = store.describe().uri;
    const doing = { text: "looking for kept answers" };
    const progress = showProgress({ output: err, clock, text: () => doing.text, quiet: flags.quiet });
    try {
      const keys = await answersIn(store, { clock, timeoutMs: STEP_MS, where });
      if (keys.length === 0) {
        out.write(`No answers are kept in ${where}.\n`);
        return;
      }
      progress.end();
      await confirmed(context, `Delete ${some(keys.length, "kept answer")} from ${where}?`, yes);
      const deleted = await deleteAll(store, keys, signal, (done) => {
        doing.text = `deleted ${done} of ${keys.length}`;
      });
      signal.throwIfAborted();
      out.write(
        `${some(deleted, "kept answer")} deleted from ${where}. Processes that run keep theirs in memory until they end.\n`,
      );
    } finally {
      progress.end();
    }
  });
}

async function answersIn(store: Store, limits: Parameters<typeof listKeys>[2]): Promise<readonly string[]> {
  const listed = listKeys(store.keyv, STORED_ANSWERS_PREFIX, limits);
  if (listed === undefined) {
    throw new CommandEnd(EXIT.unavailable, {
      message: `${limits.where} cannot list its keys`,
      remedy: "kept answers run out by themselves, after seven days by default",
    });
  }
  const keys: string[] = [];
  for await (const key of listed) keys.push(key);
  return keys;
}

async function deleteAll(
  store: Store,
  keys: readonly string[],
  signal: AbortSignal,
  onDone: (done: number) => void,
): Promise<number> {
  let next = 0;
  let deleted = 0;
  const work = async (): Promise<void> => {
    for (let key = keys[next++]; key !== undefined && !signal.aborted; key = keys[next++]) {
      await store.keyv.delete(key);
      onDone(++deleted);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return deleted;
}
