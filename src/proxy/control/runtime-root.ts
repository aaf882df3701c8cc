import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SquadRateError } from "../../errors.js";

/** Where all proxies of a user on this machine have their folders. */
export interface RuntimeRoot {
  readonly path: string;
  readonly uid: number;
}

/**
 * `SQUAD_RATE_RUNTIME_DIR`, or `squad-rate` in `XDG_RUNTIME_DIR`, or a folder with the user's number in the one for temporary
 * files. Nothing is made or looked into.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` on Windows, where no client speaks HTTP through a file.
 */
export function runtimeRoot(
  env: Readonly<Record<string, string | undefined>>,
  uid: number | undefined = process.getuid?.(),
): RuntimeRoot {
  if (uid === undefined) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "The proxy of a machine needs Unix sockets; here are none.", {
      remedy:
        "Use Linux, macOS or WSL; on Windows createProxy() of octokit-plugin-squad-rate/proxy serves a loopback port.",
    });
  }
  const given = env.SQUAD_RATE_RUNTIME_DIR;
  if (given) return { path: resolve(given), uid };
  const session = env.XDG_RUNTIME_DIR;
  if (session && belongsTo(session, uid)) return { path: join(session, "squad-rate"), uid };
  return { path: join(tmpdir(), `squad-rate-${uid}`), uid };
}

/** After `su`, and in containers, the variable may speak of somebody else's folder, or of none. */
function belongsTo(path: string, uid: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid;
}
