import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** What an import loads at once. */
export interface LoadedModules {
  readonly packages: readonly { readonly name: string; readonly files: number; readonly bytes: number }[];
  /** Names with `node:`. */
  readonly builtins: readonly string[];
}

/** Runs on the loader's thread and names each module as it is loaded; those of CommonJS that others require come later. */
const HOOKS = `
  import { writeSync } from "node:fs";
  export async function load(url, context, nextLoad) {
    writeSync(1, url + "\\n");
    return nextLoad(url, context);
  }`;

const run = promisify(execFile);

/** The modules that `name` loads when it is imported alone, ours first and then the largest. */
export async function loadedBy(name: string): Promise<LoadedModules> {
  const asModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
  const registration = `import { register } from "node:module"; register(${JSON.stringify(asModule(HOOKS))});`;
  const script = `
    await import(${JSON.stringify(name)});
    const { createRequire } = await import("node:module");
    const { pathToFileURL } = await import("node:url");
    const { cache } = createRequire(process.cwd() + "/");
    for (const path of Object.keys(cache)) console.log(pathToFileURL(path).href);`;
  const options = ["--import", asModule(registration), "--input-type=module", "--eval", script];
  const { stdout } = await run(process.execPath, options);
  const urls = [...new Set(stdout.trim().split("\n"))].filter((url) => !url.includes("[eval1]"));

  const byPackage = new Map<string, { files: number; bytes: number }>();
  for (const url of urls.filter((loaded) => loaded.startsWith("file:"))) {
    const owner = url.split("/node_modules/").at(-1) as string;
    const names = owner === url ? [name] : owner.split("/").slice(0, owner.startsWith("@") ? 2 : 1);
    const sum = byPackage.get(names.join("/")) ?? { files: 0, bytes: 0 };
    sum.files++;
    sum.bytes += (await stat(fileURLToPath(url))).size;
    byPackage.set(names.join("/"), sum);
  }
  const packages = [...byPackage].map(([owner, sum]) => ({ name: owner, ...sum }));
  packages.sort((a, b) => Number(b.name === name) - Number(a.name === name) || b.bytes - a.bytes);
  const own = new Set(["node:module", "node:url"]);
  return { packages, builtins: urls.filter((url) => url.startsWith("node:") && !own.has(url)).sort() };
}
