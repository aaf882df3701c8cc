import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReport, renderHtml, renderText } from "../../src/report/index.js";

const AT = "2026-03-01T12:00:00Z";
const AT_MS = Date.parse(AT);
const line = {
  timestamp: AT,
  operation: "list",
  endpoint: "/repos/acme/app/pulls",
  method: "GET",
  durationMs: 746,
  httpStatus: 200,
};

describe("another program's trace", () => {
  it.each([
    ["timestamp in ISO", { ...line }],
    ["epoch seconds", { ...line, timestamp: AT_MS / 1_000 }],
    ["epoch milliseconds as text", { ...line, timestamp: String(AT_MS) }],
    ["an address", { ...line, endpoint: "https://api.github.com/repos/acme/app/pulls?page=2" }],
    ["method and path in one", { ...line, method: undefined, endpoint: "GET /repos/acme/app/pulls" }],
    [
      "other names",
      { ts: AT, op: "list", url: "/repos/acme/app/pulls", verb: "get", latency_ms: 746, status_code: "200" },
    ],
    [
      "nested",
      {
        time: AT,
        request: { url: "/repos/acme/app/pulls", method: "GET" },
        response: { status: 200, durationMs: 746 },
      },
    ],
  ])("is translated: %s", async (_name, record) => {
    const report = await createReport({ records: [JSON.stringify(record)] });
    expect(report.read).toMatchObject({ foreign: 1, attempts: 1, skippedLines: 0 });
    expect(report.span?.from).toBe(AT_MS);
    expect(report.spend.routes.rows[0]).toMatchObject({ name: "GET /repos/{owner}/{repo}/pulls", units: 1 });
    expect(report.scorecard.durations.rest?.p50Ms).toBeCloseTo(746, -1);
  });

  const reset = AT_MS / 1_000 + 1_800;
  it.each([
    ["camel case", { rateLimitLimit: 5_000, rateLimitRemaining: 4_900, rateLimitReset: reset }],
    [
      "an object",
      { rateLimit: { limit: 5_000, remaining: 4_900, used: 100, resetAt: new Date(reset * 1_000).toISOString() } },
    ],
    [
      "GitHub's headers",
      { headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4900", "x-ratelimit-reset": `${reset}` } },
    ],
    ["flat headers", { "x-ratelimit-limit": 5_000, "x-ratelimit-remaining": 4_900, "x-ratelimit-reset": reset }],
    ["snake case", { rate_limit_limit: 5_000, rate_limit_remaining: 4_900, rate_limit_reset: reset * 1_000 }],
    ["dots", { "ratelimit.limit": 5_000, "ratelimit.remaining": 4_900, "ratelimit.reset": reset }],
  ])("has its rate fields found: %s", async (_name, fields) => {
    const { windows } = await createReport({ records: [{ ...line, ...fields }] });
    expect(windows).toEqual([
      expect.objectContaining({ limit: 5_000, usedUnits: 100, resetAt: reset * 1_000, beforeTraceUnits: 99 }),
    ]);
  });

  it("says what is missing and what could not be told for it", async () => {
    const report = await createReport({
      records: [
        { ...line, agent: "ralph", rateLimitRemaining: 4_000 },
        { ...line, endpoint: "graphql", method: "POST", etag: undefined },
      ],
    });
    const missing = Object.fromEntries(report.read.missing.map(({ field, lines, of }) => [field, [lines, of]]));
    expect(missing).toEqual({
      agent: [1, 2],
      session: [2, 2],
      rate: [1, 2],
      rateReset: [1, 1],
      rateLimit: [1, 1],
      principal: [2, 2],
      etag: [1, 1],
      graphqlCost: [1, 1],
    });
    expect(report.notes.join("\n")).toContain(
      "1 of 2 lines of the foreign trace tells agent: who spent it cannot be told.",
    );
    expect(report.classes.byClass.find((sum) => sum.class === "cannot-tell")?.exchanges).toBe(2);
    expect(report.scorecard.opaque).toMatchObject({ exchanges: 1, noAgent: 1, noCost: 1, share: 0.5 });
  });

  it("is replayed where it has entity tags", async () => {
    const at = (seconds: number): string => new Date(AT_MS + seconds * 1_000).toISOString();
    const { classes } = await createReport({
      records: [
        { ...line, etag: 'W/"abc"' },
        { ...line, timestamp: at(30), etag: '"abc"' },
        { ...line, timestamp: at(60), etag: '"def"' },
        { ...line, timestamp: at(90), httpStatus: 304, etag: '"def"' },
      ],
    });
    expect(classes).toMatchObject({ actual: { exchanges: 4, units: 3 }, withSquadRateUnits: 2 });
  });

  it("tells what was not answered from what does not say", async () => {
    const { httpStatus: _, ...unsaid } = line;
    const report = await createReport({
      records: [
        { ...unsaid },
        { ...line, httpStatus: "200 OK" },
        { ...line, httpStatus: 0 },
        { ...line, httpStatus: "ECONNRESET" },
        { ...unsaid, error: "socket hang up" },
      ],
    });
    expect(report.scorecard).toMatchObject({ calls: 5, callsFailed: 3, restUnits: 1 });
    expect(report.spend.routes.rows.map(({ failed }) => failed)).toEqual([3]);
    expect(report.scorecard.durations.all?.count).toBe(1);
  });

  it("is told of without the credentials in it", async () => {
    const report = await createReport({
      records: [
        { timestamp: AT, command: "curl -H 'Authorization: Bearer s3cret-s3cret' https://mona:s3cret@ghe/x" },
        { ...line, agent: "ghp_s3crets3cret", session: "password=s3cret" },
        '{"authorization": "s3cret"',
        '{"access_token":"s3cret","torn',
      ],
    });
    for (const told of [JSON.stringify(report), renderText(report), renderHtml(report)]) {
      expect(told).not.toContain("s3cret");
    }
  });

  it("survives any record", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(...Object.keys(line), "etag", "rateLimit", "graphqlCost", "agent", "error"),
          fc.jsonValue(),
        ),
        async (fields) => {
          const report = await createReport({ records: [{ ...line, ...fields }] });
          expect(report.read.foreign + report.read.skippedLines).toBe(1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
