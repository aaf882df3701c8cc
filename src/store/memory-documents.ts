import { unreadableDocument } from "./document.js";
import type { Documents, Step } from "./documents.js";

/** How a Map's entries are laid down: Keyv 5 stores texts, Keyv 6 objects with the text in them. */
export type MemoryLayout = "text" | "boxed";

/** Documents in this process's memory: nothing can come between reading and writing. */
export function memoryDocuments(
  map: Map<string, unknown>,
  layout: MemoryLayout,
  nativeKey: (key: string) => string,
): Documents {
  const read = (key: string): string | undefined => {
    const entry = map.get(nativeKey(key));
    if (entry === undefined) return undefined;
    const text = layout === "boxed" ? (entry as { readonly value?: unknown } | null)?.value : entry;
    if (typeof text === "string") return text;
    throw unreadableDocument(key, "it is not a text");
  };
  return {
    atomicity: "atomic",
    read: async (key) => read(key),
    async update(key: string, step: Step) {
      const next = step(read(key));
      if (next === undefined) return;
      map.set(nativeKey(key), layout === "boxed" ? { value: next.text, expires: undefined } : next.text);
    },
  };
}
