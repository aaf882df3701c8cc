import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { homePath } from "../../../store/file/home-path.js";
import type { Check, Finding } from "./check.js";

/** Whether a trace can be written. */
export function traceCheck(trace: string | false | undefined): Check {
  return {
    name: "trace",
    look: async (): Promise<Finding> => {
      if (trace === false) return { state: "ok", found: "switched off" };
      if (trace === undefined)
        return { state: "ok", found: "none; SQUAD_RATE_TRACE names a file, for squad-rate report" };
      const path = homePath(trace);
      const own = statsOf(path);
      if (own?.isDirectory() === true) return { state: "bad", found: `${path} is a folder`, remedy: "name a file" };
      const place = own === undefined ? nearest(dirname(path)) : path;
      if (own === undefined && statsOf(place)?.isDirectory() !== true) {
        return { state: "bad", found: `${path} cannot be made: ${place} is no folder`, remedy: "name another file" };
      }
      try {
        accessSync(place, constants.W_OK);
      } catch {
        const found = `${path} cannot be written: ${place} is not yours to write to`;
        return { state: "bad", found, remedy: "name another file, or chmod it" };
      }
      return { state: "ok", found: own === undefined ? `${path}, which is not there yet` : path };
    },
  };
}

/** Folders that are missing are made. */
function nearest(path: string): string {
  const above = dirname(path);
  return above === path || statsOf(path) !== undefined ? path : nearest(above);
}

/** Undefined when there is nothing, also because what should be a folder is none. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
