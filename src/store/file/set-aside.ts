import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { FILE_MODE, removeSync } from "./whole-file.js";

/**
 * For so long after a document was set aside its absence is an error, to every process: the first to look must not be the
 * only one to learn of the loss, with all others finding what looks like a fresh budget.
 */
const QUARANTINE_MS = 60_000;

/**
 * Moves an unreadable file out of the way, for a human to look at, and leaves a note. To be called under the file's lock.
 *
 * @returns the error that tells of it.
 */
export function setAside(path: string, now: number): Error {
  const aside = `${path}.corrupt-${new Date(now).toISOString().replace(/[:.-]/g, "")}`;
  writeFileSync(notePath(path), JSON.stringify({ setAsideAt: now, as: basename(aside) }), { mode: FILE_MODE });
  renameSync(path, aside);
  return new Error(`the file ${basename(path)} was unreadable and was set aside as ${basename(aside)}`);
}

/** Until when (epoch milliseconds) the file's absence means a loss; undefined when it means that there is none. */
export function quarantinedUntil(path: string, now: number): number | undefined {
  let setAsideAt: unknown;
  try {
    ({ setAsideAt } = JSON.parse(readFileSync(notePath(path), "utf8")) as { readonly setAsideAt?: unknown });
  } catch {
    return undefined;
  }
  // A note from the future is from a clock that is set otherwise; it must not hold for longer than one from now.
  if (typeof setAsideAt === "number" && Math.abs(now - setAsideAt) < QUARANTINE_MS) return setAsideAt + QUARANTINE_MS;
  removeSync(notePath(path));
  return undefined;
}

function notePath(path: string): string {
  return `${path}.note`;
}
