import { randomBytes } from "node:crypto";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { readWholeSync, removeSync, writePrivateSync } from "../../store/file/whole-file.js";

/** The key of this user's folder names; made when there is none, by whoever is first. */
export function rootKey(root: string): string {
  const path = join(root, "key");
  for (let attempt = 0; ; attempt++) {
    const found = readWholeSync(path);
    if (found !== undefined) return found;
    const made = randomBytes(16).toString("hex");
    const temporary = `${path}.${process.pid}-${made.slice(0, 8)}`;
    writePrivateSync(temporary, made);
    try {
      // A link appears with its content, and only where there is nothing yet.
      linkSync(temporary, path);
      return made;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt > 2) throw error;
    } finally {
      removeSync(temporary);
    }
  }
}
