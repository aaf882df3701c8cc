import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TraceRecord } from "../../src/trace/record.js";
import { type Child, startChild } from "../harness/child.js";

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "squad-rate-trace-"));
  file = join(directory, "trace.jsonl");
});

afterEach(() => rm(directory, { recursive: true, force: true }));

type Ending = "close" | "end" | "exit" | "kill";

function start(name: string, how: Ending, calls: number): Child {
  return startChild("trace/processes/append-worker.ts", [file, how, name, String(calls)]);
}

/** What stands in all files of the trace: whole records by agent, and lines that are none. */
async function readTrace(): Promise<{ operations: Map<string, string[]>; torn: string[]; files: string[] }> {
  const operations = new Map<string, string[]>();
  const torn: string[] = [];
  const files = await readdir(directory);
  for (const name of files) {
    for (const line of (await readFile(join(directory, name), "utf8")).split("\n")) {
      if (line === "") continue;
      const record = parse(line);
      if (record === undefined || record.kind === "reading") torn.push(line);
      else
        operations.set(record.agent, [...(operations.get(record.agent) ?? []), `${record.operation} ${record.kind}`]);
    }
  }
  return { operations, torn, files };
}

function parse(line: string): TraceRecord | undefined {
  try {
    return JSON.parse(line) as TraceRecord;
  } catch {
    return undefined;
  }
}

/** Both records of each of so many calls. */
function expected(calls: number): string[] {
  return Array.from({ length: calls }, (_, made) => [`call ${made} attempt`, `call ${made} call`]).flat();
}

describe("a trace file of many processes", () => {
  it("holds every line of all of them, whole, through many rotations, however they end by themselves", async () => {
    const calls = 1_500;
    const endings: readonly Ending[] = ["close", "end", "exit", "close", "end", "exit"];
    const children = endings.map((how, index) => start(`agent-${index}`, how, calls));
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends.map(({ how, stderr }) => `${how} ${stderr}`)).toEqual(endings.map(() => "0 "));
    for (const { lines } of children) expect(lines).toContain(`records ${2 * calls}`);

    const { operations, torn, files } = await readTrace();
    expect(torn).toEqual([]);
    expect([...operations.keys()].sort()).toEqual(children.map((_, index) => `agent-${index}`));
    for (const told of operations.values()) expect(told.sort()).toEqual(expected(calls).sort());
    expect(files.length).toBeGreaterThan(5);
    // No lock, and nobody's name, is left.
    expect(files.filter((name) => !/^trace(\.\d+)?\.jsonl$/.test(name))).toEqual([]);
  });

  it("loses at most the last fifth of a second of a process that is killed, and tears no line of another", async () => {
    const calls = 1_500;
    const others = [0, 1, 2].map((index) => start(`agent-${index}`, "close", calls));
    const victims = [0, 1, 2].map((index) => start(`victim-${index}`, "kill", 0));
    await Promise.all(
      victims.map(async (victim, index) => {
        const least = 400 + 100 * index;
        await victim.line((line) => line.startsWith("made ") && Number(line.slice(5)) >= least);
        victim.signal("SIGKILL");
        await victim.ended;
      }),
    );
    for (const { how } of await Promise.all(others.map(({ ended }) => ended))) expect(how).toBe("0");

    const { operations, torn } = await readTrace();
    // A kill in the middle of a write may tear the victim's own last line.
    expect(torn.length).toBeLessThanOrEqual(victims.length);
    for (const [index] of others.entries()) {
      expect(operations.get(`agent-${index}`)?.sort()).toEqual(expected(calls).sort());
    }
    for (const [index] of victims.entries()) {
      const told = operations.get(`victim-${index}`) ?? [];
      // What is there is all that was made up to some moment.
      expect(told.length).toBeGreaterThan(0);
      expect(told.sort()).toEqual(
        expected(Math.ceil(told.length / 2))
          .slice(0, told.length)
          .sort(),
      );
    }
  });
});
