import { randomUUID } from "node:crypto";
import { sleep } from "../clock.js";
import { decodeDocument, isRecord, unreadableDocument } from "./document.js";
import type { Documents, Step, Surroundings } from "./documents.js";
import type { StoreKeyv } from "./store.js";

const MAX_ATTEMPTS = 20;
/** Long enough for a rival that read what we read to have written, on most days. */
const SETTLE_MS = 10;
/** Names of the last writes kept in the document: who finds its own among them was built upon, not overwritten. */
const MAX_WRITES = 16;
const WRITES = "advisoryWrites";

/**
 * Documents through `get` and `set` alone, for an adapter that has nothing better: read, change, write under a new name,
 * and look a moment later whether the name is still there. Two processes that write at the same moment can both see
 * their name and one of them be lost afterwards; hence advisory.
 */
export function advisoryDocuments(keyv: StoreKeyv, { clock, random }: Surroundings): Documents {
  const get = readErrorsSurfacing(keyv);

  const read = async (key: string): Promise<Record<string, unknown> | undefined> => {
    const value = await get(key);
    if (value === undefined || value === null) return undefined;
    if (!isRecord(value)) throw unreadableDocument(key, "it is not a document of ours");
    return value;
  };

  /** As the other kinds of store would have it, so that one decoder judges all. */
  const asText = (value: Record<string, unknown> | undefined): string | undefined => {
    if (value === undefined) return undefined;
    const { [WRITES]: _writes, ...document } = value;
    return JSON.stringify({ value: document });
  };

  const update = async (key: string, step: Step, abandoned: () => boolean): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (abandoned()) throw new Error("its time was over");
      const before = await read(key);
      const next = step(asText(before));
      if (next === undefined) return;
      const name = randomUUID().slice(0, 8);
      const { document } = decodeDocument(key, next.text, clock.now());
      const value = { ...document, [WRITES]: [...namesIn(before), name].slice(-MAX_WRITES) };
      if ((await keyv.set(key, value, next.ttlMs)) === false) throw new Error("the adapter refused the write");
      await sleep(clock, SETTLE_MS * (0.5 + random()));
      const after = await read(key);
      if (after === undefined) throw new Error("what was written is not there");
      if (namesIn(after).includes(name)) return;
    }
    throw new Error(`others were quicker ${MAX_ATTEMPTS} times`);
  };

  return { atomicity: "advisory", read: async (key) => asText(await read(key)), update };
}

function namesIn(value: Record<string, unknown> | undefined): string[] {
  const names = value?.[WRITES];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/**
 * `keyv.get` may turn an error of the adapter into undefined, which reads like an absent document. Keyv 5's `getRaw` does
 * not; Keyv 6 swallows only when somebody listens for its errors, so then we listen too.
 */
function readErrorsSurfacing(keyv: StoreKeyv): (key: string) => Promise<unknown> {
  const { getRaw, listenerCount, on } = keyv as Partial<Emitter>;
  const isVersion5 = "opts" in keyv && typeof getRaw === "function";
  let errors = 0;
  let last: unknown;
  let listening = false;
  const listen = (): void => {
    if (listening || typeof on !== "function") return;
    // On Keyv 6 a first listener would change how the user's own calls fail.
    if (!isVersion5 && !(typeof listenerCount === "function" && listenerCount.call(keyv, "error") > 0)) return;
    listening = true;
    on.call(keyv, "error", (error: unknown) => {
      errors++;
      last = error;
    });
  };
  return async (key) => {
    listen();
    const before = errors;
    const value = isVersion5 ? (await getRaw.call(keyv, key))?.value : await keyv.get(key);
    if ((value === undefined || value === null) && errors !== before) throw last;
    return value;
  };
}

interface Emitter {
  getRaw(key: string): Promise<{ readonly value?: unknown } | undefined>;
  listenerCount(event: string): number;
  on(event: string, listener: (error: unknown) => void): unknown;
}
