import { atomicUpdate } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";

// A process that counts in a document that it shares with others: URI, key, number of updates. Each update that was
// confirmed is told on a line of its own, so that a reader knows what a killed process had been promised.
const [uri, key, updates] = process.argv.slice(2) as [string, string, string];
const me = String(process.pid);
// Contention makes a few updates slow; whether they are lost is the question here.
const store = await openStore(uri, { timeoutMs: 30_000 });

for (let update = 1; update <= Number(updates); update++) {
  await atomicUpdate(store, key, (current) => {
    const by = (current?.by ?? {}) as Record<string, number>;
    return { total: Number(current?.total ?? 0) + 1, by: { ...by, [me]: (by[me] ?? 0) + 1 } };
  });
  process.stdout.write(`${update}\n`);
}
// Not closed: a store must not keep a process alive.
