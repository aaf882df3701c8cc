import { join } from "node:path";
import { SquadRateError } from "../../errors.js";
import { openPrivateFolder } from "./private-folder.js";
import { rootKey } from "./root-key.js";
import type { RuntimeRoot } from "./runtime-root.js";
import { digestOf, type ProxySettings } from "./settings.js";

/** Where one proxy of a machine is found. */
export interface ProxyFolder {
  readonly path: string;
  readonly controlSocket: string;
  /** Held by whoever starts a proxy. */
  readonly startLock: string;
  /** Held by a proxy while it takes the folder over. */
  readonly serveLock: string;
  /** Who serves; see `ProcessFile`. */
  readonly processFile: string;
  readonly log: string;
  /** The sockets of clients. */
  readonly clients: string;
  /** The configurations of gh that commands under way use. */
  readonly overlays: string;
}

/** What the address of a Unix socket has room for on every system. */
const MAX_SOCKET_PATH_BYTES = 103;
const LONGEST_CLIENT = "01234567.sock";

/**
 * The folder of the proxy with these settings, made if need be.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` where it cannot be trusted, or its path is too long for sockets.
 */
export function openProxyFolder(root: RuntimeRoot, settings: ProxySettings): ProxyFolder {
  openPrivateFolder(root.path, root.uid);
  const folder = proxyFolderAt(join(root.path, digestOf(settings, rootKey(root.path))));
  const longest = Buffer.byteLength(join(folder.clients, LONGEST_CLIENT));
  if (longest > MAX_SOCKET_PATH_BYTES) {
    const excess = longest - MAX_SOCKET_PATH_BYTES;
    throw new SquadRateError(
      "SQUAD_RATE_OPTIONS",
      `The folder ${root.path} has a path ${excess} bytes too long for sockets.`,
      {
        remedy: "Set SQUAD_RATE_RUNTIME_DIR to a folder with a shorter path.",
      },
    );
  }
  makeProxyFolder(folder, root.uid);
  return folder;
}

/** Makes what is missing of it: folders for temporary files are swept now and then. */
export function makeProxyFolder({ path, clients, overlays }: ProxyFolder, uid: number): void {
  for (const each of [path, clients, overlays]) openPrivateFolder(each, uid);
}

export function proxyFolderAt(path: string): ProxyFolder {
  return {
    path,
    controlSocket: join(path, "control.sock"),
    startLock: join(path, "start.lock"),
    serveLock: join(path, "serve.lock"),
    processFile: join(path, "proxy.json"),
    log: join(path, "proxy.log"),
    clients: join(path, "clients"),
    overlays: join(path, "gh"),
  };
}
