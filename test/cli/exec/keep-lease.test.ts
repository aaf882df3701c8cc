import { describe, expect, it } from "vitest";
import { keepLease } from "../../../src/cli/exec/keep-lease.js";
import type { Lease } from "../../../src/proxy/control/control-client.js";
import type { LeaseOutcome } from "../../../src/proxy/control/obtain-lease.js";
import { createVirtualClock } from "../../../src/sim/index.js";

interface TestLease extends Lease {
  lose(): void;
  readonly isLeft: boolean;
}

function leaseOn(port: number): TestLease {
  let lose = (): void => {};
  const lost = new Promise<void>((resolve) => (lose = resolve));
  let isLeft = false;
  const apiUrl = `http://127.0.0.1:${port}/secret`;
  return {
    admitted: { id: "c1", secret: "secret", socketPath: "/c.sock", apiUrl, graphqlUrl: "", rootedApiUrl: "" },
    lost,
    leave: () => {
      isLeft = true;
      lose();
    },
    lose: () => lose(),
    get isLeft() {
      return isLeft;
    },
  };
}

const NONE: LeaseOutcome = { kind: "none", message: "no luck", remedy: "try later" };

function desk(outcomes: readonly (LeaseOutcome | Promise<LeaseOutcome> | Error)[]) {
  const clock = createVirtualClock();
  const warnings: string[] = [];
  const asked: { at: number; secret: string }[] = [];
  const first = leaseOn(1);
  const begin = clock.now();
  const kept = keepLease(
    first,
    async ({ secret }) => {
      const outcome = outcomes[asked.push({ at: clock.now() - begin, secret }) - 1] ?? NONE;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    (message) => warnings.push(message),
    clock,
  );
  return { clock, warnings, asked, first, kept };
}

describe("a lease that is kept", () => {
  it("comes back at once where the proxy has gone, and again where the next one goes", async () => {
    const [second, third] = [leaseOn(1), leaseOn(1)];
    const { clock, asked, warnings, first, kept } = desk([
      { kind: "lease", lease: second },
      { kind: "lease", lease: third },
    ]);
    first.lose();
    await clock.advance(0);
    second.lose();
    await clock.advance(0);
    expect(asked).toEqual([
      { at: 0, secret: "secret" },
      { at: 0, secret: "secret" },
    ]);
    kept.leave();
    expect(third.isLeft).toBe(true);
    expect(warnings).toEqual([]);
  });

  it("is asked for less and less often, then warned of once", async () => {
    const { clock, asked, warnings, first } = desk([NONE, new Error("no folder")]);
    first.lose();
    await clock.advance(3_600_000);
    expect(asked.map(({ at }) => at)).toEqual([0, 100, 600, 2_600, 7_600]);
    expect(warnings).toEqual(["the proxy is gone and does not come back, so calls to GitHub fail: no luck; try later"]);
  });

  it("comes back after a failure that passes, without a word", async () => {
    const second = leaseOn(1);
    const { clock, asked, warnings, first } = desk([NONE, new Error("no folder"), { kind: "lease", lease: second }]);
    first.lose();
    await clock.advance(3_600_000);
    expect(asked).toHaveLength(3);
    expect(warnings).toEqual([]);
  });

  it("warns once where base URLs are no more what they were", async () => {
    const [second, third] = [leaseOn(2), leaseOn(3)];
    const { clock, warnings, first } = desk([
      { kind: "lease", lease: second },
      { kind: "lease", lease: third },
    ]);
    first.lose();
    await clock.advance(0);
    second.lose();
    await clock.advance(0);
    expect(warnings).toEqual([expect.stringMatching(/another port/)]);
  });

  it("is not asked for again once the command has ended", async () => {
    const { clock, asked, first, kept } = desk([]);
    kept.leave();
    expect(first.isLeft).toBe(true);
    await clock.advance(3_600_000);
    expect(asked).toEqual([]);
  });

  it("is not waited for where the command ends between attempts", async () => {
    const { clock, asked, warnings, first, kept } = desk([]);
    first.lose();
    await clock.advance(50);
    kept.leave();
    await clock.advance(3_600_000);
    expect(asked).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it("is left where it comes after the command has ended", async () => {
    const second = leaseOn(1);
    let bring = (_outcome: LeaseOutcome): void => {};
    const { clock, first, kept } = desk([new Promise<LeaseOutcome>((resolve) => (bring = resolve))]);
    first.lose();
    await clock.advance(0);
    kept.leave();
    bring({ kind: "lease", lease: second });
    await clock.advance(0);
    expect(second.isLeft).toBe(true);
  });
});
