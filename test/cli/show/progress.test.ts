import { describe, expect, it } from "vitest";
import { type Progress, showProgress } from "../../../src/cli/show/progress.js";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";
import { fakeContext } from "../fake-context.js";

function begin(look: { isTerminal?: boolean; columns?: number; quiet?: boolean }): {
  progress: Progress;
  shown: () => string;
  pass: (ms: number) => Promise<void>;
} {
  const clock = createVirtualClock();
  const { err, written } = fakeContext({ clock, ...look });
  let count = 0;
  const progress = showProgress({ output: err, clock, text: () => `step ${++count} of many`, quiet: look.quiet });
  return { progress, shown: written.err, pass: (ms) => clock.advance(ms) };
}

describe("progress", () => {
  it("says nothing of what is done within a second", async () => {
    const { progress, shown, pass } = begin({ isTerminal: true });
    await pass(999);
    progress.end();
    await pass(60_000);
    expect(shown()).toBe("");
  });

  it("is one line of a terminal that changes and is gone at the end", async () => {
    const { progress, shown, pass } = begin({ isTerminal: true });
    await pass(1_100);
    expect(shown()).toBe("\r\u001b[2Kstep 1 of many\r\u001b[2Kstep 2 of many");
    progress.end();
    expect(shown().endsWith("step 2 of many\r\u001b[2K")).toBe(true);
    progress.end();
    await pass(10_000);
    expect(shown().endsWith("step 2 of many\r\u001b[2K")).toBe(true);
  });

  it("never fills a line, which would make it two", async () => {
    const { shown, pass } = begin({ isTerminal: true, columns: 10 });
    await pass(1_000);
    expect(shown()).toBe("\r\u001b[2Kstep 1 o…");
  });

  it("is a plain line every ten seconds where nobody sees it change", async () => {
    const { progress, shown, pass } = begin({});
    await pass(10_999);
    expect(shown()).toBe("step 1 of many\n");
    await pass(1);
    progress.end();
    await pass(60_000);
    expect(shown()).toBe("step 1 of many\nstep 2 of many\n");
  });

  it("is silent if it is to be", async () => {
    const { shown, pass } = begin({ isTerminal: true, quiet: true });
    await pass(60_000);
    expect(shown()).toBe("");
  });
});
