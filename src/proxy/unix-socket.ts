import { chmod, lstat, unlink } from "node:fs/promises";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { SquadRateError } from "../errors.js";

/** As many bytes as an address of a Unix socket has room for on every system. */
const MAX_PATH_BYTES = 103;

/**
 * Lets `server` listen on a Unix socket that its user alone can reach. A socket that nobody listens on is replaced.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` when the folder is not its user's alone, or something is there already.
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw socketError(
      `is longer than the ${MAX_PATH_BYTES} bytes that a socket's path may have`,
      "Use a shorter path.",
    );
  }
  await checkFolder(dirname(path));
  await removeStale(path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((cause: unknown) => {
    throw socketError(`${path} could not be listened on`, "Choose a path in a folder of your own.", cause);
  });
  // Until here the folder alone keeps others out.
  await chmod(path, 0o600);
}

async function checkFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  const remedy = `Make it with \`mkdir -m 700 ${folder}\`, or choose another folder.`;
  if (found?.isDirectory() !== true) throw socketError(`is to be in ${folder}, which is no folder`, remedy);
  const uid = process.getuid?.();
  if (uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0)) return;
  throw socketError(
    `is to be in ${folder}, which others can enter`,
    `Run \`chmod 700 ${folder}\`, or choose another folder.`,
  );
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw socketError(`${path} is there already, and is no socket`, "Choose another path.");
  if (await isListenedOn(path))
    throw socketError(`${path} is in use`, "Choose another path, or end what listens there.");
  await unlink(path).catch(() => undefined);
}

function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    // Refused: a process died and left it. Anything else, such as a full queue, is somebody.
    socket.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}

function socketError(what: string, remedy: string, cause?: unknown): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `client.socketPath ${what}.`, { remedy, cause });
}
