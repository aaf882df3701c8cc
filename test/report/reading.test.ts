import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createReport } from "../../src/report/index.js";
import { attempt, call } from "./attempt.js";

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let index = 0;
  for (let start = 0; start < bytes.length; index++) {
    const size = sizes[index % sizes.length] as number;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "report-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const lines = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");

describe("reading a trace", () => {
  it("reads the same from pieces of any size", async () => {
    const records = Array.from({ length: 30 }, (_, index) => attempt(index * 1_000, { agent: `agénte-${index % 3}` }));
    const bytes = Buffer.from(lines(records));
    const whole = JSON.stringify(await createReport({ records }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
        expect(JSON.stringify(await createReport({ stream: pieces(bytes, sizes) }))).toBe(whole);
      }),
      { numRuns: 20 },
    );
  });

  it("counts and names lines that are torn, of another version, foreign or impossible, and goes on", async () => {
    const report = await createReport({
      records: [
        '{"v":1,"kind":"attempt","at":189',
        JSON.stringify({ ...attempt(0), v: 2 }),
        JSON.stringify({ ...attempt(0), kind: "mood" }),
        JSON.stringify({ hello: "world" }),
        "[1,2]",
        "42",
        JSON.stringify(attempt(0, { durationMs: -5 })),
        JSON.stringify(attempt(0, { chargedUnits: 1e300 })),
        JSON.stringify(attempt(0, { at: 1 })),
        JSON.stringify(attempt(0, { at: 9e15 })),
        `${JSON.stringify(attempt(0))}${JSON.stringify(attempt(1))}`,
        "",
        JSON.stringify(attempt(2)),
      ],
    });
    expect(report.read).toMatchObject({ lines: 12, attempts: 1, skippedLines: 11 });
    expect(Object.fromEntries(report.read.skipped.map(({ why, lines: count }) => [why, count]))).toEqual({
      "with values that cannot be": 4,
      "not a record of a call": 3,
      "not JSON (torn, or no trace at all)": 2,
      "of another version of the trace": 1,
      "of an unknown kind": 1,
    });
    const torn = report.read.skipped.find(({ why }) => why.startsWith("not JSON"));
    expect(torn?.first.map(({ line }) => line)).toEqual([1, 11]);
    expect(report.scorecard.exchanges).toBe(1);
  });

  it("takes no number of JSON's for more than it can be", async () => {
    const text = JSON.stringify(attempt(0)).replace('"chargedUnits":1', '"chargedUnits":1e999');
    const report = await createReport({ records: [text, JSON.stringify({ ...attempt(0), chargedUnits: Number.NaN })] });
    expect(report.read.skippedLines).toBe(2);
  });

  it("passes over a gigantic line without keeping it, and reads what follows", async () => {
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${JSON.stringify(attempt(0))}\n{"x":"`);
      const piece = Buffer.alloc(1 << 20, "y");
      for (let count = 0; count < 40; count++) yield piece;
      yield Buffer.from(`"}\n${JSON.stringify(attempt(1))}`);
    }
    const before = process.memoryUsage().arrayBuffers;
    const { read } = await createReport({ stream: stream() });
    expect(read).toMatchObject({ attempts: 2, lines: 3, skippedLines: 1 });
    expect(read.skipped[0]).toMatchObject({ why: "longer than a line may be", first: [{ line: 2 }] });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
  });

  it("survives any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), fc.integer({ min: 1, max: 500 }), async (bytes, size) => {
        const report = await createReport({ stream: pieces(bytes, [size]) });
        expect(report.read.lines).toBe(report.read.skippedLines);
      }),
      { numRuns: 50 },
    );
  });

  it("survives any JSON in the place of any field", async () => {
    const records = [attempt(0), call(0)] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...records),
        fc.constantFrom(
          ...new Set(records.flatMap((record) => [...Object.keys(record), "rate", "graphql", "decision"])),
        ),
        fc.jsonValue(),
        async (record, field, value) => {
          const report = await createReport({ records: [attempt(5), { ...record, [field]: value }] });
          expect(report.read.lines).toBe(2);
          expect(JSON.stringify(report)).not.toContain("NaN");
        },
      ),
      { numRuns: 100 },
    );
  });

  it("puts records in order, and says how many stood too far from their place", async () => {
    const unchanged = [attempt(0), attempt(60_000), attempt(120_000)];
    const shuffled = [unchanged[2], unchanged[0], unchanged[1]];
    const near = await createReport({ records: shuffled });
    expect(near.read.late).toBe(0);
    expect(near.classes.withSquadRateUnits).toBe(1);
    const many = Array.from({ length: 2_500 }, (_, index) => attempt(60_000 + index));
    const far = await createReport({ records: [...many, attempt(0)] }, { reorderRecords: 0 });
    expect(far.read.late).toBe(1);
  });

  it("merges the files of several processes by time, with what each was rotated to", async () => {
    const path = folder();
    const all = Array.from({ length: 60 }, (_, index) => attempt(index * 60_000, { target: "one" }));
    writeFileSync(join(path, "a.jsonl"), lines(all.slice(40).filter((_, index) => index % 2 === 0)));
    writeFileSync(join(path, "a.1.jsonl"), lines(all.slice(20, 40).filter((_, index) => index % 2 === 0)));
    writeFileSync(join(path, "a.2.jsonl"), lines(all.slice(0, 20).filter((_, index) => index % 2 === 0)));
    writeFileSync(join(path, "b.jsonl"), lines(all.filter((_, index) => index % 2 === 1)));
    writeFileSync(join(path, "a.notes.jsonl"), "not of it\n");
    const report = await createReport({ files: [join(path, "a.jsonl"), join(path, "b.jsonl")] }, { reorderRecords: 0 });
    expect(report.read).toMatchObject({ attempts: 60, skippedLines: 0, late: 0 });
    const all2 = await createReport({ files: [path] });
    expect(all2.read).toMatchObject({ attempts: 60, skippedLines: 1 });
  });

  it("says so when a file is not there", async () => {
    await expect(createReport({ files: [join(folder(), "none.jsonl")] })).rejects.toThrow(/ENOENT.*none\.jsonl/);
  });

  it("rejects options that cannot be", async () => {
    await expect(createReport({ records: [] }, { maxRows: 0 })).rejects.toThrow(/report\.maxRows must be/);
    await expect(createReport({ records: [] }, { maxRow: 3 } as never)).rejects.toThrow(/maxRow/);
  });

  it("makes a report of nothing, and of one record", async () => {
    const none = await createReport({ records: [] });
    expect(none.span).toBeUndefined();
    expect(none.scorecard.callsPerMinute).toBeUndefined();
    const one = await createReport({ records: [call(0)] });
    expect(one.scorecard).toMatchObject({ calls: 1, callsPerMinute: undefined });
  });

  it("cuts out the time that is asked for", async () => {
    const records = [attempt(0), attempt(60_000), attempt(120_000)];
    const { read, scorecard } = await createReport(
      { records },
      { since: attempt(60_000).at, until: attempt(120_000).at },
    );
    expect(scorecard.exchanges).toBe(1);
    expect(read.outsideTime).toBe(2);
  });
});

