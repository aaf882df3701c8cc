import { describe, expect, it } from "vitest";
import type { ShareGrant } from "../../src/policy/share/report.js";
import { updateShare } from "../../src/policy/share.js";
import {
  adopt,
  arrive,
  beginReport,
  countedUntil,
  leave,
  newSpender,
  planReport,
  reportFailed,
  type SpenderState,
  type SpendTicket,
  setClock,
  settle,
  spend,
  writeOff,
} from "../../src/policy/spender.js";
import { asking, HOUR_MS, openWindow, RESET, reportOf, seen, T0 } from "./share/reports.js";

const TERMS = { clockKnown: true, mode: "lend" } as const;
const FACTS = { spender: "me", windowMs: HOUR_MS, requestTimeoutMs: 60_000 };
const NOBODY = [undefined, undefined, undefined] as const;

function grantOf(units: ShareGrant["units"], more: Partial<ShareGrant> = {}): ShareGrant {
  return {
    window: 1,
    stint: 1,
    windowMs: HOUR_MS,
    kind: "continued",
    units,
    retryAt: NOBODY,
    spendUntil: T0 + 300_000,
    reportBy: T0 + 120_000,
    resetAt: RESET,
    previousResetAt: T0,
    blockedUntil: 0,
    unheld: 0,
    share: [0.4, 0.35, 0.25],
    ...more,
  };
}

/** Reports and takes in `grant`. */
function given(state: SpenderState, grant: ShareGrant, now: number = T0): SpenderState {
  const begun = beginReport(state, now, TERMS).state;
  return adopt(begun, begun.reportId, grant, now);
}

function sent(
  state: SpenderState,
  priority: 0 | 1 | 2,
  units = 1,
  now: number = T0,
): { state: SpenderState; ticket: SpendTicket } {
  const outcome = spend(arrive(state, priority, units, now), priority, units, now);
  if (outcome.kind === "wait") throw new Error("had to wait");
  return outcome;
}

function answered(charged: number, used: number, resetAt: number = RESET, at: number = T0) {
  return { answered: true, charged, header: seen(used, at, resetAt) };
}

const fresh = given(newSpender(FACTS), grantOf([0, 0, 0], { kind: "restarted" }));
const holding = given(fresh, grantOf([4, 8, 10]));

describe("spending", () => {
  it("waits before the first grant, and says until when", () => {
    const outcome = spend(arrive(newSpender(FACTS), 1, 1, T0), 1, 1, T0);
    expect(outcome).toMatchObject({ kind: "wait", untilAt: T0 + 250 });
  });

  it("takes units from its own class, to the last one", () => {
    let state = holding;
    for (let call = 0; call < 8; call++) ({ state } = sent(state, 1));
    expect(state.classes[1]).toMatchObject({ balance: 0, inFlight: 8, waiting: 0 });
    expect(state.classes[2].balance).toBe(10);
  });

  it("lets urgent calls spend what less urgent classes hold, and never the other way round", () => {
    const { state } = sent(holding, 0, 15);
    expect(state.classes.map(({ balance }) => balance)).toEqual([0, 7, 0]);
    expect(spend(arrive(holding, 2, 11, T0), 2, 11, T0).kind).toBe("wait");
  });

  it("sends nothing from `spendUntil` on", () => {
    expect(spend(arrive(holding, 1, 1, T0), 1, 1, T0 + 299_999).kind).toBe("go");
    expect(spend(arrive(holding, 1, 1, T0), 1, 1, T0 + 300_000).kind).toBe("wait");
  });

  it("takes a call that left off the queue", () => {
    const waiting = arrive(arrive(fresh, 1, 2, T0), 1, 3, T0);
    expect(leave(waiting, 1, 3).classes[1].waiting).toBe(2);
  });
});

