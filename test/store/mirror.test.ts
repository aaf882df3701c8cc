import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { Mirror, mirrorOf, type PoolSnapshot } from "../../src/store/mirror.js";

const RESET_AT = Date.UTC(2026, 2, 22, 20);
const LEASE = Date.UTC(2026, 2, 22, 19, 55, 0, 250);

const failed = (error: unknown): void => expect.unreachable(String(error));

const pool: PoolSnapshot = {
  totalLimit: 5_000,
  resetAt: RESET_AT,
  spenders: [
    { name: "ralph", priority: 2, allocated: 1_250, used: 100, leaseExpiry: LEASE },
    { name: "picard", priority: 0, allocated: 2_000, used: 450, leaseExpiry: LEASE },
  ],
};

describe("mirrorOf", () => {
  it("is the squads' shared file to the letter", () => {
    expect(JSON.stringify(mirrorOf(pool), null, 2)).toBe(`{
  "totalLimit": 5000,
  "resetAt": "2026-03-22T20:00:00Z",
  "allocations": {
    "picard": {
      "priority": 0,
      "allocated": 2000,
      "used": 450,
      "leaseExpiry": "2026-03-22T19:55:00Z"
    },
    "ralph": {
      "priority": 2,
      "allocated": 1250,
      "used": 100,
      "leaseExpiry": "2026-03-22T19:55:00Z"
    }
  }
}`);
  });

  it("adds up agents of one name on two machines", () => {
    const spenders = [
      { name: "ralph", priority: 2, allocated: 10, used: 1, leaseExpiry: LEASE },
      { name: "ralph", priority: 1, allocated: 5, used: 2, leaseExpiry: LEASE + 60_000 },
    ] as const;

    expect(mirrorOf({ ...pool, spenders }).allocations).toEqual({
      ralph: { priority: 1, allocated: 15, used: 3, leaseExpiry: "2026-03-22T19:56:00Z" },
    });
  });

  it("has no reset before a window is known, and takes any name", () => {
    const spenders = [{ name: "__proto__", priority: 0, allocated: 1, used: 0, leaseExpiry: LEASE }] as const;

    expect(JSON.stringify(mirrorOf({ totalLimit: 5_000, resetAt: undefined, spenders }))).toContain(
      '"resetAt":null,"allocations":{"__proto__":{"priority":0',
    );
  });
});

describe("Mirror", () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "squad-rate-mirror-"));
    path = join(directory, "squad", "rate-pool.json");
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const totalIn = async (): Promise<number> => JSON.parse(await readFile(path, "utf8")).totalLimit as number;

  it("writes at most once a second, the last of what it was shown", async () => {
    const clock = createVirtualClock();
    const mirror = new Mirror({ path, clock, onError: failed });
    mirror.show({ ...pool, totalLimit: 1 });
    await vi.waitUntil(() => totalIn().catch(() => undefined));

    for (const totalLimit of [2, 3, 4]) mirror.show({ ...pool, totalLimit });
    await clock.advance(999);
    expect(await totalIn()).toBe(1);
    await clock.advance(1);
    await mirror.flush();

    expect(await totalIn()).toBe(4);
    expect(await readdir(join(directory, "squad"))).toEqual(["rate-pool.json"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("writes the last at once when it is flushed", async () => {
    const clock = createVirtualClock();
    const mirror = new Mirror({ path, clock, onError: failed });
    mirror.show({ ...pool, totalLimit: 1 });
    mirror.show({ ...pool, totalLimit: 2 });

    await mirror.flush();

    expect(await totalIn()).toBe(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it("reports a file that cannot be written, and goes on", async () => {
    const clock = createVirtualClock();
    const onError = vi.fn();
    const mirror = new Mirror({ path: join(directory, "\0"), clock, onError });

    mirror.show(pool);
    await mirror.flush();
    mirror.show(pool);
    await mirror.flush();

    expect(onError).toHaveBeenCalledTimes(2);
  });
});
