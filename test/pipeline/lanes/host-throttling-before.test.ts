import { Octokit } from "@octokit/core";
import { throttling } from "@octokit/plugin-throttling";
import Bottleneck from "bottleneck/light.js";
import { expect, it } from "vitest";
import { PacedLane } from "../../../src/pipeline/lanes/paced-lane.js";

// plugin-throttling's groups are the process's, made once by whoever comes first; so is this file: one test, one process.

const HOUR_MS = 3_600_000;
const fetch = async (): Promise<Response> => Response.json({}, { status: 201 });

it("is not held by a host's groups, which let one an hour pass", async () => {
  class Group extends Bottleneck.Group {
    constructor(options: ConstructorParameters<typeof Bottleneck.Group>[0] = {}) {
      super({ ...options, minTime: HOUR_MS });
    }
  }
  class HostBottleneck extends Bottleneck {
    static override readonly Group: typeof Bottleneck.Group = Group;
  }
  const limits = { onRateLimit: () => undefined, onSecondaryRateLimit: () => undefined };
  const host = new (Octokit.plugin(throttling))({
    request: { fetch },
    throttle: { Bottleneck: HostBottleneck, ...limits },
  });
  expect((await host.request("POST /repos/mona/hello/issues")).status).toBe(201);

  const lane = new PacedLane({ spacing: { writeMs: 1, notificationMs: 1, searchMs: 1 }, timed: true });
  for (let round = 0; round < 2; round++) {
    for (const [name, method, url] of [
      ["notification", "POST", "/repos/mona/hello/issues"],
      ["search", "GET", "/search/issues"],
    ] as const) {
      expect(await lane.through(name, { method, url }, async () => name)).toBe(name);
    }
  }
  const refusal = Object.assign(new Error("secondary rate limit"), { status: 403, response: { headers: {} } });
  const write = { method: "PATCH", url: "/repos/mona/hello/issues/1" };
  await expect(lane.through("write", write, () => Promise.reject(refusal))).rejects.toBe(refusal);
  lane.close();
});
