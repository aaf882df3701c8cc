import { LRUCache } from "lru-cache";
import { sleep } from "../clock.js";
import type { Documents, Step, Surroundings, Written } from "./documents.js";

/** What came of a {@link CompareAndSet.swap}; a refusal may bring the text that stood in the way. */
export type Swap =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly current: string | undefined }
  | { readonly kind: "refused-unseen" };

/** What came of a turn: the text that was there, and what was written in its place, if anything. */
export interface Turn {
  readonly found: string;
  readonly written: Written | undefined;
}

/** The operations of a server that can compare and set. */
export interface CompareAndSet {
  read(key: string): Promise<string | undefined>;
  /** Stores `next` if the text is exactly `expected`; undefined expects no entry. */
  swap(key: string, expected: string | undefined, next: Written): Promise<Swap>;
  /** Waits in line with all others, and runs `step` while nobody else can write; undefined when there is no entry to hold. */
  takeTurn?: ((key: string, step: Step) => Promise<Turn | undefined>) | undefined;
}

/** What this process knows of an entry. */
interface Remembered {
  readonly text: string;
  /** Nobody else has written since this process did before. */
  readonly isAlone: boolean;
}

const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 40;
/** Keys whose last text is remembered; a process uses one or two per principal and resource. */
const MAX_REMEMBERED = 64;

/**
 * Documents over compare-and-set. The whole text is compared, the revision within it included.
 *
 * The text that this process wrote last is tried first, so that an update costs one round trip as long as nobody else
 * writes; and one refusal when somebody does, which brings the current text where the server can.
 *
 * Where the server lets writers take turns, one that was refused does, and goes on so until it finds its own text again:
 * of writers that only try, the last to win knows the text and wins again, while the others are late again and again.
 */
export function compareAndSetDocuments(
  native: CompareAndSet,
  nativeKey: (key: string) => string,
  { clock, random }: Surroundings,
): Documents {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });

  const swap = async (key: string, expected: string | undefined, next: Written): Promise<Swap> => {
    remembered.delete(key);
    const outcome = await native.swap(nativeKey(key), expected, next);
    if (outcome.kind === "done") remembered.set(key, { text: next.text, isAlone: true });
    return outcome;
  };

  const update = async (key: string, step: Step, abandoned: () => boolean): Promise<void> => {
    const last = remembered.get(key);
    const guess = last?.isAlone === true ? tryStep(step, last.text) : undefined;
    let seen: Swap = guess === undefined ? { kind: "refused-unseen" } : await swap(key, last?.text, guess);
    for (let attempt = 0; seen.kind !== "done"; attempt++) {
      if (abandoned()) throw new Error("its time was over");
      if (attempt === MAX_ATTEMPTS) throw new Error(`others were quicker ${MAX_ATTEMPTS} times`);
      const turn = await native.takeTurn?.(nativeKey(key), step);
      if (turn !== undefined) {
        const { found, written } = turn;
        remembered.set(key, { text: written?.text ?? found, isAlone: found === last?.text });
        return;
      }
      const text: string | undefined = seen.kind === "refused" ? seen.current : await native.read(nativeKey(key));
      const next = step(text);
      if (next === undefined) return;
      seen = await swap(key, text, next);
      // Full jitter; the first repeat is at once, because losing once says little. What was seen is old after a pause.
      if (seen.kind !== "done" && attempt > 0) {
        await sleep(clock, random() * Math.min(MAX_PAUSE_MS, 2 ** attempt));
        seen = { kind: "refused-unseen" };
      }
    }
  };

  return { atomicity: "atomic", read: (key) => native.read(nativeKey(key)), update };
}

/** Whatever our memory leads to besides a write has to be said of the store's text. */
function tryStep(step: Step, text: string): Written | undefined {
  try {
    return step(text);
  } catch {
    return undefined;
  }
}
