import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { FileSink, type FileSinkSettings } from "../../src/trace/file/file-sink.js";
import type { FileSystem } from "../../src/trace/file/file-system.js";
import { openTraceFile } from "../../src/trace/index.js";
import type { TraceRecord } from "../../src/trace/record.js";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "squad-rate-trace-"));
  path = join(directory, "trace.jsonl");
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Records are plain JSON to a file. */
function record(number: number, padding = ""): TraceRecord {
  return { v: 1, kind: "reading", at: number, machine: padding, pid: 1, host: "h", resources: {} };
}

function setUp(settings: Partial<FileSinkSettings> = {}) {
  const clock = createVirtualClock();
  const failures: string[] = [];
  const sink = new FileSink({
    path,
    maxBytes: 2 ** 30,
    keep: 3,
    clock,
    lineOf: JSON.stringify,
    onFailure: (what, cause) => void failures.push(`${what}: ${(cause as Error).message}`),
    ...settings,
  });
  return { clock, sink, failures };
}

function numbersIn(file: string): number[] {
  const text = readFileSync(file, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { at: number }).at);
}

/** The real file system, but for what is given. */
function failing(parts: Partial<FileSystem>): FileSystem {
  return { ...fs, ...parts };
}

const full = (): never => {
  throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
};

