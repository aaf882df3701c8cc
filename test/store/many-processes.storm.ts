import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readDocument } from "../../src/store/atomic-update.js";
import { openStore } from "../../src/store/open-store.js";
import { startChild } from "../harness/child.js";
import { requireServer } from "../harness/servers.js";

const PROCESSES = 8;
const UPDATES = 200;
const WORKER = "store/processes/count-worker.ts";

const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const directory = await mkdtemp(join(tmpdir(), "squad-rate-storm-"));

afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each([{ label: "file", url: `file:${directory}`, missing: false }, redis, postgres])(
  "$label",
  ({ url, missing }) => {
    it.skipIf(missing)(`loses none of ${PROCESSES} × ${UPDATES} updates of as many processes`, async () => {
      const key = `squad-rate:storm:${randomUUID()}`;

      const workers = Array.from({ length: PROCESSES }, () => startChild(WORKER, [url, key, String(UPDATES)]));
      const ends = await Promise.all(workers.map((worker) => worker.ended));

      expect(ends).toEqual(ends.map(() => ({ how: "0", stderr: "" })));
      const document = await readOnce(url, key);
      expect(document).toMatchObject({ total: PROCESSES * UPDATES, revision: PROCESSES * UPDATES });
      expect(document?.by).toEqual(Object.fromEntries(workers.map(({ pid }) => [String(pid), UPDATES])));
    });
  },
);

describe("kill -9 on the file store", () => {
  it("loses no update that was confirmed, leaves no torn file and no lock for long", async () => {
    const place = join(directory, "killed");
    const url = `file:${place}`;
    const key = `squad-rate:storm:${randomUUID()}`;
    const confirmed = new Map<number, number>();
    const start = (): ReturnType<typeof startChild> => startChild(WORKER, [url, key, "1000000"]);

    const workers = Array.from({ length: 6 }, start);
    for (let round = 0; round < 40; round++) {
      const index = round % workers.length;
      const victim = workers[index] as ReturnType<typeof startChild>;
      // Whoever stands at a lock left behind must get past it, or no line comes and this test runs out of time.
      const goal = String(5 + (round % 13));
      await victim.line((line) => line === goal);
      victim.signal("SIGKILL");
      await victim.ended;
      confirmed.set(victim.pid, victim.lines.length);
      workers[index] = start();
    }
    for (const worker of workers) {
      worker.signal("SIGKILL");
      await worker.ended;
      confirmed.set(worker.pid, worker.lines.length);
    }

    const document = await readOnce(url, key);
    const by = document?.by as Record<string, number>;
    for (const [pid, updates] of confirmed) {
      // One more may have been written than its writer lived to tell.
      const written = by[String(pid)] ?? 0;
      expect(written - updates, `updates of ${pid} beyond those confirmed`).toBeOneOf([0, 1]);
    }
    expect(document?.total).toBe(Object.values(by).reduce((sum, each) => sum + each, 0));
    const names = await readdir(place);
    expect(names.filter((name) => name.includes(".corrupt"))).toEqual([]);
    for (const name of names.filter((each) => each.endsWith(".json"))) {
      JSON.parse(await readFile(join(place, name), "utf8"));
    }
  });
});

async function readOnce(url: string, key: string): ReturnType<typeof readDocument> {
  await using store = await openStore(url, { timeoutMs: 30_000 });
  const document = await readDocument(store, key);
  await store.keyv.delete(key);
  return document;
}
