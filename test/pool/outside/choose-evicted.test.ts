import { describe, expect, it } from "vitest";
import { chooseEvicted, evictableNames } from "../../../src/pool/outside/choose-evicted.js";
import { agent, lease, pool, quota } from "../../cli/status/a-pool.js";

const PROXY = { spender: "build-1:17~c0ffee001122-1c2d3e4f", agent: "build-1:17", process: "c0ffee001122" };

describe("the names by which somebody can be evicted", () => {
  it("are those of agents, and of processes that have their own name alone", () => {
    const lone = pool({ quotas: [quota({ leases: [lease(PROXY)] })] });
    expect(evictableNames(lone)).toEqual(["build-1:17"]);
    expect(evictableNames(pool({ ...lone, agents: [agent()] }))).toEqual(["build-1:17", "ralph"]);
  });

  it("are a process's id where it serves agents of other names", () => {
    const agents = [agent({ agent: "data", process: PROXY.process }), agent({ process: PROXY.process })];
    const proxied = pool({ agents, quotas: [quota({ leases: [lease(PROXY)] })] });
    expect(evictableNames(proxied)).toEqual(["data", "ralph", "~c0ffee"]);
  });

  it("are names of which each means somebody", () => {
    const agents = [agent({ agent: "data", process: PROXY.process }), agent({ agent: "late", leaseLeftMs: 0 })];
    const leases = [lease(PROXY), lease(), lease({ spender: "old", agent: "old", process: undefined })];
    const seen = pool({ agents, quotas: [quota({ leases })] });
    for (const who of evictableNames(seen)) expect(chooseEvicted(seen, { who }), who).toBeDefined();
  });
});
