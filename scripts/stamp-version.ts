import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** Writes package.json's version into `src/version.ts`; part of `npm run version-packages`. */
const root = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { readonly version: string };
const file = resolve(root, "src/version.ts");
const source = readFileSync(file, "utf8");
const constant = /(?<=export const VERSION = ")[^"]*(?=")/;
if (!constant.test(source)) throw new Error("src/version.ts has no VERSION to stamp.");
writeFileSync(file, source.replace(constant, version));
