import { describe, expect, it } from "vitest";
import { Rises } from "../../src/pipeline/rises.js";
import type { RateWindow } from "../../src/policy/window.js";

const RESET_AT = 3_600_000;
const WINDOW: RateWindow = {
  limit: 5_000,
  used: 100,
  resetAt: RESET_AT,
  provisional: false,
  next: undefined,
  passedResetAt: 0,
};

describe("Rises", () => {
  it("books a rise to the one exchange that was under way", () => {
    const rise = new Rises().begin(WINDOW, false);
    expect(rise.until({ used: 118, resetAt: RESET_AT + 1_000 })).toEqual({ units: 18, isOwn: true });
  });

  it("books it to nobody when another was under way at its beginning, or began meanwhile", () => {
    const rises = new Rises();
    const first = rises.begin(WINDOW, false);
    const second = rises.begin(WINDOW, false);
    expect(first.until({ used: 118, resetAt: RESET_AT })).toEqual({ units: 18, isOwn: false });
    first.end();
    expect(second.until({ used: 120, resetAt: RESET_AT })).toEqual({ units: 20, isOwn: false });
    second.end();
    expect(rises.begin(WINDOW, false).until({ used: 101, resetAt: RESET_AT })).toEqual({ units: 1, isOwn: true });
  });

  it("books it to nobody after an exchange without an answer, which may have been charged, until a count includes that", () => {
    const rises = new Rises();
    rises.begin(WINDOW, false).end();
    const next = rises.begin(WINDOW, false);
    expect(next.until({ used: 119, resetAt: RESET_AT })).toEqual({ units: 19, isOwn: false });
    next.end();
    const later = rises.begin({ ...WINDOW, used: 119 }, false);
    expect(later.until({ used: 137, resetAt: RESET_AT })).toEqual({ units: 18, isOwn: true });
  });

  it("takes the count of an answer for one without it that may be older", () => {
    const rises = new Rises();
    const lost = rises.begin(WINDOW, false);
    const beside = rises.begin(WINDOW, false);
    lost.end();
    beside.until({ used: 101, resetAt: RESET_AT });
    beside.end();
    const next = rises.begin({ ...WINDOW, used: 101 }, false);
    expect(next.until({ used: 103, resetAt: RESET_AT })).toEqual({ units: 2, isOwn: false });
  });

  it("books it to nobody where others spend of the same quota", () => {
    const rise = new Rises().begin(WINDOW, true);
    expect(rise.until({ used: 118, resetAt: RESET_AT })).toEqual({ units: 18, isOwn: false });
  });

  it("knows no more than the whole count of a window that was not seen before", () => {
    expect(new Rises().begin(undefined, false).until({ used: 7, resetAt: RESET_AT })).toEqual({
      units: 7,
      isOwn: false,
    });
    const next = new Rises().begin(WINDOW, false);
    expect(next.until({ used: 3, resetAt: 2 * RESET_AT })).toEqual({ units: 3, isOwn: false });
  });

  it("counts from nothing in a window that no charge had opened", () => {
    const rise = new Rises().begin({ ...WINDOW, used: 0, provisional: true }, false);
    expect(rise.until({ used: 18, resetAt: RESET_AT + 60_000 })).toEqual({ units: 18, isOwn: true });
  });

  it("says nothing of an answer that is older than what is known", () => {
    const rise = new Rises().begin(WINDOW, false);
    expect(rise.until({ used: 90, resetAt: RESET_AT })).toBeUndefined();
    expect(rise.until({ used: 300, resetAt: RESET_AT - 3_600_000 })).toBeUndefined();
  });
});