describe("settling", () => {
  it("knows that a header counts what was charged before its call was sent, and perhaps no more", () => {
    const { state, ticket } = sent(holding, 1);
    const late = settle(state, ticket, answered(1, 8, RESET, T0 + 9_000), T0 + 9_000);
    expect(late.header).toMatchObject({ at: T0 + 9_000, sentAt: T0 });
  });

  it("charges what the answer cost", () => {
    const { state, ticket } = sent(holding, 1);
    expect(settle(state, ticket, answered(1, 7), T0).classes[1]).toMatchObject({ balance: 7, inFlight: 0, spent: 1 });
  });

  it("gives an unchanged answer's unit back to the balance that it came from, and no more", () => {
    const { state, ticket } = sent(holding, 1);
    const own = settle(state, ticket, answered(0, 7), T0).classes[1];
    expect(own).toMatchObject({ balance: 8, inFlight: 0, spent: 0 });
  });

  it("counts unchanged answers out of the demand", () => {
    const { state, ticket } = sent(holding, 1);
    expect(state.classes[1].want.perHour).toBeGreaterThan(0);
    expect(settle(state, ticket, answered(0, 7), T0).classes[1].want.perHour).toBe(0);
  });

  it("takes what a call cost beyond its hold from what else is granted", () => {
    const { state, ticket } = sent(holding, 1);
    expect(settle(state, ticket, answered(5, 7), T0).classes[1]).toMatchObject({ balance: 3, spent: 5 });
  });

  it("gives a request that nobody answered back to the pool, not to the balance, and remembers that it may be charged", () => {
    const { state, ticket } = sent(holding, 1);
    const off = writeOff(state, ticket, T0);
    expect(off).toMatchObject({ writtenOff: 1 });
    expect(off.classes[1]).toMatchObject({ balance: 7, inFlight: 0, spent: 0 });
    expect(off.classes[1].want.perHour).toBe(0);
    expect(beginReport(off, T0, TERMS).report.writtenOff).toBe(1);
  });

  it("forgets what was written off with its window, unless it was never told when that would end", () => {
    const { state, ticket } = sent(holding, 1);
    const off = writeOff(settle(state, ticket, answered(1, 8), T0), ticket, T0);
    const next = grantOf([0, 0, 0], { kind: "restarted", window: 2, resetAt: RESET + HOUR_MS, previousResetAt: RESET });
    expect(given(off, next, RESET + 3_000).writtenOff).toBe(0);
    expect(given({ ...off, resetAt: undefined }, next, RESET + 3_000).writtenOff).toBe(2);
    expect(given(off, { ...next, window: 1, previousResetAt: T0 }, T0).writtenOff).toBe(2);
  });

  it("has no header of its window to go by when its newest is of the next", () => {
    const { state, ticket } = sent(holding, 1);
    expect(countedUntil(settle(state, ticket, answered(1, 8), T0))).toBe(T0);
    expect(countedUntil(settle(state, ticket, answered(1, 1, RESET + HOUR_MS, RESET - 100), RESET - 100))).toBe(0);
  });

  it("books a call in the window that its answer names", () => {
    const { state, ticket } = sent(holding, 1);
    const past = settle(state, ticket, answered(1, 4_000, T0 + 1_000), T0).classes[1];
    expect(past).toMatchObject({ inFlight: 0, spent: 0, spentAhead: 0 });
    const ahead = settle(state, ticket, answered(1, 1, RESET + HOUR_MS), RESET - 100).classes[1];
    expect(ahead).toMatchObject({ inFlight: 0, spent: 0, spentAhead: 1 });
  });

  it("stops when an answer shows that GitHub has begun another window", () => {
    const long = given(holding, grantOf([0, 0, 0], { spendUntil: RESET }));
    const { state, ticket } = sent(long, 1);
    const closed = settle(state, ticket, answered(1, 1, RESET + HOUR_MS), RESET - 100);
    expect(spend(arrive(closed, 1, 1, RESET - 50), 1, 1, RESET - 50).kind).toBe("wait");
    expect(planReport(arrive(closed, 1, 1, RESET - 50), RESET - 50)).toEqual({ kind: "at", at: RESET + 2_000 });
  });

  it("lets calls go freely when GitHub names no quota, until it names one", () => {
    const { state, ticket } = sent(holding, 1);
    const free = settle({ ...state, header: undefined }, ticket, { answered: true, charged: 0, header: undefined }, T0);
    const far = T0 + 10 * HOUR_MS;
    const outcome = spend(arrive(free, 1, 1, far), 1, 1, far);
    expect(outcome.kind).toBe("go");
    expect(planReport(free, far)).toEqual({ kind: "never" });
    if (outcome.kind === "wait") return;
    const metered = settle(outcome.state, outcome.ticket, answered(1, 1, far + HOUR_MS, far), far);
    expect(spend(arrive(metered, 1, 1, far), 1, 1, far).kind).toBe("wait");
  });
});

