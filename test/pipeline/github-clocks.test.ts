import { beforeEach, describe, expect, it } from "vitest";
import { GitHubClocks } from "../../src/pipeline/github-clocks.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";

const HOST = "ghe.example.com";
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let clock: VirtualClock;
let clocks: GitHubClocks;

/** Sends a request; the function returned is its answer. */
function ask(): (headers: Readonly<Record<string, string>>) => void {
  const { at: sentAt, leadMs: sentLeadMs } = clocks.sent();
  return (headers) =>
    clocks.observe(HOST, new Headers(headers), { sentAt, sentLeadMs, receivedAt: clocks.localTime() });
}

/** An answer comes with these headers, a moment after its request. */
async function hear(headers: Readonly<Record<string, string>>): Promise<void> {
  const answered = ask();
  await clock.advance(200);
  answered(headers);
}

/** What GitHub's `Date` says while its clock is so far ahead of this machine's. */
function dated(aheadMs: number): { readonly date: string } {
  return { date: new Date(clock.now() + aheadMs).toUTCString() };
}

function errorMs(aheadMs = 0): number {
  return Math.abs(clocks.now(HOST) - clock.now() - aheadMs);
}

beforeEach(() => {
  clock = createVirtualClock();
  clocks = new GitHubClocks(clock);
});

describe("GitHub's time", () => {
  it("is not taken from an answer that waited while the machine slept", async () => {
    await hear(dated(0));
    const answered = ask();
    const before = dated(0);
    clock.step(HOUR_MS);
    answered(before);
    expect(clocks.isKnown(HOST)).toBe(false);
    await hear(dated(0));
    expect(clocks.isKnown(HOST)).toBe(true);
    expect(errorMs()).toBeLessThan(1_000);
  });

  it("is what the Date of an answer says, to the second", async () => {
    expect(clocks.isKnown(HOST)).toBe(false);
    await hear(dated(20 * MINUTE_MS));
    expect(clocks.isKnown(HOST)).toBe(true);
    expect(errorMs(20 * MINUTE_MS)).toBeLessThan(1_000);
  });

  it("is heard through a cache that has kept nothing (Age: 0), and not through one that has", async () => {
    await hear({ ...dated(20 * MINUTE_MS), age: "7" });
    expect(clocks.isKnown(HOST)).toBe(false);
    await hear({ ...dated(20 * MINUTE_MS), age: "0" });
    expect(clocks.isKnown(HOST)).toBe(true);
    expect(errorMs(20 * MINUTE_MS)).toBeLessThan(1_000);
  });
});

describe("a host that does not tell the time", () => {
  it.each([
    ["without Date", {}],
    ["with one that a cache has kept", { date: "Tue, 01 Jan 2030 00:00:00 GMT", age: "7" }],
    ["with one that is no date", { date: "yesterday" }],
  ])("%s is taken to share this machine's clock after three answers", async (_, headers) => {
    await hear(headers);
    await hear(headers);
    expect(clocks.isKnown(HOST)).toBe(false);
    await hear(headers);
    expect(clocks.isKnown(HOST)).toBe(true);
    expect(errorMs()).toBeLessThan(1);
    expect(clocks.isKnown("api.github.com")).toBe(false);
  });

  it("is believed as soon as it does", async () => {
    for (let answer = 0; answer < 3; answer++) await hear({});
    await hear(dated(20 * MINUTE_MS));
    expect(errorMs(20 * MINUTE_MS)).toBeLessThan(1_000);
    for (let answer = 0; answer < 9; answer++) await hear({});
    expect(errorMs(20 * MINUTE_MS)).toBeLessThan(1_000);
  });

  it("is taken to do so anew after this machine has slept", async () => {
    for (let answer = 0; answer < 3; answer++) await hear({});
    clock.step(HOUR_MS);
    expect(clocks.isKnown(HOST)).toBe(false);
    for (let answer = 0; answer < 3; answer++) await hear({});
    expect(clocks.isKnown(HOST)).toBe(true);
    expect(errorMs()).toBeLessThan(1);
  });

  it("is not taken to do so when it told it once: after this machine has slept, its next Date counts", async () => {
    await hear(dated(0));
    clock.step(HOUR_MS);
    for (let answer = 0; answer < 9; answer++) await hear({});
    expect(clocks.isKnown(HOST)).toBe(false);
  });

  it("is not taken to do so when its Date is days off, which is not believed either", async () => {
    await hear(dated(49 * HOUR_MS));
    for (let answer = 0; answer < 9; answer++) await hear({});
    expect(clocks.isKnown(HOST)).toBe(false);
  });
});
