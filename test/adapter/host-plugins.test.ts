import { Octokit as Core } from "@octokit/core";
import type { OctokitOptions } from "@octokit/core/types";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit as Whole } from "octokit";
import { describe, expect, it } from "vitest";
import { HOST_THROTTLING_WARNING, type HostPlugins, hostPlugins } from "../../src/adapter/host-plugins.js";

/** Stands where our plugin stands: is given the options, and asks when the first request comes. */
function ours(octokit: Core, options: OctokitOptions): { readonly found: () => HostPlugins } {
  return { found: () => hostPlugins(octokit, options) };
}

const throttle = { onRateLimit: () => undefined, onSecondaryRateLimit: () => undefined };
const BOTH: HostPlugins = { retry: true, throttling: true };
const NEITHER: HostPlugins = { retry: false, throttling: false };

describe("hostPlugins", () => {
  it("finds neither in a bare Octokit, nor with other plugins", () => {
    expect(new (Core.plugin(ours))().found()).toEqual(NEITHER);
    const other = (): { readonly retry: string } => ({ retry: "mine" });
    expect(new (Core.plugin(other, ours))().found()).toEqual(NEITHER);
  });

  it("finds each alone", () => {
    expect(new (Core.plugin(retry, ours))().found()).toEqual({ retry: true, throttling: false });
    expect(new (Core.plugin(throttling, ours))({ throttle }).found()).toEqual({ retry: false, throttling: true });
  });

  it.each([
    ["before ours", Core.plugin(retry, throttling, ours)],
    ["after ours", Core.plugin(ours, retry, throttling)],
    ["on either side", Core.plugin(throttling).plugin(ours).plugin(retry)],
    ["in a class of one's own", class extends Core.plugin(throttling, retry, ours) {}],
  ] as const)("finds both %s", (_, Host) => {
    expect(new Host({ throttle }).found()).toEqual(BOTH);
  });

  it("finds both in the octokit package, and what is switched off there it does not", () => {
    const Host = Whole.plugin(ours);
    expect(new Host().found()).toEqual(BOTH);
    expect(new Host({ throttle: { enabled: false } }).found()).toEqual({ retry: true, throttling: false });
    expect(new Host({ retry: { enabled: false } }).found()).toEqual({ retry: false, throttling: true });
  });

  it("finds what Probot's defaults made of the options", () => {
    const Probot = Core.plugin(throttling, retry).defaults(((options: OctokitOptions) => ({
      ...options,
      throttle: { ...throttle, ...options.throttle, enabled: options.throttle?.enabled !== false, id: "1" },
    })) as unknown as OctokitOptions);
    const Host = Probot.plugin(ours);
    expect(new Host().found()).toEqual(BOTH);
    expect(new Host({ throttle: { enabled: false } }).found()).toEqual({ retry: true, throttling: false });
  });

  it.each([
    ["throttle", "undefined", { enabled: undefined }, true],
    ["throttle", "null", { enabled: null }, false],
    ["retry", "true", { enabled: true }, true],
    ["retry", "undefined", { enabled: undefined }, false],
    ["retry", "left out", { retries: 0 }, true],
  ])("takes %s.enabled that is %s as the plugin itself does", (key, _is, value, on) => {
    const wrapped: string[] = [];
    const octokit = {
      hook: { wrap: () => wrapped.push("wrap"), error: () => undefined },
      log: {},
    } as unknown as Core;
    const options = { [key]: key === "throttle" ? { ...throttle, ...value } : value } as OctokitOptions;
    const plugin = key === "throttle" ? throttling : retry;
    const host = Object.assign(octokit, plugin(octokit, options), { constructor: { plugins: [plugin] } });
    const found = hostPlugins(host, options);
    expect(wrapped.length > 0).toBe(on);
    expect(key === "throttle" ? found.throttling : found.retry).toBe(on);
  });

  it("finds neither in a double that is no Octokit", () => {
    for (const double of [{}, Object.create(null), { retry: null, constructor: { plugins: [undefined] } }]) {
      expect(hostPlugins(double, {})).toEqual(NEITHER);
    }
  });
});

it("says what host throttling does, and how to switch it off", () => {
  expect(HOST_THROTTLING_WARNING).toContain("one GraphQL query a second");
  expect(HOST_THROTTLING_WARNING).toContain("throttle: { enabled: false }");
});