describe("a trace file", () => {
  it("is made with the first record, with its directory, for its owner alone", async () => {
    path = join(directory, "deep/er/trace.jsonl");
    const { sink, clock } = setUp({ path });
    await clock.advance(1_000);
    expect(readdirSync(directory)).toEqual([]);
    sink.write(record(1));
    await sink.close();
    expect(numbersIn(path)).toEqual([1]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("gets what comes within a fifth of a second in one write", async () => {
    let writes = 0;
    const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
      writes++;
      return fs.writeSync(...args);
    }) as FileSystem["writeSync"];
    const { sink, clock } = setUp({ fs: failing({ writeSync }) });
    sink.write(record(1));
    sink.write(record(2));
    expect(writes).toBe(0);
    await clock.advance(200);
    expect(numbersIn(path)).toEqual([1, 2]);
    expect(writes).toBe(1);
    sink.write(record(3));
    await clock.advance(200);
    expect(numbersIn(path)).toEqual([1, 2, 3]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("gets a lot at once, so that memory does not fill while no time passes", () => {
    const { sink } = setUp();
    for (let number = 0; number < 300; number++) sink.write(record(number, "x".repeat(1_000)));
    expect(numbersIn(path).length).toBeGreaterThan(200);
    sink.flush();
    expect(numbersIn(path)).toEqual(Array.from({ length: 300 }, (_, number) => number));
  });

  it("takes records after it was closed", async () => {
    const { sink, clock } = setUp();
    sink.write(record(1));
    await sink.close();
    sink.write(record(2));
    await clock.advance(200);
    expect(numbersIn(path)).toEqual([1, 2]);
  });

  it("ends a line that a killed process has torn, so that the next stays whole", async () => {
    writeFileSync(path, '{"at":1}\n{"at":2,"to');
    const { sink } = setUp();
    sink.write(record(3));
    await sink.close();
    expect(readFileSync(path, "utf8").split("\n")).toEqual(['{"at":1}', '{"at":2,"to', JSON.stringify(record(3)), ""]);
  });

  it("keeps one listener for the process's end, and none when there is nothing to write", async () => {
    const before = process.listenerCount("exit");
    const sinks = Array.from({ length: 20 }, (_, number) => setUp({ path: join(directory, `${number}.jsonl`) }).sink);
    for (const sink of sinks) sink.write(record(1));
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const sink of sinks) await sink.close();
    expect(process.listenerCount("exit")).toBe(before);
  });

  it("is not written to by who only opened it", async () => {
    const file = openTraceFile(path);
    await file.close();
    expect(readdirSync(directory)).toEqual([]);
    expect(openTraceFile("~/t.jsonl").path).toBe(join(homedir(), "t.jsonl"));
  });

  it("takes any record through openTraceFile, fields that nobody knows included", async () => {
    const file = openTraceFile({ file: path, maxBytes: 65_536, keep: 1 });
    file.write({ ...record(1), more: "of it" } as unknown as TraceRecord);
    file.flush();
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ ...record(1), more: "of it" });
    expect(file.counts()).toEqual({ records: 1, dropped: 0 });
  });
});

describe("a trace file that has grown too large", () => {
  const padding = "x".repeat(1_000);

  it("is renamed, and the oldest of those that are kept goes", async () => {
    const { sink } = setUp({ maxBytes: 65_536, keep: 2 });
    // Four files of some 66 records, each of a kilobyte.
    for (let number = 0; number < 240; number++) {
      sink.write(record(number, padding));
      sink.flush();
      // Locks are loaded when the first file is full.
      if (number === 70) await sink.close();
    }
    await sink.close();
    expect(readdirSync(directory).sort()).toEqual(["trace.1.jsonl", "trace.2.jsonl", "trace.jsonl"]);
    const kept = ["trace.2.jsonl", "trace.1.jsonl", "trace.jsonl"].flatMap((name) => numbersIn(join(directory, name)));
    const [first = Number.NaN] = kept;
    expect(first).toBeGreaterThan(0);
    expect(kept).toEqual(Array.from({ length: 240 - first }, (_, index) => first + index));
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).size).toBeLessThan(65_536 + 75_000);
  });

  it("grows on where it cannot be renamed, and says so once", async () => {
    const renameSync = (() => {
      throw new Error("EPERM: operation not permitted");
    }) as FileSystem["renameSync"];
    const { sink, failures } = setUp({ maxBytes: 65_536, fs: failing({ renameSync }) });
    for (let round = 0; round < 3; round++) {
      for (let number = 0; number < 70; number++) sink.write(record(number, padding));
      await sink.close();
    }
    expect(numbersIn(path)).toHaveLength(210);
    expect(sink.counts()).toEqual({ records: 210, dropped: 0 });
    expect(failures).toEqual([
      `the trace file ${path} has grown too large and cannot be renamed: EPERM: operation not permitted`,
    ]);
    expect(readdirSync(directory)).toEqual(["trace.jsonl"]);
  });

  it.each([
    ["and begun a new one", ""],
    ["and nobody has begun a new one", undefined],
  ])("is left alone where another process has just renamed it %s", async (_, begun) => {
    const { sink, failures } = setUp({ maxBytes: 65_536 });
    for (let number = 0; number < 70; number++) sink.write(record(number, padding));
    sink.flush();
    // The locks are being loaded; meanwhile:
    fs.renameSync(path, join(directory, "trace.1.jsonl"));
    if (begun !== undefined) writeFileSync(path, begun);
    await sink.close();
    expect(readdirSync(directory).sort()).toEqual(["trace.1.jsonl", ...(begun === undefined ? [] : ["trace.jsonl"])]);
    expect(failures).toEqual([]);
  });

  it("loses nothing that is written into a file which is deleted at that moment", async () => {
    let deletions = 0;
    const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
      if (deletions++ === 0) fs.unlinkSync(path);
      return fs.writeSync(...args);
    }) as FileSystem["writeSync"];
    const { sink } = setUp({ fs: failing({ writeSync }) });
    sink.write(record(1));
    await sink.close();
    expect(numbersIn(path)).toEqual([1]);
  });
});

