import { beforeEach, describe, expect, it } from "vitest";
import { SquadRateError } from "../../src/errors.js";
import { type CooldownDocument, MAX_COOLDOWN_MS } from "../../src/policy/cooldown.js";
import { Cooldown, type OwnRefusal } from "../../src/pool/cooldown.js";
import { cooldownKey } from "../../src/pool/keys.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const POOL = { host: "api.github.com", name: "user-7" };
const KEY = cooldownKey(POOL);
const MINUTE_MS = 60_000;

interface Process {
  readonly cooldown: Cooldown;
  readonly told: string[];
  changes: number;
}

let clock: VirtualClock;
let store: FakeDocuments;

function startProcess(skewMs = 0): Process {
  const process: Process = {
    cooldown: new Cooldown({
      documents: store,
      pool: POOL,
      githubNow: () => clock.now() + skewMs,
      onChange: () => {
        process.changes++;
      },
      report: (what, cause) => process.told.push(`${what}: ${(cause as Error).message}`),
    }),
    told: [],
    changes: 0,
  };
  return process;
}

function refusal(forMs: number, why = "secondary limit"): OwnRefusal {
  return { sentAt: clock.now(), retryAfterMs: forMs, why, by: "ralph", unexplained: false };
}

/** When a cooldown ends that this refusal has begun. */
function endOf({ sentAt, retryAfterMs }: OwnRefusal): number {
  return sentAt + (retryAfterMs ?? 0);
}

function docOf(own: OwnRefusal): Partial<CooldownDocument> {
  return { until: endOf(own), why: own.why, by: own.by, unexplained: own.unexplained };
}

function stored(): CooldownDocument | undefined {
  return store.values.get(KEY) as CooldownDocument | undefined;
}

async function look(process: Process): Promise<void> {
  process.cooldown.refresh(clock.now());
  await clock.advance(10);
}

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

