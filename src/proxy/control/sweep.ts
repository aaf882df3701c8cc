import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isGone, parseOwner, thisOwner } from "../../store/file/owner.js";
import { readWholeSync, removeSync } from "../../store/file/whole-file.js";
import type { ProxyFolder } from "./proxy-folder.js";

/**
 * Clears away what killed processes left in a folder that nobody serves: sockets of clients, of which those that live come
 * back by themselves, and the names of owners of locks.
 */
export function sweepFolder(folder: ProxyFolder): void {
  for (const name of readdirSync(folder.clients)) removeSync(join(folder.clients, name));
  const me = thisOwner();
  for (const name of readdirSync(folder.path)) {
    if (!name.endsWith(".owner")) continue;
    const owner = parseOwner(readWholeSync(join(folder.path, name)) ?? "");
    if (owner !== undefined && isGone(owner, me)) removeSync(join(folder.path, name));
  }
}
