import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

/** A TypeScript program of the tests that runs as a process of its own. */
export interface Child {
  readonly pid: number;
  /** What it has printed so far, line by line. */
  readonly lines: readonly string[];
  /** Exit code and signal, as `0` or `SIGKILL`, and what it said on stderr. */
  readonly ended: Promise<{ readonly how: string; readonly stderr: string }>;
  /** Resolves with the first line of which `matches` is true; rejects when it ends without one. */
  line(matches: (line: string) => boolean): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** Writes a line to its input. */
  tell(line: string): void;
  /** Ends its input. */
  endInput(): void;
}

const root = resolve(import.meta.dirname, "../..");

/** Starts `script` (relative to `test/`) with `args`. */
export function startChild(script: string, args: readonly string[]): Child {
  const path = resolve(root, "test", script);
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", path, ...args], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let stderr = "";
  let over = false;
  // It may be killed with its input half read.
  child.stdin?.on("error", () => {});
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() as string;
    lines.push(...parts);
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ how: string; stderr: string }>((done) => {
    child.once("close", (code, signal) => {
      over = true;
      done({ how: signal ?? String(code), stderr });
      for (const look of waiting) look();
    });
  });
  return {
    pid: child.pid as number,
    lines,
    ended,
    line: (matches) =>
      new Promise((found, missed) => {
        const look = (): void => {
          const line = lines.find(matches);
          if (line !== undefined) found(line);
          else if (over) missed(new Error(`${script} ended without that line: ${stderr}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    signal: (signal) => child.kill(signal),
    tell: (line) => child.stdin?.write(`${line}\n`),
    endInput: () => child.stdin?.end(),
  };
}