describe("a cooldown", () => {
  it("is none before anybody was refused", async () => {
    const one = startProcess();
    await look(one);
    expect([one.cooldown.until(), one.cooldown.why(), one.changes]).toEqual([0, "", 0]);
    expect(stored()).toBeUndefined();
  });

  it("holds this process back at once, whatever the store does", () => {
    store.manner = "hangs";
    const one = startProcess();
    const hard = refusal(MINUTE_MS, "retry after 60 s");
    one.cooldown.refused(hard);
    expect([one.cooldown.until(), one.cooldown.why(), one.changes]).toEqual([endOf(hard), "retry after 60 s", 1]);
  });

  it("is in the store at once, and holds others back when they look", async () => {
    const [one, other] = [startProcess(), startProcess()];
    const hard = refusal(MINUTE_MS, "retry after 60 s");
    one.cooldown.refused(hard);
    await clock.advance(10);
    expect(stored()).toMatchObject({ ...docOf(hard), revision: 1 });
    expect(other.cooldown.until()).toBe(0);

    await look(other);
    expect([other.cooldown.until(), other.cooldown.why(), other.changes]).toEqual([endOf(hard), "retry after 60 s", 1]);
    expect(store.writes).toBe(1);
  });

  it("is over when its time has come, and says so without being told", async () => {
    const one = startProcess();
    one.cooldown.refused(refusal(MINUTE_MS));
    await clock.advance(MINUTE_MS - 1);
    expect(one.cooldown.until()).not.toBe(0);
    await clock.advance(1);
    expect([one.cooldown.until(), one.cooldown.why()]).toEqual([0, ""]);
    expect(one.changes).toBe(1);
  });

  it("goes by the later of two refusals, in every process", async () => {
    const [one, other] = [startProcess(), startProcess()];
    const long = refusal(5 * MINUTE_MS, "long");
    one.cooldown.refused(long);
    other.cooldown.refused(refusal(MINUTE_MS, "short"));
    await clock.advance(10);
    one.cooldown.refused(refusal(2 * MINUTE_MS, "short"));
    await clock.advance(10);
    for (const { cooldown } of [one, other]) expect([cooldown.until(), cooldown.why()]).toEqual([endOf(long), "long"]);
    expect(stored()).toMatchObject(docOf(long));
    expect([one.changes, other.changes]).toEqual([1, 2]);
  });

  it("does not trouble the store with a refusal that changes nothing", async () => {
    const one = startProcess();
    one.cooldown.refused(refusal(MINUTE_MS));
    await clock.advance(10);
    one.cooldown.refused(refusal(1_000));
    one.cooldown.refused(refusal(0));
    one.cooldown.refused({ ...refusal(0), retryAfterMs: undefined });
    expect([store.updates, one.changes]).toEqual([1, 1]);
  });

  it("lasts a minute where GitHub asks for no time or for nonsense, and twice as long each time that follows soon", async () => {
    const one = startProcess();
    const lasts = async (unsaid: OwnRefusal): Promise<number> => {
      one.cooldown.refused(unsaid);
      const leftMs = one.cooldown.until() - clock.now();
      await clock.advance(leftMs + 1_000);
      return leftMs / MINUTE_MS;
    };
    const unsaid = (retryAfterMs?: number): OwnRefusal => ({ ...refusal(0), retryAfterMs });
    expect(await lasts(unsaid())).toBe(1);
    expect(await lasts(unsaid(0))).toBe(2);
    expect(await lasts(unsaid(Number.NaN))).toBe(4);
    expect([await lasts(unsaid()), await lasts(unsaid()), await lasts(unsaid())]).toEqual([8, 15, 15]);
    await clock.advance(20 * MINUTE_MS);
    expect(await lasts(unsaid())).toBe(1);
  });

  it("is one story with all the requests that were in flight when it began, and told to those who listen once", async () => {
    const one = startProcess();
    const begun: number[] = [];
    const forget = one.cooldown.onBegin(({ repeats }) => begun.push(repeats));
    const sentAt = clock.now();
    for (let refused = 0; refused < 5; refused++) {
      await clock.advance(100);
      one.cooldown.refused({ ...refusal(0), sentAt, retryAfterMs: undefined });
    }
    expect([begun, stored()?.repeats]).toEqual([[0], 0]);
    await clock.advance(2 * MINUTE_MS);
    one.cooldown.refused({ ...refusal(0), retryAfterMs: undefined });
    expect(begun).toEqual([0, 1]);
    forget();
    await clock.advance(5 * MINUTE_MS);
    one.cooldown.refused({ ...refusal(0), retryAfterMs: undefined });
    expect(begun).toEqual([0, 1]);
  });

  it("of another process is told to those who listen when this one looks", async () => {
    const [one, other] = [startProcess(), startProcess()];
    const begun: boolean[] = [];
    other.cooldown.onBegin(({ unexplained }) => begun.push(unexplained));
    one.cooldown.refused({ ...refusal(MINUTE_MS), unexplained: true });
    await clock.advance(10);
    other.cooldown.heard(one.cooldown.until());
    expect(begun).toEqual([]);
    await look(other);
    await clock.advance(10_000);
    await look(other);
    expect(begun).toEqual([true]);
  });

  it("stores no credential and nothing endless", async () => {
    const one = startProcess();
    // Cut to length first, what is left of it would be too short to be recognised.
    const secret = "a1B2".repeat(9);
    one.cooldown.refused({
      sentAt: clock.now(),
      retryAfterMs: Number.POSITIVE_INFINITY,
      unexplained: false,
      why: `${"w".repeat(286)} Basic ${secret} ${"w".repeat(5_000)}`,
      by: "ralph",
    });
    await clock.advance(10);
    expect(JSON.stringify(stored())).not.toContain("a1B2");
    expect(one.cooldown.why()).not.toContain("a1B2");
    expect(stored()?.until).toBe(one.cooldown.until());
    expect(one.cooldown.until()).toBeLessThanOrEqual(clock.now() + MAX_COOLDOWN_MS);
  });
});

