import { describe, expect, it } from "vitest";
import { behindPlugin, type NeutralAnswer } from "../../../src/pipeline/lanes/behind-plugin.js";

/** A request that counts how often it is made. */
function counted<T>(make: () => Promise<T>): { readonly make: () => Promise<T>; readonly times: () => number } {
  let times = 0;
  return {
    make: () => {
      times++;
      return make();
    },
    times: () => times,
  };
}

type Plugin = (start: () => Promise<NeutralAnswer>) => Promise<unknown>;

const broken = new Error("the plugin is broken");

const PLUGINS: readonly (readonly [string, Plugin])[] = [
  ["starts it", (start) => start()],
  ["starts it twice", (start) => Promise.all([start(), start()])],
  ["starts it, and fails", (start) => start().then(() => Promise.reject(broken))],
  ["starts it without waiting", async (start) => void start()],
  ["fails at once", () => Promise.reject(broken)],
  ["does nothing", async () => undefined],
  [
    "starts it when all is over",
    async (start) => {
      setTimeout(start, 0);
      throw broken;
    },
  ],
];

describe.each(PLUGINS)("behind a plugin that %s", (_, plugin) => {
  it("a request is made once, and its answer comes out", async () => {
    const answer = { data: { errors: [{ type: "RATE_LIMITED" }] } };
    const { make, times } = counted(async () => answer);
    expect(await behindPlugin(make, plugin)).toBe(answer);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(times()).toBe(1);
  });

  it.each([
    ["an error", new Error("no network")],
    ["something else", undefined],
  ])("%s comes out as it was thrown", async (_what, thrown) => {
    const { make, times } = counted(() => Promise.reject(thrown));
    await expect(behindPlugin(make, plugin).catch((error: unknown) => ({ caught: error }))).resolves.toEqual({
      caught: thrown,
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(times()).toBe(1);
  });
});

it("shows the plugin nothing of an answer or an error", async () => {
  const seen: unknown[] = [];
  const plugin: Plugin = async (start) => void seen.push(await start());
  await behindPlugin(async () => ({ data: "secret", status: 403 }), plugin);
  await behindPlugin(() => Promise.reject(new Error("secret")), plugin).catch(() => undefined);
  expect(seen).toEqual([{ data: {} }, { data: {} }]);
});

it("takes what is thrown before there is a promise for a rejection", async () => {
  const thrown = new Error("at once");
  const make = (): Promise<never> => {
    throw thrown;
  };
  await expect(behindPlugin(make, (start) => start())).rejects.toBe(thrown);
});
