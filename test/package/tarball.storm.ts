import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireGh } from "../harness/gh.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const gh = await requireGh();
const tsc = join(root, "node_modules/typescript/bin/tsc");

/** Outside CI there may be no registry to install from; in CI that is a failure. */
const registry = process.env.CI === "true" || (await reachesRegistry());

describe.skipIf(!registry)(`the packed tarball${registry ? "" : " (skipped: no package registry)"}`, () => {
  let project: string;
  let installed: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "squad-rate-consumer-"));
    // What is packed has been built already, and other tests run from it meanwhile.
    const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
    const { stdout } = await run("npm", pack, { cwd: root });
    const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    const beside = await Promise.all(["@octokit/core", "@types/node"].map(asPinned));
    const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...flags, `./${packed.filename}`, ...beside], { cwd: project });
    installed = join(project, "node_modules/octokit-plugin-squad-rate");
    await mkdir(join(project, "src"));
    await writeFile(join(project, "src/consumer.ts"), consumer);
  });

  afterAll(async () => {
    await rm(project, { recursive: true, force: true });
  });

  it("holds what is published and nothing else", async () => {
    const entries = await readdir(installed);

    expect(entries.filter((entry) => entry !== "node_modules").sort()).toEqual(
      ["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json", "schema"].sort(),
    );
  });

  it("says in VERSION what package.json says", async () => {
    const program = 'import { squadRate } from "octokit-plugin-squad-rate"; console.log(squadRate.VERSION);';
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: project });

    expect(stdout.trim()).toBe((await manifest(installed)).version);
  });

  it.each([
    { moduleResolution: "nodenext", module: "nodenext" },
    { moduleResolution: "bundler", module: "esnext" },
  ])("type-checks strictly, its own declarations included, under $moduleResolution", async (resolution) => {
    const config = join(project, `tsconfig.${resolution.moduleResolution}.json`);
    const compilerOptions = {
      ...resolution,
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    await writeFile(config, JSON.stringify({ compilerOptions, include: ["src"] }));

    await expect(compile(config)).resolves.toBe("");
  });

  it("runs in plain Node, and answers from the cache what has not changed", async () => {
    const outDir = join(project, "out");
    await writeFile(
      join(project, "tsconfig.run.json"),
      JSON.stringify({
        compilerOptions: {
          module: "nodenext",
          target: "es2022",
          types: [],
          skipLibCheck: true,
          outDir,
          rootDir: "src",
        },
        include: ["src"],
      }),
    );
    await compile(join(project, "tsconfig.run.json"));

    const { stdout } = await run(process.execPath, [join(outDir, "consumer.js")], { cwd: project });

    expect(stdout).toBe("octocat octocat\n200 304\n");
  });

  it("brings the command, with its help", async () => {
    const { stdout, stderr } = await run("npx", ["--no-install", "squad-rate", "--help"], { cwd: project });

    expect(stderr).toBe("");
    expect(stdout).toMatch(/^Usage: squad-rate .*\n {2}exec .*\n {2}simulate /s);
  });

  it.skipIf(gh.missing)(
    `books what ${gh.label} asks of a simulated GitHub, on a machine with nothing set up`,
    async () => {
      const env = {
        PATH: process.env.PATH,
        HOME: project,
        SQUAD_RATE_RUNTIME_DIR: join(project, "run"),
        SQUAD_RATE_TRACE: join(project, "trace.jsonl"),
      };
      const squadRate = ["npx", "--no-install", "squad-rate"];
      const twice = "gh api user --jq .login && gh api user --jq .login && npx --no-install squad-rate proxy --stop";
      const inside = [...squadRate, "exec", "--agent", "data", "--", "sh", "-c", twice];
      const { stdout } = await run(squadRate[0] as string, [...squadRate.slice(1), "simulate", "--", ...inside], {
        cwd: project,
        env,
      });

      expect(stdout).toMatch(/^mona\nmona\n/);
      const records = (await readFile(join(project, "trace.jsonl"), "utf8")).trimEnd().split("\n");
      const calls = records.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "call");
      expect(calls).toMatchObject([
        { agent: "data", cache: "miss" },
        { agent: "data", cache: "revalidated" },
      ]);
    },
  );
});

/** A program as a user would write it, against a `fetch` of its own. */
const consumer = `
import { Octokit } from "@octokit/core";
import { createSquad, isSquadRateError, squadRate, type Squad } from "octokit-plugin-squad-rate";
import * as proxy from "octokit-plugin-squad-rate/proxy";
import * as report from "octokit-plugin-squad-rate/report";
import * as sim from "octokit-plugin-squad-rate/sim";
import * as trace from "octokit-plugin-squad-rate/trace";

const etag = '"0123456789abcdef"';
const statuses: number[] = [];
const answer: typeof fetch = async (_input, init) => {
  const known = new Headers(init?.headers).get("if-none-match") !== null;
  statuses.push(known ? 304 : 200);
  const headers = { etag, "content-type": "application/json; charset=utf-8" };
  return known ? new Response(null, { status: 304, headers }) : new Response('{"login":"octocat"}', { status: 200, headers });
};

const octokit = new (Octokit.plugin(squadRate))({ request: { fetch: answer }, squad: { agent: "consumer", priority: 2 } });
const squad: Squad = octokit.squad;
try {
  const first = await octokit.request("GET /user");
  const second = await octokit.request("GET /user", { request: { squad: { priority: 0 } } });
  console.log(first.data.login, second.data.login);
  console.log(...statuses);
} catch (error) {
  if (isSquadRateError(error)) console.error(error.explain.join("\\n"));
  throw error;
}
await squad.close();
void createSquad;
void proxy;
void report;
void sim;
void trace;
`;

async function compile(config: string): Promise<string> {
  try {
    return (await run(process.execPath, [tsc, "-p", config])).stdout;
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** A package in the version that this repository has, so that npm finds it in its own cache. */
async function asPinned(name: string): Promise<string> {
  return `${name}@${(await manifest(join(root, "node_modules", name))).version}`;
}

async function manifest(folder: string): Promise<{ readonly version: string }> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { readonly version: string };
}

async function reachesRegistry(): Promise<boolean> {
  try {
    await run("npm", ["ping"], { timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