describe("records that come one by one", () => {
  it("may come by promises of any make", { timeout: 5_000 }, async () => {
    const given = [attempt(0), attempt(1_000)];
    const records = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = given.shift();
          // biome-ignore lint/suspicious/noThenProperty: that is what it is about
          return { then: (tell: (result: unknown) => void) => tell({ done: value === undefined, value }) };
        },
      }),
    };
    const source = { records: records as unknown as AsyncIterable<unknown> };
    expect((await createReport(source)).read).toMatchObject({ attempts: 2, skippedLines: 0 });
  });
});

describe("files of a trace", () => {
  it("are read once each, by whatever names they are given", async () => {
    const path = folder();
    writeFileSync(join(path, "trace.jsonl"), lines([attempt(5_000)]));
    writeFileSync(join(path, "trace.1.jsonl"), lines([attempt(1_000)]));
    symlinkSync(join(path, "trace.jsonl"), join(path, "again.jsonl"));
    const files = [`${path}/trace.jsonl`, `${path}/./trace.jsonl`, path, join(path, "again.jsonl")];
    expect((await createReport({ files })).read.attempts).toBe(2);
  });

  it("are the only things in a folder that are read", async () => {
    const path = folder();
    writeFileSync(join(path, "trace.jsonl"), lines([attempt(0)]));
    mkdirSync(join(path, "old.jsonl"));
    symlinkSync(join(path, "nowhere"), join(path, "gone.jsonl"));
    expect((await createReport({ files: [path] })).read).toMatchObject({ attempts: 1, skippedLines: 0 });
  });

  it.skipIf(process.platform === "win32")("may be pipes", async () => {
    const pipe = join(folder(), "pipe.jsonl");
    execFileSync("mkfifo", [pipe]);
    const records = Array.from({ length: 300 }, (_, index) => attempt(index * 1_000));
    const [report] = await Promise.all([createReport({ files: [pipe] }), writeFile(pipe, lines(records))]);
    expect(report.read).toMatchObject({ attempts: 300, skippedLines: 0 });
  });
});
