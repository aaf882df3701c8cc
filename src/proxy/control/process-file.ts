import { renameSync } from "node:fs";
import { readWholeSync, removeSync, writePrivateSync } from "../../store/file/whole-file.js";

/** Who serves a folder, or served it last. */
export interface ServingProcess {
  readonly pid: number;
  /** Of the loopback address; a proxy that comes back takes the same, so that base URLs stay. */
  readonly port: number;
  readonly version: string;
  readonly protocol: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

export function writeProcessFile(path: string, serving: ServingProcess): void {
  const temporary = `${path}.${serving.pid}`;
  removeSync(temporary);
  writePrivateSync(temporary, `${JSON.stringify(serving)}\n`);
  renameSync(temporary, path);
}

/** Undefined when there is none that can be read: it is a hint, not a promise. */
export function readProcessFile(path: string): ServingProcess | undefined {
  try {
    const { pid, port, version, protocol, startedAt } = JSON.parse(readWholeSync(path) ?? "null");
    const sound = [pid, port, protocol, startedAt].every(Number.isSafeInteger) && port >= 0 && port < 65_536 && pid > 0;
    return sound && typeof version === "string" ? { pid, port, version, protocol, startedAt } : undefined;
  } catch {
    return undefined;
  }
}
