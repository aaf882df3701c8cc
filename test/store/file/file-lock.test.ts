import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../src/sim/virtual-clock.js";
import { FileLocks } from "../../../src/store/file/file-lock.js";
import { type Owner, thisOwner } from "../../../src/store/file/owner.js";

describe("FileLocks", () => {
  let directory: string;
  let path: string;
  let clock: VirtualClock;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "squad-rate-lock-"));
    path = join(directory, "x.lock");
    clock = createVirtualClock();
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** The number of a process that ran a moment ago. */
  const goneProcess = (): number => spawnSync(process.execPath, ["--version"]).pid;
  const heldBy = (owner: Partial<Owner>, where = path): void => {
    writeFileSync(where, JSON.stringify({ ...thisOwner(), id: "other", ...owner }));
  };

  it("gives a lock to one at a time", () => {
    const one = new FileLocks(directory, clock);
    const other = new FileLocks(directory, clock);

    const held = one.tryLock(path, true);
    expect(held?.isMine()).toBe(true);
    expect(other.tryLock(path, true)).toBeUndefined();
    held?.release();

    expect(other.tryLock(path, true)?.isMine()).toBe(true);
  });

  it("takes the lock of a process that is gone at once", () => {
    heldBy({ pid: goneProcess() });

    expect(new FileLocks(directory, clock).tryLock(path, true)).toBeDefined();
    expect(readdirSync(directory).filter((name) => name.includes("break"))).toEqual([]);
  });

  it.runIf(process.platform === "linux")("takes the lock of a process whose number another has now", () => {
    heldBy({ started: "1" });

    expect(new FileLocks(directory, clock).tryLock(path, true)).toBeDefined();
  });

  it("does not look after the owner unless it is asked to", () => {
    heldBy({ pid: goneProcess() });

    expect(new FileLocks(directory, clock).tryLock(path, false)).toBeUndefined();
  });

  it.each<[string, Partial<Owner>]>([
    ["a process that lives", {}],
    ["another machine", { host: "elsewhere", pid: 1 }],
    ["another machine of the same name", { boot: "another", pid: 4_000_000 }],
    ["another container", { pidNamespace: "pid:[1]", pid: 4_000_000 }],
  ])("takes the lock of %s only after having seen it unchanged for ten seconds", async (_whose, owner) => {
    heldBy(owner);
    const locks = new FileLocks(directory, clock);

    expect(locks.tryLock(path, true)).toBeUndefined();
    await clock.advance(9_999);
    expect(locks.tryLock(path, true)).toBeUndefined();
    await clock.advance(1);
    expect(locks.tryLock(path, true)).toBeDefined();
  });

  it("does not mistake a lock that is taken again and again for a forgotten one (sleeps: file times are the kernel's)", async () => {
    const busy = new FileLocks(directory, clock);
    const locks = new FileLocks(directory, clock);
    for (let second = 0; second < 30; second++) {
      const held = busy.tryLock(path, true);
      expect(held).toBeDefined();
      expect(locks.tryLock(path, true)).toBeUndefined();
      held?.release();
      await clock.advance(1_000);
      // The kernel's file times have a grain of a few milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  it("takes a lock with nothing readable in it only after ten seconds", async () => {
    writeFileSync(path, "");
    const locks = new FileLocks(directory, clock);

    expect(locks.tryLock(path, true)).toBeUndefined();
    await clock.advance(10_000);
    expect(locks.tryLock(path, true)).toBeDefined();
  });

  it("gets past a breaker that died while it broke", () => {
    heldBy({ pid: goneProcess(), id: "dead" });
    heldBy({ pid: goneProcess(), id: "dead-breaker" }, `${path}.break-dead-1`);
    heldBy({ pid: goneProcess(), id: "dead-breaker-2" }, `${path}.break-dead-2`);

    expect(new FileLocks(directory, clock).tryLock(path, true)).toBeDefined();
    expect(readdirSync(directory).filter((name) => name.includes("break"))).toEqual([]);
  });

  it("leaves a lock alone that a living breaker is breaking", () => {
    heldBy({ pid: goneProcess(), id: "dead" });
    heldBy({ id: "breaker" }, `${path}.break-dead-1`);

    expect(new FileLocks(directory, clock).tryLock(path, true)).toBeUndefined();
    expect(existsSync(path)).toBe(true);
  });

  it("notices that its lock was given to another, and does not release the other's", async () => {
    const stopped = new FileLocks(directory, clock);
    const held = stopped.tryLock(path, true);
    const locks = new FileLocks(directory, clock);
    locks.tryLock(path, true);
    await clock.advance(10_000);

    const taken = locks.tryLock(path, true);

    expect(taken?.isMine()).toBe(true);
    expect(held?.isMine()).toBe(false);
    held?.release();
    expect(taken?.isMine()).toBe(true);
  });

  it("writes its owner's name again when somebody has swept it away", () => {
    const locks = new FileLocks(directory, clock);
    locks.tryLock(path, true)?.release();
    rmSync(join(directory, `${locks.id}.owner`));

    expect(locks.tryLock(path, true)).toBeDefined();
  });

  it("leaves no file behind when it is closed", () => {
    const locks = new FileLocks(directory, clock);
    locks.tryLock(path, true)?.release();
    locks.close();

    expect(readdirSync(directory)).toEqual([]);
  });

  it("excludes those that lock by link and those that lock by creation alike", () => {
    const byLink = new FileLocks(directory, clock);
    const byCreation = new FileLocks(directory, clock, () => {
      throw Object.assign(new Error("no links here"), { code: "ENOTSUP" });
    });

    const held = byCreation.tryLock(path, true);
    expect(byLink.tryLock(path, true)).toBeUndefined();
    held?.release();
    const linked = byLink.tryLock(path, true);
    expect(linked).toBeDefined();
    expect(byCreation.tryLock(path, true)).toBeUndefined();
    linked?.release();
    expect(byCreation.tryLock(path, true)?.isMine()).toBe(true);
  });
});
