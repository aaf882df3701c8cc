import { Octokit } from "@octokit/core";
import { throttling } from "@octokit/plugin-throttling";
import Bottleneck from "bottleneck/light.js";
import { expect, it, vi } from "vitest";
import { PacedLane } from "../../../src/pipeline/lanes/paced-lane.js";

// plugin-throttling's groups are the process's, made once by whoever comes first; so is this file: one test, one process.

const HOUR_MS = 3_600_000;
const fetch = async (): Promise<Response> => Response.json({}, { status: 201 });

it("leaves plugin-throttling's groups to be made by the host that comes later, with its settings", async () => {
  const setRepeating = vi.spyOn(globalThis, "setInterval");
  const lane = new PacedLane({
    spacing: { writeMs: HOUR_MS, notificationMs: HOUR_MS, searchMs: HOUR_MS },
    timed: true,
  });
  for (const [name, method, url] of [
    ["notification", "POST", "/repos/mona/hello/issues"],
    ["search", "GET", "/search/issues"],
  ] as const) {
    expect(await lane.through(name, { method, url }, async () => name)).toBe(name);
  }
  expect(setRepeating).not.toHaveBeenCalled();
  setRepeating.mockRestore();

  const made: object[] = [];
  class Group extends Bottleneck.Group {
    constructor(options: ConstructorParameters<typeof Bottleneck.Group>[0] = {}) {
      super(options);
      made.push(options);
    }
  }
  class HostBottleneck extends Bottleneck {
    static override readonly Group: typeof Bottleneck.Group = Group;
  }
  const host = new (Octokit.plugin(throttling))({
    request: { fetch },
    throttle: {
      Bottleneck: HostBottleneck,
      timeout: 12_345,
      onRateLimit: () => undefined,
      onSecondaryRateLimit: () => undefined,
    },
  });
  // At once: an hour has not passed since ours.
  expect((await host.request("POST /repos/mona/hello/issues")).status).toBe(201);
  expect(made.map((options) => (options as { timeout: number }).timeout)).toEqual(Array(5).fill(12_345));
  lane.close();
});
