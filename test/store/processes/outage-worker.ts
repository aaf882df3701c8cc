import { createInterface } from "node:readline";
import { atomicUpdate } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";

// A process that updates a document whenever it is told to, and says what came of it and how long it took.
const [uri, key, timeoutMs] = process.argv.slice(2) as [string, string, string];
process.on("unhandledRejection", (reason) => {
  console.log(`unhandled ${String(reason)}`);
});
const store = await openStore(uri, { timeoutMs: Number(timeoutMs) });
console.log("open");

for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const [kind, calls] = line.split(" ");
  const outcomes = await Promise.allSettled(
    Array.from({ length: Number(calls) }, () =>
      kind === "update"
        ? atomicUpdate(store, key, (current) => ({ total: Number(current?.total ?? 0) + 1 }))
        : store.keyv.get(`${key}:entry`),
    ),
  );
  const codes = outcomes.map((each) => (each.status === "fulfilled" ? "ok" : String(each.reason.code)));
  console.log(JSON.stringify({ codes: [...new Set(codes)], tookMs: Math.round(performance.now() - start) }));
}
// Neither closed nor exited: with its input at an end nothing may keep it alive.
console.log("end of input");
