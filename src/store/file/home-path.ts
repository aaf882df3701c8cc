import { homedir } from "node:os";
import { resolve } from "node:path";

/** An absolute path; a leading `~` is the home directory. */
export function homePath(path: string): string {
  return resolve(path.replace(/^~(?=$|[/\\])/, () => homedir()));
}
