import { describe, expect, it } from "vitest";
import { createReport } from "../../src/report/index.js";
import type { ReadingRecord, TraceRecord } from "../../src/trace/record.js";
import { attempt, rate, START } from "./attempt.js";

const MINUTE_MS = 60_000;

async function windowsOf(records: readonly TraceRecord[]) {
  return (await createReport({ records })).windows;
}

describe("what headers show beside what the trace charges", () => {
  it("books the rest as hidden, once, whatever order the headers come in", async () => {
    const windows = await windowsOf([
      attempt(0, { rate: rate(1) }),
      attempt(1_000, { rate: rate(12), durationMs: 5_000 }),
      attempt(2_000, { rate: rate(13) }),
      attempt(9_000, { rate: rate(9) }),
    ]);
    // Four units are the trace's; that the last header names fewer is GitHub's counter going back.
    expect(windows).toEqual([
      expect.objectContaining({ usedUnits: 13, chargedUnits: 4, hiddenUnits: 9, beforeTraceUnits: 0 }),
    ]);
  });

  it("does not take requests under way for hidden use", async () => {
    const windows = await windowsOf([
      attempt(0, { rate: rate(2), durationMs: 3_000 }),
      attempt(10, { rate: rate(3), durationMs: 1_000 }),
      attempt(20, { rate: rate(1), durationMs: 8_000 }),
    ]);
    expect(windows[0]).toMatchObject({ chargedUnits: 3, hiddenUnits: 0, unconfirmedUnits: 0 });
  });

  it("counts what was used before a trace that begins in the middle of a window as before the trace", async () => {
    const at = 30 * MINUTE_MS;
    const report = await createReport({
      records: [attempt(at, { rate: rate(701) }), attempt(at + 1_000, { rate: rate(712) })],
    });
    expect(report.windows[0]).toMatchObject({
      usedUnits: 712,
      chargedUnits: 2,
      hiddenUnits: 10,
      beforeTraceUnits: 700,
    });
    expect(report.scorecard).toMatchObject({ units: 2, hiddenUnits: 10 });
  });

  it("counts what was used before the first header as hidden where the trace saw the window before", async () => {
    const windows = await windowsOf([
      attempt(0, { rate: rate(1) }),
      attempt(70 * MINUTE_MS, { rate: rate(51, 2 * 3_600_000) }),
    ]);
    expect(windows[1]).toMatchObject({ hiddenUnits: 50, beforeTraceUnits: 0 });
  });

  it("does so for windows of whatever length", async () => {
    const windows = await windowsOf([
      attempt(0, { rate: rate(1, 60_000) }),
      attempt(70_000, { rate: rate(51, 120_000) }),
    ]);
    expect(windows[1]).toMatchObject({ hiddenUnits: 50, beforeTraceUnits: 0 });
  });

  it("keeps a window whose reset jitters together, and a request that straddles the reset where its answer says", async () => {
    const windows = await windowsOf([
      attempt(0, { rate: rate(1) }),
      attempt(1_000, { rate: rate(2, 3_601_000) }),
      attempt(2_000, { rate: rate(3, 3_599_000) }),
      attempt(3_599_900, { rate: rate(1, 7_200_000), durationMs: 500 }),
    ]);
    expect(windows.map(({ chargedUnits, hiddenUnits }) => [chargedUnits, hiddenUnits])).toEqual([
      [3, 0],
      [1, 0],
    ]);
  });

  it("opens no window for one in which nothing is used, whose reset floats", async () => {
    const free = { chargedUnits: 0, status: 304, outcome: "not-modified" } as const;
    const windows = await windowsOf([
      attempt(0, { ...free, rate: rate(0, 3_600_000) }),
      attempt(60_000, { ...free, rate: rate(0, 3_660_000) }),
      attempt(120_000, { rate: rate(1, 3_720_000) }),
    ]);
    expect(windows).toHaveLength(1);
    expect(windows[0]).toMatchObject({ usedUnits: 1, hiddenUnits: 0, beforeTraceUnits: 0 });
  });

  it("charges an answer without headers to the window that was open", async () => {
    const refused = attempt(1_000, { outcome: "secondary-limit", status: 403 });
    const windows = await windowsOf([attempt(0, { rate: rate(1) }), refused, attempt(2_000, { rate: rate(3) })]);
    expect(windows[0]).toMatchObject({ usedUnits: 3, chargedUnits: 3, hiddenUnits: 0 });
  });

  it("says what was charged that no header has shown", async () => {
    const windows = await windowsOf([attempt(0, { rate: rate(1) }), attempt(1_000), attempt(2_000)]);
    expect(windows[0]).toMatchObject({ usedUnits: 1, chargedUnits: 3, hiddenUnits: 0, unconfirmedUnits: 2 });
  });

  it("does not let clocks that differ make up hidden use", async () => {
    // The second machine's clock is half a minute ahead: its requests seem to begin after headers that count them.
    const records = Array.from({ length: 200 }, (_, index) =>
      attempt(index * 1_000 + (index % 2) * 30_000, { machine: `m${index % 2}`, rate: rate(index + 1) }),
    );
    expect((await windowsOf(records))[0]).toMatchObject({ chargedUnits: 200, hiddenUnits: 0 });
  });

  it("keeps the windows in which most was used, and the sums of all", async () => {
    const records = Array.from({ length: 50 }, (_, hour) =>
      attempt(hour * 3_600_000, { rate: rate(hour === 7 ? 90 : 1, (hour + 1) * 3_600_000) }),
    );
    const report = await createReport({ records }, { maxWindows: 3 });
    expect(report.windows).toHaveLength(3);
    expect(report.windowsLeftOut).toBe(47);
    expect(report.windows.some(({ usedUnits }) => usedUnits === 90)).toBe(true);
    expect(report.quotas).toEqual([expect.objectContaining({ windows: 50, charged: 50, hidden: 89 })]);
    expect(report.scorecard).toMatchObject({ straddles: true, resetsInside: { rest: 49, graphql: 0 } });
  });
});

