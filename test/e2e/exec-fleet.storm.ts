import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createReport } from "../../src/report/index.js";
import { createSimulatedGitHub, populateWorld } from "../../src/sim/index.js";
import { requireGh } from "../harness/gh.js";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const OCTOKIT = resolve(import.meta.dirname, "processes/octokit-without-plugin.mjs");
const COMMANDS = 50;
const RUN_MS = 120_000;

/** Between the rounds of each. */
const PAUSE_S = 3;

/** Repeats `calls` until the time is over, and fails with the first that fails. */
const repeating = (calls: string): string =>
  `set -e; until [ "$(date +%s)" -ge "$UNTIL" ]; do ${calls}; sleep ${PAUSE_S}; done`;

/** PyGithub follows addresses in bodies, which have to lead back to the proxy. */
const PYTHON = `
import os, time
from github import Github
github = Github(os.environ["GH_TOKEN"], base_url=os.environ["SQUAD_RATE_ROOTED_API_URL"])
while time.time() < float(os.environ["UNTIL"]):
    repository = github.get_repo("acme/app-1")
    for pull in repository.get_pulls(): pull.title
    repository.get_issue(3).title
    time.sleep(${PAUSE_S})
`;

const gh = await requireGh();
const python = await has("/usr/bin/python3", ["-c", "import github"]);
const curl = await has("curl", ["--version"]);

/** The programs of fifty agents, by turns; what is not on this machine is left out. */
const PROGRAMS: readonly (readonly string[])[] = [
  ...(gh.missing
    ? []
    : [
        repeating("gh api repos/acme/app-1/pulls >/dev/null; gh pr list -R acme/app-1 >/dev/null"),
        repeating("gh issue view 3 -R acme/app-1 >/dev/null; gh pr view 51 -R acme/app-1 >/dev/null"),
        repeating("gh pr checks 51 -R acme/app-1 >/dev/null; gh api repos/acme/app-1/issues/3 >/dev/null"),
      ].map((script) => ["sh", "-c", script])),
  ...(curl
    ? [
        repeating(
          'curl -sSf --unix-socket "$SQUAD_RATE_SOCKET" -H "Authorization: token $GH_TOKEN" -A curl http://api.github.com/repos/acme/app-1/issues >/dev/null',
        ),
        repeating(
          'curl -sSf -H "Authorization: token $GH_TOKEN" -A curl "$GITHUB_API_URL/repos/acme/app-1/pulls/51/comments" >/dev/null',
        ),
      ].map((script) => ["sh", "-c", script])
    : []),
  ...(python ? [["/usr/bin/python3", "-c", PYTHON]] : []),
  [process.execPath, OCTOKIT],
];

it(`${COMMANDS} commands under exec at once, of ${PROGRAMS.length} kinds, for two minutes: every unit is an agent's, nothing is refused, and the proxy stays small`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "squad-rate-exec-fleet-"));
  const github = createSimulatedGitHub();
  github.world.addToken("ghp_mona", "mona");
  populateWorld(github.world, { issues: 30, pullRequests: 20 });
  // gh says by its exit code that checks fail, which is no failure of the call.
  const { headSha } = github.world.addPullRequest({ owner: "acme", repo: "app-1", title: "Green", user: "mona" });
  github.world.addCheckRun({ owner: "acme", repo: "app-1", ref: headSha, name: "build", conclusion: "success" });
  const { url, close } = await github.listen();
  const trace = join(folder, "trace.jsonl");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: folder,
    GH_CONFIG_DIR: join(folder, "gh"),
    GH_TOKEN: "ghp_mona",
    SQUAD_RATE_RUNTIME_DIR: join(folder, "run"),
    SQUAD_RATE_UPSTREAM: url,
    SQUAD_RATE_TRACE: trace,
    UNTIL: String(Math.ceil((Date.now() + RUN_MS) / 1_000)),
    PULL: "51",
  };
  onTestFinished(async () => {
    await run([process.execPath, CLI, "proxy", "--stop"], env);
    await close();
    await rm(folder, { recursive: true, force: true });
  });

  const commands = Array.from({ length: COMMANDS }, (_, index) => {
    const program = PROGRAMS[index % PROGRAMS.length] as readonly string[];
    const flags = ["--agent", `agent-${index}`, "--priority", String(index % 3), "--session", `work-${index}`];
    return run([process.execPath, CLI, "exec", ...flags, "--", ...program], env);
  });
  const sizes: number[] = [];
  let over = false;
  const watching = (async () => {
    while (!over) {
      const bytes = await residentBytes(join(folder, "run"));
      if (bytes !== undefined) sizes.push(bytes);
      await sleep(2_000);
    }
  })();
  const ends = await Promise.all(commands);
  over = true;
  await watching;
  // The proxy writes what is left of the trace.
  await run([process.execPath, CLI, "proxy", "--stop"], env);

  expect(ends.filter(({ status, stderr }) => status !== 0 || stderr !== "")).toEqual([]);
  const report = await createReport({ files: [trace] });
  const ledger = github.ledger();
  const charged = ledger.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
  expect(report.spend.agents.rows.map(({ name }) => name).toSorted()).toEqual(
    Array.from({ length: COMMANDS }, (_, index) => `agent-${index}`).toSorted(),
  );
  expect(report.scorecard.units).toBe(charged);
  expect(report.scorecard.hiddenUnits).toBe(0);
  expect(report.scorecard.exchanges).toBe(github.log.length);
  expect(report.scorecard.opaque.exchanges).toBe(0);
  expect(github.log.filter(({ status }) => status === 403 || status === 429)).toEqual([]);
  expect(report.scorecard.callsFailed + report.scorecard.callsRefusedUnsent).toBe(0);
  // Enough has happened for all of this to mean something.
  expect(report.scorecard.calls).toBeGreaterThan(COMMANDS * 10);
  expect(report.scorecard.conditional.notModified).toBeGreaterThan(COMMANDS);
  console.log(
    `${report.scorecard.calls} calls, ${report.scorecard.exchanges} exchanges, ${report.scorecard.conditional.notModified} of them 304, ${charged} units; proxy ${inMegabytes(sizes[1])} to ${inMegabytes(Math.max(...sizes))} MB`,
  );
  expect(Math.max(...sizes)).toBeLessThan(250_000_000);
});

interface End {
  readonly status: number | null;
  readonly stderr: string;
}

function run([command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<End> {
  return new Promise((done) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("close", (status) => done({ status, stderr }));
  });
}

async function has(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: "ignore" });
    child.once("error", () => done(false));
    child.once("exit", (code) => done(code === 0));
  });
}

/** Of the one proxy under this runtime folder. */
async function residentBytes(runtime: string): Promise<number | undefined> {
  for (const name of await readdir(runtime).catch(() => [])) {
    const told = await readFile(join(runtime, name, "proxy.json"), "utf8").catch(() => undefined);
    if (told === undefined) continue;
    const { pid } = JSON.parse(told) as { readonly pid: number };
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  }
  return undefined;
}

function inMegabytes(bytes: number | undefined): string {
  return bytes === undefined ? "?" : (bytes / 1e6).toFixed(0);
}