describe("reporting", () => {
  it("goes to the store when a call waits", () => {
    expect(planReport(arrive(fresh, 1, 1, T0), T0)).toEqual({ kind: "now", why: "waiting" });
  });

  it("waits out a denial", () => {
    const denied = given(arrive(fresh, 1, 1, T0), grantOf([0, 0, 0], { retryAt: [undefined, T0 + 5_000, undefined] }));
    expect(planReport(denied, T0)).toEqual({ kind: "at", at: T0 + 5_000 });
    expect(planReport(denied, T0 + 5_000)).toEqual({ kind: "now", why: "waiting" });
    const other = given(denied, grantOf([3, 0, 0]), T0 + 1_000);
    expect(planReport(other, T0 + 1_000)).toEqual({ kind: "at", at: T0 + 5_000 });
    // P0 was not denied.
    expect(planReport(arrive(denied, 0, 1, T0), T0)).toEqual({ kind: "now", why: "waiting" });
  });

  it("fetches more in the background at a quarter of the last grant", () => {
    let state = holding;
    for (let call = 0; call < 5; call++) ({ state } = sent(state, 1));
    expect(planReport(state, T0).kind).toBe("at");
    ({ state } = sent(state, 1));
    expect(planReport(state, T0)).toEqual({ kind: "now", why: "low" });
    expect(beginReport(state, T0, TERMS).report.classes[1]).toMatchObject({ asks: true, inFlight: 6, balance: 2 });
  });

  it("gives idle units back before it tells, so that they cannot be spent meanwhile", () => {
    const idleAt = T0 + 60_000;
    expect(planReport(holding, idleAt)).toEqual({ kind: "now", why: "idle" });
    const { state, report } = beginReport(holding, idleAt, TERMS);
    expect(report.classes.map(({ balance }) => balance)).toEqual([0, 0, 0]);
    expect(spend(arrive(state, 2, 1, idleAt), 2, 1, idleAt).kind).toBe("wait");
  });

  it("keeps what a slow caller will soon need", () => {
    let state = holding;
    for (const at of [0, 40_000, 80_000]) state = sent(state, 1, 1, T0 + at).state;
    const reports = planReport(
      { ...state, reportBy: T0 + HOUR_MS, classes: [fresh.classes[0], state.classes[1], fresh.classes[2]] },
      T0 + 141_000,
    );
    expect(reports.kind).toBe("at");
  });

  it("sends a heartbeat only with units in hand", () => {
    const { classes } = given(fresh, grantOf([0, 8, 0]));
    const { state } = sent({ ...fresh, spendUntil: RESET, classes }, 1, 1, T0 + 119_000);
    const busy = arrive(state, 0, 0, T0 + 119_500);
    expect(planReport(busy, T0 + 120_000)).toEqual({ kind: "now", why: "heartbeat" });
    expect(planReport(fresh, T0 + 120_000)).toEqual({ kind: "never" });
  });

  it("tells the first header of a window at once, since others wait for it", () => {
    const unopened = given(
      fresh,
      { ...grantOf([0, 1, 0], { window: 2, kind: "restarted", previousResetAt: RESET }), resetAt: undefined },
      RESET + 2_000,
    );
    const now = RESET + 2_100;
    const { state, ticket } = sent({ ...unopened, spendUntil: now + 1_000 }, 1, 1, now);
    expect(planReport(settle(state, ticket, answered(1, 1, RESET + HOUR_MS + 2_000, now), now), now)).toEqual({
      kind: "now",
      why: "news",
    });
  });

  it("does not hear the answer to another report", () => {
    const first = beginReport(fresh, T0, TERMS).state;
    const failed = reportFailed(first, first.reportId, T0);
    const second = beginReport(failed, T0 + 1_000, TERMS).state;
    expect(adopt(second, first.reportId, grantOf([0, 50, 0]), T0 + 1_001)).toBe(second);
  });

  it("takes calls sent meanwhile off what a restart brings", () => {
    const begun = beginReport(holding, T0, TERMS).state;
    const { state } = sent(begun, 1, 3);
    const adopted = adopt(state, begun.reportId, grantOf([0, 10, 0], { kind: "restarted", window: 2 }), T0);
    expect(adopted.classes[1]).toMatchObject({ balance: 7, inFlight: 3, spent: 0 });
    expect(adopted.classes[2].balance).toBe(0);
  });

  it("gives everything back on close", () => {
    const { report } = beginReport(holding, T0, { ...TERMS, closing: true });
    expect(report.closing).toBe(true);
    expect(report.classes.every(({ balance, asks }) => balance === 0 && !asks)).toBe(true);
  });

  it("agrees with the pool on what is granted", () => {
    const begun = beginReport(arrive(newSpender(FACTS), 1, 5, T0), T0 + 1_000, TERMS);
    const { grant, doc } = updateShare(openWindow(), begun.report, T0 + 1_000);
    const state = adopt(begun.state, begun.state.reportId, grant, T0 + 1_000);
    expect(state.classes[1].balance).toBe(5);
    expect(doc.allocations.me?.allocated).toBe(5);
    expect(updateShare(doc, reportOf("other", { 1: asking(1) }), T0 + 2_000).grant.units[1]).toBe(1);
  });
});

