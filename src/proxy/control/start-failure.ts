import { readWholeSync, removeSync, writePrivateSync } from "../../store/file/whole-file.js";
import type { ProxyFolder } from "./proxy-folder.js";

/** Tells others who wait for the same proxy why it did not start, so that they do not try one after the other. */
export function tellStartFailure(folder: ProxyFolder, at: number, why: string): void {
  forgetStartFailure(folder);
  writePrivateSync(fileIn(folder), JSON.stringify({ at, why }));
}

/** Why a start failed that ended at `since` (epoch milliseconds) or later. */
export function startFailureSince(folder: ProxyFolder, since: number): string | undefined {
  try {
    const { at, why } = JSON.parse(readWholeSync(fileIn(folder)) ?? "null");
    return at >= since && typeof why === "string" ? why : undefined;
  } catch {
    return undefined;
  }
}

export function forgetStartFailure(folder: ProxyFolder): void {
  removeSync(fileIn(folder));
}

function fileIn(folder: ProxyFolder): string {
  return `${folder.processFile}.failed`;
}