describe("a refusal that another document tells of", () => {
  it("holds this process back at once, and is explained when this process looks", async () => {
    const [one, other] = [startProcess(), startProcess()];
    const hard = refusal(MINUTE_MS, "retry after 60 s");
    other.cooldown.refused(hard);
    await clock.advance(10);
    one.cooldown.heard(endOf(hard));
    one.cooldown.heard(endOf(hard) - 1);
    one.cooldown.heard(0);
    expect([one.cooldown.until(), one.cooldown.why(), one.changes]).toEqual([
      endOf(hard),
      "GitHub refused a request of another agent by a secondary limit",
      1,
    ]);

    await look(one);
    expect([one.cooldown.until(), one.cooldown.why(), one.changes]).toEqual([endOf(hard), "retry after 60 s", 1]);
    expect(store.writes).toBe(1);
  });
});

describe("a look at the store", () => {
  it("is due when the last one is five seconds old", async () => {
    const one = startProcess();
    expect(one.cooldown.dueForCheck(clock.now())).toBe(true);
    await look(one);
    await clock.advance(4_989);
    expect(one.cooldown.dueForCheck(clock.now())).toBe(false);
    one.cooldown.refresh(clock.now());
    expect(store.updates).toBe(1);
    await clock.advance(1);
    expect(one.cooldown.dueForCheck(clock.now())).toBe(true);
    one.cooldown.refresh(clock.now());
    expect(store.updates).toBe(2);
  });

  it("is one at a time, however long it takes", async () => {
    store.answerAfterMs = 30_000;
    const [one, other] = [startProcess(), startProcess()];
    const hard = refusal(10 * MINUTE_MS);
    other.cooldown.refused(hard);
    await clock.advance(10);
    for (let second = 0; second < 29; second++) {
      one.cooldown.refresh(clock.now());
      await clock.advance(1_000);
    }
    expect([store.updates, one.cooldown.until()]).toEqual([2, 0]);
    await clock.advance(2_000);
    expect(one.cooldown.until()).toBe(endOf(hard));
    one.cooldown.refresh(clock.now());
    expect(store.updates).toBe(3);
  });

  it("is no more than asked for by a store that never answers", async () => {
    store.manner = "hangs";
    const one = startProcess();
    for (let second = 0; second < 600; second++) {
      one.cooldown.refresh(clock.now());
      await clock.advance(1_000);
    }
    expect([store.updates, one.cooldown.until(), one.told]).toEqual([1, 0, []]);
  });

  it("is made again after GitHub's clock turned out to be an hour behind", async () => {
    const one = startProcess();
    one.cooldown.refresh(clock.now() + 3_600_000);
    await clock.advance(10);
    expect(one.cooldown.dueForCheck(clock.now())).toBe(true);
  });

  it("does not end what this process knows when its answer is from before", async () => {
    store.answerAfterMs = 1_000;
    const one = startProcess();
    one.cooldown.refresh(clock.now());
    await clock.advance(500);
    const hard = refusal(MINUTE_MS);
    one.cooldown.refused(hard);
    await clock.advance(5_000);
    expect(one.cooldown.until()).toBe(endOf(hard));
    expect(one.changes).toBe(1);
  });
});

describe("a store that went back to an older copy", () => {
  it("does not end what this process knows, and is not written to again", async () => {
    const [one, other] = [startProcess(), startProcess()];
    other.cooldown.refused(refusal(MINUTE_MS, "short"));
    await clock.advance(10);
    const older = stored();
    const long = refusal(10 * MINUTE_MS, "long");
    one.cooldown.refused(long);
    await clock.advance(10);
    store.values.set(KEY, older);
    await clock.advance(5_000);
    await look(one);
    expect([one.cooldown.until(), one.cooldown.why(), one.changes]).toEqual([endOf(long), "long", 1]);
    expect(stored()).toEqual(older);
  });
});

describe("a cooldown that is over", () => {
  it("changes nothing for who comes later", async () => {
    const [one, other] = [startProcess(), startProcess()];
    other.cooldown.refused(refusal(MINUTE_MS));
    await clock.advance(MINUTE_MS);
    await look(one);
    expect([one.cooldown.until(), one.changes]).toEqual([0, 0]);
  });
});