describe("the bracket between readings of /rate_limit", () => {
  const reading = (at: number, used: number, resetAfterMs?: number): ReadingRecord => ({
    v: 1,
    kind: "reading",
    at: START + at,
    machine: "box",
    pid: 1,
    host: "api.github.com",
    principal: "mona",
    resources: { core: rate(used, resetAfterMs), search: rate(0) },
  });

  it("is the difference, beside what the trace charged in between", async () => {
    const { brackets } = await createReport({
      records: [reading(0, 100), attempt(1_000), attempt(2_000), reading(60_000, 130), attempt(70_000)],
    });
    expect(brackets).toEqual([
      expect.objectContaining({ resource: "core", readings: 2, usedUnits: 30, chargedUnits: 2, resetsInside: 0 }),
    ]);
  });

  it("says when a reset falls inside", async () => {
    const { brackets } = await createReport({
      records: [reading(0, 100), reading(60_000, 130), reading(70 * MINUTE_MS, 20, 2 * 3_600_000)],
    });
    expect(brackets[0]).toMatchObject({ usedUnits: 50, resetsInside: 1 });
  });
});

describe("identities of one name on several hosts", () => {
  it("have quotas of their own", async () => {
    const elsewhere = { host: "ghe.example.com", principal: "anonymous" };
    const report = await createReport({
      records: [
        attempt(0, { principal: "anonymous", rate: rate(1) }),
        attempt(500, { ...elsewhere, rate: rate(1) }),
        attempt(1_000, { ...elsewhere, rate: rate(21) }),
        attempt(2_000, { principal: "anonymous", rate: rate(2) }),
      ],
    });
    expect(report.windows.map(({ principal, hiddenUnits }) => [principal, hiddenUnits])).toEqual([
      ["anonymous", 0],
      ["anonymous ghe.example.com", 19],
    ]);
    expect(report.remaining.map(({ principal }) => principal)).toEqual(["anonymous", "anonymous ghe.example.com"]);
  });
});
