import { describe, expect, it } from "vitest";
import { runCheck } from "../../../src/cli/commands/doctor/check.js";
import { nodeCheck } from "../../../src/cli/commands/doctor/check-node.js";
import { renderResult } from "../../../src/cli/commands/doctor/render.js";
import { paintFor } from "../../../src/cli/show/paint.js";
import { optionError } from "../../../src/options/check.js";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";
import { fakeContext } from "../fake-context.js";

const look = { width: 60, paint: paintFor(fakeContext().out, {}), unicode: true };

describe("a check", () => {
  it("ends after five seconds, however long what it looks at is silent", async () => {
    const clock = createVirtualClock();
    const result = runCheck({ name: "store", look: () => new Promise(() => undefined) }, clock);
    await clock.advance(5_000);
    expect(await result).toMatchObject({ name: "store", state: "bad", found: "no answer within 5 s" });
  });

  it("has found what it threw", async () => {
    const failing = {
      name: "x",
      look: () => Promise.reject(Object.assign(new Error("It is broken."), { remedy: "Mend it." })),
    };
    expect(await runCheck(failing, createVirtualClock())).toEqual({
      name: "x",
      state: "bad",
      found: "It is broken",
      remedy: "Mend it",
    });
  });

  it("does not say twice what a value must be", async () => {
    const wrong = { name: "x", look: () => Promise.reject(optionError("pool", "a name", 5)) };
    expect(await runCheck(wrong, createVirtualClock())).toMatchObject({ found: "pool must be a name; got 5" });
    expect((await runCheck(wrong, createVirtualClock())).remedy).toBeUndefined();
  });

  it("of Node goes by its major version", async () => {
    const state = async (version: string): Promise<string> => (await nodeCheck(version).look()).state;
    expect([await state("v18.19.0"), await state("v20.0.0"), await state("v24.1.0")]).toEqual(["bad", "ok", "ok"]);
  });
});

describe("a finding", () => {
  it("is one sentence, with what to do, under its own beginning", () => {
    const result = {
      name: "store",
      state: "bad",
      found: "redis://x does not answer",
      remedy: "Look at the server, its address and its credentials",
    } as const;
    expect(renderResult(result, look)).toEqual([
      "✗ store     redis://x does not answer; look at the server,",
      "            its address and its credentials",
    ]);
    expect(renderResult({ ...result, state: "warn", remedy: undefined }, { ...look, unicode: false })).toEqual([
      "!  store     redis://x does not answer",
    ]);
  });

  it("passes no command of a terminal on", () => {
    const [line] = renderResult({ name: "gh", state: "ok", found: "a\u001b]0;title\u0007b" }, look);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(line).not.toMatch(/[\u0000-\u001f]/);
  });
});
