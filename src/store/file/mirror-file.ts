import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../../clock.js";
import { homePath } from "./home-path.js";
import { writeWhole } from "./whole-file.js";

/** Replaces the mirror as a whole, making its directory if need be; `number` tells this process's writes apart. */
export async function writeMirrorFile(path: string, content: string, number: number, clock: Clock): Promise<void> {
  const absolute = homePath(path);
  await mkdir(dirname(absolute), { recursive: true, mode: 0o700 });
  await writeWhole(absolute, content, `${absolute}.${process.pid}-${number}.tmp`, clock);
}
