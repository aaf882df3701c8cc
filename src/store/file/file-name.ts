import { createHash } from "node:crypto";

/** Leaves room for `.lock.break-…` behind it: names of more than 255 bytes are refused by most file systems. */
const MAX_NAME = 120;
/** A key that is its own file name: short, lower case (some file systems see no difference), nothing reserved. */
const PLAIN = /^[a-z0-9][a-z0-9_-]*$/;
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file#naming-conventions */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;
/** What an altered name ends in; a key that ends so by itself must not pass for one. */
const HASHED = /-[0-9a-f]{16}$/;

/**
 * The name, without extension, of the file that holds `key`: readable, the same on every machine, and different for
 * different keys, which for keys that had to be altered is up to a hash.
 */
export function fileName(key: string): string {
  if (PLAIN.test(key) && key.length <= MAX_NAME && !RESERVED.test(key) && !HASHED.test(key)) return key;
  const readable = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, MAX_NAME - 17);
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `${readable === "" ? "key" : readable}-${hash}`;
}
