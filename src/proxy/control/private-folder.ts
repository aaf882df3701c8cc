import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { SquadRateError } from "../../errors.js";

/** What to do where a folder cannot be trusted. */
const ELSEWHERE = "set SQUAD_RATE_RUNTIME_DIR to a folder of your own";

/**
 * Makes sure that there is a folder at `path` that only this user can enter: what lies in it are sockets that send requests
 * with somebody's token.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` where it is a link, not a folder, somebody else's or open to others.
 */
export function openPrivateFolder(path: string, uid: number): void {
  const why = whyUnsafe(made(path), uid);
  if (why !== undefined) throw unsafe(`The folder ${path} ${why.is}`, why.remedy(path));
}

/** What is at `path`: a folder, where there was nothing. */
function made(path: string): Stats {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      mkdirSync(path, { mode: 0o700 });
      // Whatever the umask is.
      chmodSync(path, 0o700);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    return lstatSync(path);
  } catch (cause) {
    throw unsafe(`The folder ${path} cannot be made (${(cause as NodeJS.ErrnoException).code})`, ELSEWHERE, cause);
  }
}

interface Unsafe {
  readonly is: string;
  remedy(path: string): string;
}

function whyUnsafe(found: Stats, uid: number): Unsafe | undefined {
  if (found.isSymbolicLink()) return { is: "is a link", remedy: () => ELSEWHERE };
  if (!found.isDirectory()) return { is: "is no folder", remedy: () => ELSEWHERE };
  if (found.uid !== uid) return { is: "belongs to another user", remedy: () => ELSEWHERE };
  if ((found.mode & 0o077) !== 0) return { is: "is open to others", remedy: (path) => `close it: chmod 700 ${path}` };
  return undefined;
}

function unsafe(message: string, remedy: string, cause?: unknown): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `${message}.`, { remedy: `${remedy}.`, cause });
}
