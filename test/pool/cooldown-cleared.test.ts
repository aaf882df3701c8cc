import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { type CooldownDocument, clearCooldown, heldUntil, parseCooldownDocument } from "../../src/policy/cooldown.js";
import { Cooldown } from "../../src/pool/cooldown.js";
import { cooldownKey } from "../../src/pool/keys.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const POOL = { host: "api.github.com", name: "user-7" };
const KEY = cooldownKey(POOL);
const MINUTE_MS = 60_000;

let clock: VirtualClock;
let store: FakeDocuments;

function startProcess(): Cooldown {
  return new Cooldown({
    documents: store,
    pool: POOL,
    clock,
    githubNow: () => clock.now(),
    onChange: () => undefined,
    report: () => undefined,
  });
}

async function refuse(cooldown: Cooldown, retryAfterMs: number | undefined, by = "ralph"): Promise<number> {
  cooldown.refused({ sentAt: clock.now(), retryAfterMs, why: "secondary limit", by, unexplained: false });
  await clock.advance(10);
  return cooldown.until();
}

function stored(): CooldownDocument {
  const parsed = parseCooldownDocument(JSON.parse(JSON.stringify(store.values.get(KEY))), clock.now());
  if (parsed.kind === "unreadable") throw new Error(parsed.why);
  return parsed.doc;
}

/** What an operator does, of the refusal that was on the screen. */
function clear(shown = stored()): boolean {
  const before = stored();
  const after = clearCooldown(before, shown);
  store.values.set(KEY, after);
  return after !== before;
}

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

describe("a cooldown that an operator ends", () => {
  it("holds nobody back any more within five seconds, though nobody asks", async () => {
    const [refused, heard] = [startProcess(), startProcess()];
    const until = await refuse(refused, 10 * MINUTE_MS);
    heard.heard(until);
    expect(clear()).toBe(true);
    await clock.advance(5_010);
    expect([refused.until(), heard.until()]).toEqual([0, 0]);
  });

  it("does not come back by the hearsay of processes that have not heard yet", async () => {
    const [refused, other] = [startProcess(), startProcess()];
    const until = await refuse(refused, 10 * MINUTE_MS);
    clear();
    await clock.advance(5_010);
    refused.heard(until);
    expect(refused.until()).toBe(0);
    // Who has never looked believes it until it does, which is at once.
    other.heard(until);
    await clock.advance(10);
    expect(other.until()).toBe(0);
  });

  it("has ended when each process heard of it, so that calls start in order from then on", async () => {
    const one = startProcess();
    await refuse(one, 10 * MINUTE_MS);
    await clock.advance(7_000);
    clear();
    await clock.advance(5_000);
    expect(one.lastUntil).toBeLessThanOrEqual(clock.now());
    expect(one.lastUntil).toBeGreaterThan(clock.now() - 5_000);
  });

  it("is repeated, and told to those who listen, when GitHub refuses again", async () => {
    const one = startProcess();
    const told: number[] = [];
    one.onBegin(({ repeats }) => told.push(repeats));
    await refuse(one, undefined);
    clear();
    await clock.advance(6_000);
    const again = await refuse(one, undefined);
    expect(again - clock.now()).toBe(2 * MINUTE_MS - 10);
    expect(told).toEqual([0, 1]);
    const other = startProcess();
    other.refresh(clock.now());
    await clock.advance(10);
    expect(other.until()).toBe(again);
  });

  it("is followed by one that asks for less", async () => {
    const [one, other] = [startProcess(), startProcess()];
    await refuse(one, 20 * MINUTE_MS);
    clear();
    await clock.advance(6_000);
    const again = await refuse(one, MINUTE_MS);
    other.refresh(clock.now());
    await clock.advance(6_000);
    expect([one.until(), other.until()]).toEqual([again, again]);
    expect(again - clock.now()).toBe(MINUTE_MS - 6_010);
  });

  it("stays when it was prolonged, or another began, after it was shown", async () => {
    const one = startProcess();
    await refuse(one, MINUTE_MS);
    const shown = stored();
    const until = await refuse(one, 2 * MINUTE_MS);
    expect(clear(shown)).toBe(false);
    await clock.advance(10_000);
    expect([one.until(), heldUntil(stored())]).toEqual([until, until]);
  });

  it("is looked for by nobody who is not held back, or has closed", async () => {
    const [one, closed] = [startProcess(), startProcess()];
    await refuse(one, MINUTE_MS);
    await refuse(closed, MINUTE_MS);
    closed.close();
    await clock.advance(2 * MINUTE_MS);
    const { updates } = store;
    // Two refusals, and one look in five seconds of one process.
    expect(updates).toBeLessThanOrEqual(2 + 12);
    await clock.advance(60 * MINUTE_MS);
    expect(store.updates).toBe(updates);
  });

  it("never takes a refusal along that is newer than the one that was shown", async () => {
    const step = fc.record({
      kind: fc.constantFrom("refuse" as const, "show" as const, "clear" as const),
      who: fc.nat(2),
      seconds: fc.integer({ min: 2, max: 90 }),
      retryAfterMs: fc.constantFrom(undefined, 1_000, MINUTE_MS, 20 * MINUTE_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 15 }), async (steps) => {
        clock = createVirtualClock();
        store = new FakeDocuments(clock);
        const processes = [startProcess(), startProcess(), startProcess()];
        let shown: CooldownDocument | undefined;
        let shownAt = 0;
        /** What GitHub has asked for since the operator looked last. */
        let newer = 0;
        for (const { kind, who, seconds, retryAfterMs } of steps) {
          await clock.advance(seconds * 1_000);
          const process = processes[who] as Cooldown;
          // Who is held back sends nothing, and is refused nothing.
          if (kind === "refuse" && process.until() === 0) newer = Math.max(newer, await refuse(process, retryAfterMs));
          if (kind === "show" && store.values.has(KEY)) [shown, shownAt, newer] = [stored(), clock.now(), 0];
          if (kind === "clear" && shown !== undefined) clear(shown);
          await clock.advance(5_010);
          for (const one of processes) one.refresh(clock.now());
          await clock.advance(10);
          const due = newer > clock.now() ? newer : 0;
          for (const one of processes) if (one.until() < due) throw new Error(`cleared what came after ${shownAt}`);
        }
      }),
      { numRuns: 300 },
    );
  });
});