describe("a store that fails", () => {
  it("gets a refusal that it missed although a look that had begun before went well", async () => {
    const one = startProcess();
    store.answerAfterMs = 1_000;
    one.cooldown.refresh(clock.now());
    store.manner = "fails";
    store.answerAfterMs = 1;
    const hard = refusal(MINUTE_MS);
    one.cooldown.refused(hard);
    await clock.advance(5_000);
    store.manner = "answers";
    await look(one);
    expect(stored()).toMatchObject(docOf(hard));
  });

  it("is not mentioned when it was closed", async () => {
    const one = startProcess();
    store.manner = "fails";
    store.error = new SquadRateError("SQUAD_RATE_CLOSED", "The store is closed.");
    await look(one);
    expect(one.told).toEqual([]);
  });

  it("gets a refusal at the next look", async () => {
    const one = startProcess();
    store.manner = "fails";
    const hard = refusal(MINUTE_MS);
    one.cooldown.refused(hard);
    await clock.advance(5_000);
    store.manner = "answers";
    expect(stored()).toBeUndefined();

    await look(one);
    expect(stored()).toMatchObject(docOf(hard));
    await clock.advance(5_000);
    await look(one);
    expect([store.updates, store.writes]).toEqual([3, 1]);
  });

  it("gets the longer of two refusals that it missed, unless that is over", async () => {
    const one = startProcess();
    store.manner = "fails";
    one.cooldown.refused(refusal(MINUTE_MS));
    const long = refusal(2 * MINUTE_MS, "long");
    one.cooldown.refused(long);
    one.cooldown.refused(refusal(MINUTE_MS));
    await clock.advance(MINUTE_MS);
    store.manner = "answers";
    await look(one);
    expect(stored()).toMatchObject(docOf(long));

    store.manner = "fails";
    one.cooldown.refused(refusal(3 * MINUTE_MS, "missed"));
    await clock.advance(3 * MINUTE_MS);
    store.manner = "answers";
    await look(one);
    expect(stored()).toMatchObject(docOf(long));
  });

  it("has a refusal written once, when only its answer was lost", async () => {
    const one = startProcess();
    store.manner = "loses the answer";
    one.cooldown.refused(refusal(MINUTE_MS));
    await clock.advance(5_000);
    store.manner = "answers";
    await look(one);
    expect([store.updates, store.writes, stored()?.revision]).toEqual([2, 1, 1]);
  });

  it("changes nothing that is known, and is mentioned once an outage", async () => {
    const [one, other] = [startProcess(), startProcess()];
    other.cooldown.refused(refusal(10 * MINUTE_MS, "known"));
    await clock.advance(10);
    await look(one);
    const until = one.cooldown.until();
    for (let outage = 1; outage <= 2; outage++) {
      store.manner = "fails";
      for (let time = 0; time < 5; time++) {
        await clock.advance(5_000);
        await look(one);
      }
      expect([one.cooldown.until(), one.cooldown.why(), one.changes]).toEqual([until, "known", 1]);
      expect(one.told).toHaveLength(outage);
      store.manner = "answers";
      await clock.advance(5_000);
      await look(one);
    }
    expect(one.told[0]).toBe(
      "The pool's cooldown is not shared; this process goes on by what it knows: no route to host",
    );
  });
});

describe("a document that another version may own", () => {
  it("is left alone, mentioned once, and this process goes on by what it knows", async () => {
    const foreign = { version: 2, revision: 9, everything: "else" };
    store.values.set(KEY, foreign);
    const one = startProcess();
    const hard = refusal(10 * MINUTE_MS);
    one.cooldown.refused(hard);
    for (let time = 0; time < 5; time++) {
      await clock.advance(5_000);
      await look(one);
    }
    expect(store.values.get(KEY)).toEqual(foreign);
    expect(one.cooldown.until()).toBe(endOf(hard));
    expect(one.told).toEqual([
      `The pool's cooldown is not shared; this process goes on by what it knows: The document ${KEY} in the store is unreadable: document.version is 2; this reads version 1.`,
    ]);

    store.values.delete(KEY);
    await clock.advance(5_000);
    await look(one);
    expect(stored()).toMatchObject(docOf(hard));
  });
});
