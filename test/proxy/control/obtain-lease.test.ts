import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/clock.js";
import type { Launched } from "../../../src/proxy/control/launch.js";
import { type LeaseOutcome, obtainLease } from "../../../src/proxy/control/obtain-lease.js";
import type { ProxyFolder } from "../../../src/proxy/control/proxy-folder.js";
import { type Serving, serveFolder } from "../../../src/proxy/control/serve-folder.js";
import { fakeProxy } from "./fake-proxy.js";
import { proxyFolder } from "./folder-for-test.js";

/** Starts proxies within this process, and counts. */
class Starter {
  readonly folder: ProxyFolder = proxyFolder();
  launches = 0;
  serving: Serving | undefined;

  readonly launch = async (): Promise<Launched> => {
    this.launches++;
    this.serving = await serveFolder({
      folder: this.folder,
      makeProxy: async () => fakeProxy(),
      idleMs: undefined,
      clock: systemClock,
    });
    return { kind: "up" };
  };

  constructor() {
    onTestFinished(() => this.serving?.close());
  }

  obtain(launch: () => Promise<Launched> = this.launch): Promise<LeaseOutcome> {
    return obtainLease(this.folder, {}, launch, systemClock, () => 0.5);
  }
}

function leaves(outcomes: readonly LeaseOutcome[]): void {
  onTestFinished(() => {
    for (const outcome of outcomes) if (outcome.kind === "lease") outcome.lease.leave();
  });
}

describe("a lease", () => {
  it("starts one proxy for all who ask at the same time", async () => {
    const starter = new Starter();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => starter.obtain()));
    leaves(outcomes);
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(20).fill("lease"));
    expect(starter.launches).toBe(1);
  });

  it("starts none where one runs", async () => {
    const starter = new Starter();
    await starter.launch();
    leaves([await starter.obtain()]);
    expect(starter.launches).toBe(1);
  });

  it("waits for one that is ending, and starts the next", async () => {
    const starter = new Starter();
    await starter.launch();
    let finish = (): void => {};
    const { serving } = starter;
    if (serving === undefined) throw new Error("not served");
    serving.proxy.close = () => new Promise((resolve) => (finish = resolve));
    const ended = serving.close();
    const asked = starter.obtain();
    // It looks several times meanwhile, and must not start one beside the other.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(starter.launches).toBe(1);
    finish();
    await ended;
    const outcome = await asked;
    leaves([outcome]);
    expect(outcome.kind).toBe("lease");
    expect(starter.launches).toBe(2);
  });

  it("fails for all who wait when the start fails, after one attempt", async () => {
    const starter = new Starter();
    let attempts = 0;
    const fail = async (): Promise<Launched> => {
      attempts++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { kind: "failed", why: "no such store" };
    };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => starter.obtain(fail)));
    expect(attempts).toBe(1);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: "none", message: expect.stringMatching(/no such store/) });
    }
    // Who comes later tries anew.
    const later = await starter.obtain();
    leaves([later]);
    expect(later.kind).toBe("lease");
    expect(existsSync(join(starter.folder.path, "proxy.json.failed"))).toBe(false);
  });

  it("says what was refused, and does not start another for it", async () => {
    const starter = new Starter();
    await starter.launch();
    const outcome = await obtainLease(starter.folder, { agent: "" }, starter.launch, systemClock, () => 0.5);
    expect(outcome).toMatchObject({ kind: "none", message: expect.stringMatching(/client\.agent/) });
    expect(starter.launches).toBe(1);
  });

  it("says who holds the socket and does not answer", async () => {
    const starter = new Starter();
    const mute = createServer(() => {}).listen(starter.folder.controlSocket);
    onTestFinished(() => void mute.close());
    const hurried = { ...systemClock, timer: (_ms: number, run: () => void) => systemClock.timer(50, run) };
    const outcome = await obtainLease(starter.folder, {}, starter.launch, hurried, () => 0.5);
    expect(outcome).toMatchObject({ kind: "none", message: expect.stringMatching(/does not answer/) });
    expect(starter.launches).toBe(0);
  });
});