describe("when the store is lost", () => {
  /** Units left: 1,000 of 5,000; an hour to go. */
  const alone: SpenderState = { ...fresh, spendUntil: 0, header: seen(4_000) };
  const lost = reportFailed({ ...alone, reporting: true, reportId: 7 }, 7, T0);

  it("spends its share of what its own headers show over the time left, a minute's at once if need be", () => {
    // 35 % of 1,000 units in 3,600 s: one in 10.3 s.
    let state: SpenderState = lost;
    const gone: number[] = [];
    for (let second = 0; second <= 100; second++) {
      const outcome = spend(arrive(state, 1, 1, T0 + second * 1_000), 1, 1, T0 + second * 1_000);
      state = outcome.kind === "go" ? outcome.state : leave(outcome.state, 1, 1);
      if (outcome.kind === "go") gone.push(second);
    }
    expect(gone).toEqual([0, 1, 2, 3, 4, 5, 6, 13, 23, 33, 44, 54, 64, 74, 85, 95]);
  });

  it("takes a handful that the pool had left, and denied, for nothing", () => {
    const denied = (unheld: number): SpenderState => {
      const grant = grantOf([0, 0, 0], { retryAt: [undefined, T0 + 5_000, undefined], unheld });
      const begun = beginReport(given(arrive(lost, 1, 1, T0), grant, T0 + 1_000), T0 + 5_000, TERMS).state;
      return { ...reportFailed(begun, begun.reportId, T0 + 5_250), spendUntil: 0 };
    };
    const left = (state: SpenderState) => spend(state, 1, 1, T0 + 5_300).kind;
    expect([left(denied(15)), left(denied(600))]).toEqual(["wait", "go"]);
  });

  it("goes by its headers though a clock that nobody had set took their window for over", () => {
    const grant = grantOf([0, 1, 0], { window: 2, resetAt: undefined, previousResetAt: RESET });
    const unset = given(fresh, grant, RESET + HOUR_MS);
    const { state, ticket } = sent(unset, 1);
    const next = (now: number) => {
      const heard = settle(setClock(state, now), ticket, answered(1, 5_000, RESET, now), now);
      const lost = reportFailed({ ...heard, reporting: true, reportId: 7 }, 7, now);
      return spend(arrive(lost, 1, 1, now), 1, 1, now);
    };
    expect(next(T0)).toMatchObject({ kind: "wait", untilAt: RESET + 1_000 });
    // One that was right about it knows nothing of the window that has begun.
    expect(next(RESET + 500)).toMatchObject({ kind: "go" });
  });

  it("spends what was granted first", () => {
    const { state } = sent({ ...lost, spendUntil: T0 + 1_000, classes: holding.classes }, 1);
    expect(state).toMatchObject({ pacedUntil: 0 });
  });

  it("sends nothing when its headers show nothing left, until the reset", () => {
    const empty = { ...lost, header: seen(5_000) };
    expect(spend(arrive(empty, 0, 1, T0), 0, 1, T0)).toMatchObject({ kind: "wait", untilAt: RESET + 1_000 });
  });

  it("believes the pool's last denial rather than an older header", () => {
    const denied = given(
      arrive(alone, 1, 1, T0),
      grantOf([0, 0, 0], { retryAt: [undefined, T0 + 5_000, undefined] }),
      T0 + 1_000,
    );
    const begun = beginReport(denied, T0 + 5_000, TERMS).state;
    const cut = { ...reportFailed(begun, begun.reportId, T0 + 5_250), spendUntil: 0 };
    expect(spend(cut, 1, 1, T0 + 5_300)).toMatchObject({ kind: "wait", untilAt: RESET + 1_000 });
  });

  it("sends a call every five seconds to find out what nobody here knows", () => {
    const blind: SpenderState = { ...lost, header: undefined };
    const first = spend(arrive(blind, 1, 1, T0), 1, 1, T0);
    expect(first.kind).toBe("go");
    expect(spend(arrive(first.state, 1, 1, T0), 1, 1, T0)).toMatchObject({ kind: "wait", untilAt: T0 + 5_000 });
  });

  it("tries the store again, ever less often, and heeds it when it answers", () => {
    const waiting = arrive({ ...lost, pacedUntil: T0 + 60_000 }, 1, 1, T0);
    expect(planReport(waiting, T0)).toEqual({ kind: "at", at: T0 + 1_000 });
    const again = beginReport(waiting, T0 + 1_000, TERMS).state;
    const failed = reportFailed(again, again.reportId, T0 + 1_250);
    expect(planReport(failed, T0 + 1_250)).toEqual({ kind: "at", at: T0 + 3_250 });
    const third = beginReport(failed, T0 + 3_250, TERMS).state;
    expect(adopt(third, third.reportId, grantOf([0, 5, 0]), T0 + 3_300)).toMatchObject({ lost: false, failures: 0 });
  });
});
