import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const COMMAND = [process.execPath, "--import", import.meta.resolve("tsx"), main] as const;
/** As a shell reads it. */
const SQUAD_RATE = COMMAND.map((word) => `'${word}'`).join(" ");
const ASK = [...COMMAND.slice(0, 3), fileURLToPath(new URL("processes/ask.ts", import.meta.url))]
  .map((word) => `'${word}'`)
  .join(" ");
const HAS_SCRIPT = existsSync("/usr/bin/script");

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly ended: Promise<Ended>;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "command-line-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs it in a folder and an environment without settings. */
function begin(
  command: readonly string[],
  { env = {} as Record<string, string>, input = "", keepInput = false } = {},
): Running {
  const { PATH = "", HOME = "" } = process.env;
  const [file = "", ...args] = command;
  const child = spawn(file, args, { cwd: folder(), env: { PATH, HOME, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdin.on("error", () => {});
  if (!keepInput) child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, out: () => out, ended };
}

const squadRate = (words: readonly string[], options?: Parameters<typeof begin>[1]): Running =>
  begin([...COMMAND, ...words], options);
const shell = (line: string, options?: Parameters<typeof begin>[1]): Running => begin(["bash", "-c", line], options);

/** A trace that is longer than a pipe holds, as text and as JSON. */
function longTrace(): string {
  const file = join(folder(), "trace.jsonl");
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    JSON.stringify({
      timestamp: new Date(1_700_000_000_000 + index * 1_000).toISOString(),
      endpoint: `/repos/acme/app-${index}/pulls`,
      agent: `agent-${index}`,
      session: `session-${index}`,
      status_code: 200,
    }),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

describe("the process of squad-rate", { timeout: 60_000 }, () => {
  it("writes all of a long result into a pipe, however slowly that is read", async () => {
    const line = `${SQUAD_RATE} report ${longTrace()} --html - | (sleep 0.5; tee >(wc -c >&2) | tail -c 8)`;
    const { code, out, err } = await shell(line).ended;
    expect({ code, out }).toEqual({ code: 0, out: "</html>\n" });
    expect(Number(err)).toBeGreaterThan(65_536);
  });

  it("ends quietly with 0 when its reader leaves early", async () => {
    const line = `${SQUAD_RATE} report ${longTrace()} --json | head -c 10; echo " \${PIPESTATUS[0]}"`;
    expect(await shell(line).ended).toMatchObject({ out: '{"v":1,"ti 0\n', err: "" });
  });

  it.runIf(existsSync("/dev/full"))("says so if its result cannot be written", async () => {
    expect(await shell(`${SQUAD_RATE} plan > /dev/full`).ended).toMatchObject({
      code: 73,
      err: "squad-rate: the result cannot be written (ENOSPC)\n",
    });
  });

  it("reads standard input", async () => {
    const { code, err } = await squadRate(["report", "-"], { input: "no trace\n" }).ended;
    expect(code).toBe(1);
    expect(err).toContain("there are no records in 1 line");
  });

  it("says on standard error what is wrong, and ends with the code that says of what kind", async () => {
    expect(await squadRate(["pln"]).ended).toEqual({
      code: 64,
      signal: null,
      out: "",
      err: "squad-rate: unknown command 'pln'; did you mean plan? squad-rate --help says what there is\n",
    });
  });

  it("serves until Ctrl-C, which is no failure, and says what it was asked", async () => {
    const { child, out, ended } = squadRate(["simulate"]);
    await expect.poll(out, { timeout: 50_000 }).toContain("Ctrl-C ends it.");
    child.kill("SIGINT");
    const { code, signal, err } = await ended;
    expect({ code, signal, err }).toEqual({ code: 0, signal: null, err: "" });
    expect(out()).toContain("It was asked nothing.");
  });

  it("is ended by Ctrl-C while it computes", async () => {
    const { child, ended } = squadRate(["simulate", "fleet", "--sessions", "500", "--minutes", "1440"]);
    let isUnderWay = false;
    child.stderr?.on("data", () => {
      isUnderWay = true;
    });
    await expect.poll(() => isUnderWay, { timeout: 50_000 }).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: null, signal: "SIGINT", out: "" });
  });

  it("passes a signal on to the command under it, and ends as that ends", async () => {
    const script = 'trap "echo told; exit 7" TERM; echo ready; while :; do sleep 0.05; done';
    const { child, out, ended } = squadRate(["simulate", "--quiet", "--", "bash", "-c", script]);
    await expect.poll(out, { timeout: 50_000 }).toContain("ready");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 7, out: "ready\ntold\n" });
  });
});

describe.runIf(HAS_SCRIPT)("squad-rate on a terminal", { timeout: 60_000 }, () => {
  const onTerminal = (line: string, env: Record<string, string> = {}): Promise<Ended> =>
    begin(["script", "-qec", `stty cols 70; ${line}`, "/dev/null"], { env: { TERM: "xterm", ...env } }).ended;

  it("is in colour, and fits its width", async () => {
    const { code, out } = await onTerminal(`${SQUAD_RATE} plan --agents 200`);
    expect(code).toBe(1);
    expect(out).toContain("\u001b[31mdo not fit\u001b[39m");
    const widths = out
      .split("\r\n")
      .slice(3)
      .map((text) => stripVTControlCharacters(text).length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(70);
    expect(Math.max(...widths)).toBeGreaterThan(55);
  });

  it("heeds NO_COLOR", async () => {
    expect((await onTerminal(`${SQUAD_RATE} plan`, { NO_COLOR: "1" })).out).not.toContain("\u001b[");
  });

  it("shows how far it is on one line that is gone at the end", async () => {
    const { code, out } = await onTerminal(
      `${SQUAD_RATE} simulate fleet --sessions 60 --minutes 20 --json > fleet.json`,
    );
    expect(code).toBe(0);
    const shown = out.split("\r\u001b[2K");
    expect(shown.length).toBeGreaterThan(2);
    expect(shown[1]).toMatch(/^minute \d+ of 30, [\d,]+ requests$/);
    expect(shown.at(-1)).toBe("");
  });

  it.each([
    ["y\r", "answer: true", 0],
    ["n\r", "answer: false", 0],
    ["\r", "answer: false", 0],
    // Ctrl-D and Ctrl-C.
    ["\u0004", "answer: false", 0],
    ["\u0003", "", 130],
  ])("asks, and takes %j for %j", async (typed, answer, code) => {
    const { child, out, ended } = begin(["script", "-qec", ASK, "/dev/null"], { keepInput: true });
    await expect.poll(out, { timeout: 50_000 }).toContain("Sure?");
    child.stdin?.write(typed);
    const result = await ended;
    expect(result.code).toBe(code);
    expect(/answer: \w+/.exec(result.out)?.[0] ?? "").toBe(answer);
  });
});
