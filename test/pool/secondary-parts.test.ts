import { beforeEach, describe, expect, it } from "vitest";
import type { FleetUseDocument, MinuteUse } from "../../src/policy/secondary/fleet-use.js";
import { GITHUB_SECONDARY_LIMITS } from "../../src/policy/secondary/limits.js";
import { NO_USE, WHOLE } from "../../src/policy/secondary/parts.js";
import { secondaryUseKey } from "../../src/pool/keys.js";
import { SecondaryParts, type SecondaryPartsOptions } from "../../src/pool/secondary-parts.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const POOL = { host: "api.github.com", name: "user-7" };
const KEY = secondaryUseKey(POOL);
const MINUTE_MS = 60_000;

let clock: VirtualClock;
let store: FakeDocuments;
let processes: Process[];

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
  processes = [];
});

/** One that sends reads of 200 ms, whose answers cost nothing. */
class Process {
  readonly parts: SecondaryParts;
  readonly told: string[] = [];
  changes = 0;
  #total: MinuteUse = NO_USE;

  constructor(options: Partial<SecondaryPartsOptions> = {}) {
    processes.push(this);
    this.parts = new SecondaryParts({
      documents: store,
      pool: POOL,
      clock,
      time: { now: () => clock.now(), known: () => true, jumpMs: () => 0 },
      id: `process-${processes.length}`,
      onChange: () => this.changes++,
      report: (what, cause) => this.told.push(`${what}: ${(cause as Error).message}`),
      ...options,
    });
  }

  send(count = 1): void {
    for (let sent = 0; sent < count; sent++) {
      const { requests, restPoints, restMs } = this.#total;
      this.#total = { ...this.#total, requests: requests + 1, restPoints: restPoints + 1, restMs: restMs + 200 };
      this.parts.sent(this.#total, processes.length);
    }
  }

  get responseMs(): number {
    return this.parts.now(processes.length, GITHUB_SECONDARY_LIMITS).responseMs;
  }
}

const stored = (): FleetUseDocument | undefined => store.values.get(KEY) as FleetUseDocument | undefined;

/** Each process sends as many reads as it has, every half minute. */
async function poll(reads: readonly number[], minutes: number): Promise<void> {
  for (let half = 0; half < 2 * minutes; half++) {
    for (const [index, count] of reads.entries()) processes[index]?.send(count);
    await clock.advance(MINUTE_MS / 2);
  }
}

describe("parts of secondary limits that processes tell each other", () => {
  it("are the whole for one alone", async () => {
    const one = new Process();
    await poll([4], 3);
    expect(one.parts.now(1, GITHUB_SECONDARY_LIMITS)).toBe(WHOLE);
  });

  it("are divided by requests sent, and come to no more than the whole", async () => {
    for (let index = 0; index < 4; index++) new Process();
    await poll([4, 4, 4, 12], 6);
    const all = processes.map(({ responseMs }) => responseMs);
    for (const part of all.slice(0, 3)) expect(part).toBeCloseTo((0.5 / 3 + 0.1 / 4) / 1.1, 2);
    expect(all[3]).toBeCloseTo((0.5 + 0.1 / 4) / 1.1, 2);
    expect(all.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 2);
  });

  it("take an update for every fourth request at most, once it is known who is there, and none from who is silent", async () => {
    new Process();
    new Process();
    await poll([4, 1], 3);
    const before = store.updates;
    await poll([4, 1], 20);
    expect(store.updates - before).toBeLessThanOrEqual((20 * 2 * 5) / 4);
    const silent = store.updates;
    await clock.advance(60 * MINUTE_MS);
    expect(store.updates).toBe(silent);
  });

  it("grow for the others when one ends, or is silent for some minutes", async () => {
    const [one, two] = [new Process(), new Process()];
    await poll([8, 8], 4);
    expect(one.responseMs).toBeCloseTo(0.5, 2);
    await clock.settle(two.parts.close());
    expect(Object.keys(stored()?.processes ?? {})).toEqual(["process-1"]);
    processes.pop();
    await poll([8], 2);
    expect(one.responseMs).toBe(1);
  });

  it("give a newcomer its place within two minutes, though all was in use", async () => {
    const old = new Process();
    await poll([225], 4);
    const newcomer = new Process();
    newcomer.send();
    await clock.advance(100);
    expect(newcomer.responseMs).toBeCloseTo(0.05, 2);
    for (let times = 0; times < 4; times++) {
      newcomer.parts.heldBack();
      await poll([225, 1], 0.5);
    }
    expect(newcomer.responseMs).toBeGreaterThan(0.4);
    expect(old.responseMs + newcomer.responseMs).toBeLessThan(1.05);
  });

  it("stand while the store fails, which is told once", async () => {
    const [one] = [new Process(), new Process()];
    await poll([8, 8], 4);
    const before = one.responseMs;
    store.manner = "fails";
    await poll([8, 0], 10);
    expect(one.responseMs).toBe(before);
    // Nor is it taken for silence that nobody can be heard.
    new Process();
    expect(one.responseMs).toBeCloseTo(before, 1);
    processes.pop();
    expect(one.told).toEqual([
      "Processes do not hear how much of the secondary limits the others use: no route to host",
    ]);
    store.manner = "answers";
    await poll([8, 8], 4);
    expect(one.responseMs).toBeCloseTo(0.5, 1);
  });

  it("are remembered when the store has lost its document", async () => {
    const [one] = [new Process(), new Process()];
    await poll([8, 8], 4);
    store.values.clear();
    await poll([8, 0], 1);
    expect(one.responseMs).toBeCloseTo(0.5, 1);
    expect(Object.keys(stored()?.processes ?? {})).toHaveLength(2);
  });

  it("leave alone what they cannot read", async () => {
    const one = new Process();
    store.values.set(KEY, { version: 99 });
    await poll([8], 2);
    expect(store.values.get(KEY)).toEqual({ version: 99 });
    expect(one.told).toHaveLength(1);
    await clock.settle(one.parts.close());
  });

  it("are only read while nobody knows GitHub's time", async () => {
    new Process();
    await poll([8], 2);
    const { revision } = stored() ?? {};
    const unsure = new Process({ time: { now: () => 0, known: () => false, jumpMs: () => 0 } });
    unsure.send();
    await clock.advance(100);
    expect(stored()?.revision).toBe(revision);
    await clock.settle(unsure.parts.close());
  });

  it("ends its closing with a clock that was set meanwhile, which tells nothing any more", async () => {
    let known = true;
    const one = new Process({ time: { now: () => clock.now(), known: () => known, jumpMs: () => 0 } });
    one.send(4);
    await clock.advance(MINUTE_MS);
    expect(stored()?.processes).toHaveProperty("process-1");
    known = false;
    await clock.settle(one.parts.close());
    expect(stored()?.processes).toHaveProperty("process-1");
  });
});