describe("a trace file that cannot be written", () => {
  it("is told of once, and written when it can be again", async () => {
    let isFull = true;
    const openSync = ((...args: Parameters<typeof fs.openSync>) =>
      isFull ? full() : fs.openSync(...args)) as FileSystem["openSync"];
    const { sink, clock, failures } = setUp({ fs: failing({ openSync }) });
    for (let number = 0; number < 5; number++) {
      sink.write(record(number));
      await clock.advance(200);
    }
    expect(failures).toEqual([`the trace file ${path} cannot be written: ENOSPC: no space left on device`]);
    isFull = false;
    await clock.advance(200);
    expect(numbersIn(path)).toEqual([0, 1, 2, 3, 4]);
    expect(sink.counts()).toEqual({ records: 5, dropped: 0 });
    isFull = true;
    sink.write(record(5));
    await clock.advance(200);
    expect(failures).toHaveLength(2);
  });

  it("loses what does not fit into a megabyte, and counts it", async () => {
    const { sink, clock } = setUp({ fs: failing({ openSync: full as FileSystem["openSync"] }) });
    for (let number = 0; number < 2_000; number++) {
      sink.write(record(number, "x".repeat(1_000)));
      if (number % 100 === 0) await clock.advance(200);
    }
    const { records, dropped } = sink.counts();
    expect(records).toBe(2_000);
    expect(dropped).toBeGreaterThan(900);
    await sink.close();
    expect(sink.counts().dropped).toBe(2_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("loses one line where the disk becomes full in the middle of it, and no other", async () => {
    const line = JSON.stringify(record(1)).length + 1;
    let room = 2 * line + 10;
    const writeSync = ((fd: number, bytes: Uint8Array, offset: number, length: number) => {
      const fits = Math.min(room, length);
      if (fits === 0) full();
      room -= fits;
      return fs.writeSync(fd, bytes, offset, fits);
    }) as FileSystem["writeSync"];
    const { sink, clock } = setUp({ fs: failing({ writeSync }) });
    for (let number = 1; number <= 5; number++) sink.write(record(number));
    await clock.advance(200);
    room = Number.POSITIVE_INFINITY;
    await sink.close();
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines).toEqual([
      ...[1, 2].map((number) => JSON.stringify(record(number))),
      JSON.stringify(record(3)).slice(0, 10),
      ...[4, 5].map((number) => JSON.stringify(record(number))),
      "",
    ]);
    expect(sink.counts()).toEqual({ records: 5, dropped: 1 });
  });

  it("does not keep the process's end from coming", async () => {
    const { sink } = setUp({ fs: failing({ openSync: full as FileSystem["openSync"] }) });
    sink.write(record(1));
    const ours = process.listeners("exit").at(-1) as (code: number) => void;
    ours(0);
    await sink.close();
    expect(sink.counts().dropped).toBe(1);
  });
});

describe.skipIf(process.platform === "win32")("a trace file that is a pipe", () => {
  beforeEach(() => void execFileSync("mkfifo", [path]));

  it("is told of, and holds up nothing, while nobody reads it", async () => {
    const { sink, failures } = setUp();
    for (let number = 0; number < 300; number++) sink.write(record(number, "x".repeat(1_000)));
    sink.flush();
    expect(failures).toEqual([expect.stringContaining("ENXIO")]);
    await sink.close();
    expect(sink.counts()).toEqual({ records: 300, dropped: 300 });
  });

  it("holds what a slow reader has no room for, and tears no line", async () => {
    const reader = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const { sink, clock, failures } = setUp();
    for (let number = 0; number < 300; number++) sink.write(record(number, "x".repeat(1_000)));
    let text = "";
    const buffer = Buffer.alloc(1_000_000);
    for (let turn = 0; turn < 20; turn++) {
      text += buffer.toString("utf8", 0, fs.readSync(reader, buffer));
      await clock.advance(200);
    }
    fs.closeSync(reader);
    const lines = text.split("\n").slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).at)).toEqual(Array.from({ length: 300 }, (_, number) => number));
    expect(failures).toEqual([expect.stringContaining("EAGAIN")]);
    await sink.close();
    expect(sink.counts()).toEqual({ records: 300, dropped: 0 });
  });
});

describe("a record that is no JSON", () => {
  it("is told of and counted, and the others are written", async () => {
    const failures: string[] = [];
    const file = openTraceFile(path, { onFailure: (what) => void failures.push(what) });
    const circular: { self?: unknown } = {};
    circular.self = circular;
    for (const bad of [circular, undefined, { at: 1n }]) file.write(bad as unknown as TraceRecord);
    file.write(record(1));
    await file.close();
    expect(numbersIn(path)).toEqual([1]);
    expect(file.counts()).toEqual({ records: 4, dropped: 3 });
    expect(failures).toEqual(["a record of the trace cannot be written as JSON"]);
  });
});
