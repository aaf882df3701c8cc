import { expect, it } from "vitest";
import { createReport, renderHtml, renderText } from "../../src/report/index.js";
import { collectGarbageUntil } from "../harness/collect-garbage.js";
import { bytesOf, syntheticTrace } from "./synthetic-trace.js";

const TOTAL_BYTES = 250e6;
/** By then everything that is bounded is full. */
const SETTLED_BYTES = 100e6;

/** Memory in use at several points, after collection. */
interface Sample {
  readonly readBytes: number;
  readonly heapBytes: number;
}

it("reads a trace of 250 MB in memory that stops growing", { timeout: 600_000 }, async () => {
  const samples: Sample[] = [];
  async function* watched(): AsyncGenerator<Uint8Array> {
    let readBytes = 0;
    const agents = Array.from({ length: 60 }, (_, index) => `agent-${index}`);
    for await (const chunk of bytesOf(syntheticTrace({ agents, callsPerSecond: 20, forMs: 1e12, targets: 500_000 }))) {
      yield chunk;
      readBytes += chunk.length;
      if (readBytes < SETTLED_BYTES + samples.length * 50e6) continue;
      let rounds = 0;
      await collectGarbageUntil(() => ++rounds > 2);
      samples.push({ readBytes, heapBytes: process.memoryUsage().heapUsed });
      if (readBytes >= TOTAL_BYTES) return;
    }
  }
  const report = await createReport({ stream: watched() }, { maxTargets: 20_000 });
  console.log(
    samples
      .map(
        ({ readBytes, heapBytes }) => `${Math.round(readBytes / 1e6)} MB read: heap ${Math.round(heapBytes / 1e6)} MB`,
      )
      .join("\n"),
  );
  console.log(`at the end: resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  const [first, ...later] = samples.map(({ heapBytes }) => heapBytes);
  expect(later.length).toBeGreaterThanOrEqual(3);
  for (const heap of later) expect(heap).toBeLessThan((first as number) + 25e6);
  expect(report.classes.forgottenTargets).toBeGreaterThan(0);
  expect(JSON.stringify(report).length).toBeLessThan(300_000);
  expect(renderHtml(report).length).toBeLessThan(600_000);
  expect(renderText(report).length).toBeLessThan(15_000);
});
