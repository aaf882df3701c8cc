import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs the collector, and what it finalizes, until it has had its effect; when that is, is the engine's choice. */
export async function collectGarbageUntil(isDone: () => boolean): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 100 && !isDone(); round++) {
    collect();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
