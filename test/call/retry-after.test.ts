import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHttpDate } from "../../src/call/http-date.js";
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from "../../src/call/retry-after.js";

const NOW = Date.UTC(2026, 0, 1);

describe("parseRetryAfter", () => {
  it.each([
    ["0", 0],
    ["1", 1_000],
    ["60", 60_000],
    ["007", 7_000],
    ["3600", MAX_RETRY_AFTER_MS],
  ])("reads seconds: %j", (value, waitMs) => {
    expect(parseRetryAfter(value, NOW)).toBe(waitMs);
  });

  it.each([
    ["Thu, 01 Jan 2026 00:01:30 GMT", 90_000],
    ["Thursday, 01-Jan-26 00:01:30 GMT", 90_000],
    ["Thu Jan  1 00:01:30 2026", 90_000],
    ["Thu, 01 Jan 2026 00:00:00 GMT", 0],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ])("reads a date by the server's time: %j", (value, waitMs) => {
    expect(parseRetryAfter(value, NOW)).toBe(waitMs);
  });

  it.each(["3601", "86400", "Thu, 01 Jan 2026 09:00:00 GMT"])("takes a wait of hours for one: %j", (value) => {
    expect(parseRetryAfter(value, NOW)).toBe(MAX_RETRY_AFTER_MS);
  });

  it.each([
    null,
    undefined,
    "",
    " ",
    "soon",
    "-1",
    "+60",
    "60s",
    "60 ",
    " 60",
    "1.5",
    "1e3",
    "0x3c",
    "60, 60",
    "NaN",
    "Infinity",
    "６０",
    "86401",
    // An epoch, in seconds and milliseconds.
    "1767225660",
    "1767225660000",
    "9".repeat(400),
    "2026-01-01T00:01:30Z",
    "Jan 1 2026",
    "Thu, 01 Jan 2026 00:01:30 UTC",
    "Thu, 01 Jan 2026 00:01:30 +0000",
    "thu, 01 jan 2026 00:01:30 gmt",
    "Thu, 1 Jan 2026 00:01:30 GMT",
    "Thu, 00 Jan 2026 00:01:30 GMT",
    "Thu, 32 Jan 2026 00:01:30 GMT",
    "Thu, 01 Jan 2026 24:00:00 GMT",
    "Thu, 01 Jan 2026 00:60:00 GMT",
    "Thu, 01 Jan 2026 00:00:61 GMT",
    "Someday, 99 Foo 20xx 25:61:61 GMT",
    // Real dates that nobody means.
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Tue, 30 Dec 2025 23:59:59 GMT",
    "Sat, 03 Jan 2026 00:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 GMT",
  ])("does not know %j", (value) => {
    expect(parseRetryAfter(value, NOW)).toBeUndefined();
  });

  it("answers any text with nothing or a bounded wait", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 4e12 }), (value, now) => {
        const waitMs = parseRetryAfter(value, now);
        if (waitMs === undefined) return;
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
      }),
    );
  });
});

describe("parseHttpDate", () => {
  it("reads back every second of four digits' years", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        expect(parseHttpDate(new Date(seconds * 1_000).toUTCString(), NOW)).toBe(seconds * 1_000);
      }),
    );
  });

  it("takes a year of two digits for the one that is at most fifty years ahead", () => {
    expect(parseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT", NOW)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    expect(parseHttpDate("Wednesday, 01-Jan-76 00:00:00 GMT", NOW)).toBe(Date.UTC(2076, 0, 1));
    expect(parseHttpDate("Saturday, 01-Jan-77 00:00:00 GMT", NOW)).toBe(Date.UTC(1977, 0, 1));
    expect(parseHttpDate("Friday, 01-Jan-00 00:00:00 GMT", Date.UTC(2099, 11, 31))).toBe(Date.UTC(2100, 0, 1));
  });

  it("reads a leap second and a leap day, and no other day that is not there", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT", NOW)).toBe(Date.UTC(2017, 0, 1));
    expect(parseHttpDate("Tue, 29 Feb 2028 00:00:00 GMT", NOW)).toBe(Date.UTC(2028, 1, 29));
    expect(parseHttpDate("Mon, 29 Feb 2027 00:00:00 GMT", NOW)).toBeUndefined();
    expect(parseHttpDate("Wed, 31 Feb 2026 00:00:00 GMT", NOW)).toBeUndefined();
  });
});
