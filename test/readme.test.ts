import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createSquad, type Denial, isSquadRateError, type SquadOptions } from "../src/index.js";
import { newSpender, type SpenderState } from "../src/policy/spender.js";
import { whyWait } from "../src/pool/why-wait.js";
import { createSimulatedGitHub } from "../src/sim/index.js";

/**
 * Every `ts` block of the README is a program: it is type-checked as a user's would be, and run against a simulated
 * GitHub. What a line prints must be what its comment says, unless that begins with "such as".
 */

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
const folder = join(root, "temp/readme");
const readme = await readFile(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```ts *(.*)\n([\s\S]*?)^```$/gm)].map(([, words = "", code = ""], index) => ({
  name: `block-${index + 1}`,
  words,
  code,
  title: code.split("\n").findLast((line) => line.includes("console.log")) ?? "",
}));

describe("the programs in README.md", () => {
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const { name, code } of blocks) await writeFile(join(folder, `${name}.ts`), code);
    const compilerOptions = { noEmit: false, rootDir: "../..", outDir: "out" };
    const include = ["*.ts", "../../test/readme/sandbox.ts"];
    const config = { extends: "../../tsconfig.json", compilerOptions, include };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    // tsc writes its complaints to stdout, which an error does not show by itself.
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { cwd: root }).catch(
      ({ stdout }: { readonly stdout: string }) => Promise.reject(new Error(stdout)),
    );
  }, 120_000);

  it.each(blocks)("$name prints what it says: $title", async ({ name, words, code }) => {
    const out = join(folder, "out");
    const args = ["--import", join(out, "test/readme/sandbox.js"), join(out, `temp/readme/${name}.js`)];
    const env = { ...process.env, README_BLOCK: words, NO_COLOR: "1" };

    const { stdout } = await run(process.execPath, args, { cwd: root, env });

    const printed = stdout.split("\n").slice(0, -1);
    const said = [...code.matchAll(/console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map(([, comment]) => comment);
    const expected = said.map((text, line) => (text?.startsWith("such as ") === false ? text : printed[line]));
    expect(printed).toEqual(expected);
  });
});

describe("the tables in README.md", () => {
  it.each([
    { prefix: "", options: { nothing: 1 } },
    { prefix: "cache.", options: { cache: { nothing: 1 } } },
    { prefix: "light.", options: { light: { nothing: 1 } } },
    { prefix: "pool.", options: { pool: { nothing: 1 } } },
    { prefix: "retry.", options: { retry: { nothing: 1 } } },
    { prefix: "secondary.", options: { secondary: { nothing: 1 } } },
    { prefix: "pacing.", options: { pacing: { nothing: 1 } } },
    { prefix: "graphql.", options: { graphql: { nothing: 1 } } },
    { prefix: "trace.", options: { trace: { nothing: 1 } } },
  ])("have a row for each option squad.$prefix*", async ({ prefix, options }) => {
    const names = await namesIn(async () => createSquad(options as SquadOptions));

    for (const name of names) expect(readme).toContain(`| \`${prefix}${name}\` |`);
  });

  it("name each option of a call", async () => {
    const [, section = ""] = /### Options of one call\n([\s\S]*?)\n## /.exec(readme) ?? [];
    const squad = createSquad();
    const names = await namesIn(() => squad.fetch("https://api.github.com/", { squad: { nothing: 1 } as object }));

    for (const name of names) expect(section).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|`, "m"));
  });
});

describe("the status in README.md", () => {
  it("has the parts of a real one", async () => {
    const [, json = ""] = /^```json\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const github = createSimulatedGitHub();
    github.world.addToken("ghp_test", "mona");
    await using squad = createSquad({ fetch: github.fetch, store: "memory:" });
    const headers = { authorization: "token ghp_test", "user-agent": "test" };
    await squad.fetch("https://api.github.com/user", { headers });
    // Agents are listed in the background.
    await vi.waitFor(() => expect(squad.status().principals[0]?.pool?.members).toHaveLength(1));

    expect(keysOf(JSON.parse(json))).toEqual(keysOf(JSON.parse(JSON.stringify(squad.status()))));
  });
});

describe("what a waiting agent is told in README.md", () => {
  const nothingFree = {
    priority: 1,
    retryAt: 0,
    limit: 300,
    freeUnits: 0,
    heldUnits: 0,
    reservedForHiddenUnits: 2,
    probing: false,
  } as const;
  const header = { limit: 1_000, used: 6, resetAt: 3_600_000, at: 0 };

  it.each<{ readonly when: string; readonly denial?: Denial; readonly retryAt?: number; readonly own: object }>([
    { when: "nobody knows what is left", denial: { ...nothingFree, probing: true }, own: {} },
    {
      when: "units are held for others",
      denial: { ...nothingFree, freeUnits: 126, heldUnits: 126 },
      retryAt: 583,
      own: { resetAt: 62_000 },
    },
    { when: "nothing is free", denial: nothingFree, retryAt: 4_000, own: { resetAt: 11_000 } },
    { when: "the store is lost", own: { lost: true, header, pacedUntil: 15_000 } },
  ])("is what the code says when $when", ({ denial, retryAt = 1_000, own }) => {
    const idle = newSpender({ spender: "reviewer~1", windowMs: 3_600_000, requestTimeoutMs: 60_000 });
    const [p0, p1, p2] = idle.classes;
    const state: SpenderState = { ...idle, classes: [p0, { ...p1, retryAt }, p2], ...own };

    const words = whyWait({ resource: "core", priority: 1, state, denial, unreadable: false, now: 0 });

    expect(readme).toContain(`| \`${words}\` |`);
  });
});

describe("the links in README.md", () => {
  it("lead to files that are there", () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);

    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** The options that the error about an unknown one lists. */
async function namesIn(attempt: () => Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await attempt().catch((reason: unknown) => reason);
  const list = isSquadRateError(error) ? /^The options here are: (.*)\.$/.exec(error.remedy ?? "")?.[1] : undefined;
  if (list === undefined) throw new Error(`Not the error about an unknown option: ${error}`);
  return list.split(", ");
}

/** Every path of keys, sorted. */
function keysOf(value: unknown, path = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value)
    .flatMap(([key, one]) => keysOf(one, `${path}.${key}`))
    .sort();
}
