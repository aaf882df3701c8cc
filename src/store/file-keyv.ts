import type { Documents } from "./documents.js";
import { FileStore, type FileStoreOptions } from "./file/file-store.js";
import { makeKeyv } from "./make-keyv.js";
import type { Opened } from "./opened.js";

/** A Keyv on a directory, and its documents. */
export async function openFiles(options: FileStoreOptions): Promise<Opened & { readonly documents: Documents }> {
  const adapter = new FileStore(options);
  return {
    keyv: await makeKeyv(adapter),
    documents: adapter.documents,
    close: () => adapter.disconnect(),
    breakOff: () => {},
  };
}
