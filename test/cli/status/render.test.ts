import { describe, expect, it } from "vitest";
import { renderStatus, type StatusLook } from "../../../src/cli/commands/status/render.js";
import type { StatusSnapshot } from "../../../src/cli/commands/status/snapshot.js";
import { paintFor } from "../../../src/cli/show/paint.js";
import { widthOf } from "../../../src/cli/show/text-width.js";
import { fakeContext } from "../fake-context.js";
import { agent, lease, MINUTE_MS, NOW, pool, quota, UTC } from "./a-pool.js";

const paint = paintFor(fakeContext().out, {});
const STORE = { uri: "file:/data/x/.squad/store", problem: null, complete: true };

function snapshot(more: Partial<StatusSnapshot> = {}): StatusSnapshot {
  return { version: 1, at: NOW, store: STORE, pools: [], otherPools: 0, proxies: [], ...more };
}

function render(more: Partial<StatusSnapshot>, look: Partial<StatusLook> = {}): readonly string[] {
  return renderStatus(snapshot(more), { width: 80, paint, ...UTC, ...look });
}

const busy = pool({
  quotas: [
    quota({
      leases: [
        lease(),
        lease({ agent: "data", process: "6c9d41000000", priority: 2, state: "evicted", leaseLeftMs: 0 }),
      ],
    }),
    quota({
      resource: "graphql",
      light: "red",
      remainingUnits: 0,
      usedUnits: 5_000,
      waitingUnits: 12,
      waitingSpenders: 3,
      leases: [lease({ heldUnits: 0, inFlightUnits: 0, state: "ended", leaseLeftMs: 0, waitingUnits: 12 })],
    }),
  ],
  agents: [
    agent(),
    agent({ agent: "data", priority: 2, blockedUntil: NOW + 20 * MINUTE_MS, breakerOpen: true, dependsOn: ["ralph"] }),
  ],
  contentWrites: { lastMinute: 3, lastHour: 40 },
  knownOperations: 7,
});

describe("a status", () => {
  it("shows the whole picture in eighty columns", () => {
    expect(render({ pools: [busy] })).toEqual([
      "Pool team of api.github.com, 12:00",
      "core: 3,120 of 5,000 left, resets in 23 min (12:23), lasts until then",
      "graphql is used up until 12:23, for another 23 min; 3 processes wait for 12",
      "  units",
      "1 agent of 2 is held, the last until 12:20",
      "",
      expect.stringMatching(
        /^reso\S+ +light +left +used +limit +held +flying +waiting +others +resets in +used up in$/,
      ),
      expect.stringMatching(/^core +green +3,120 +1,880 +5,000 +60 +2 +0 +9 +23 min +not before$/),
      expect.stringMatching(/^grap\S+ +red +0 +5,000 +5,000 +60 +2 +12 +9 +23 min +it is$/),
      "",
      expect.stringMatching(/^agent +P +machine +process +core +listed for +held +depends on$/),
      expect.stringMatching(/^ralph +1 +build-1 +~5f0c31 +green +4 min$/),
      expect.stringMatching(/^data +2 +build-1 +~5f0c31 +green +4 min +until 12:20, breaker open +ralph$/),
      "",
      expect.stringMatching(/^lease\S* .* lease ends in$/),
      expect.stringMatching(/^ralph +~5f0c31 +core +1 +200 +138 +2 +60 +0 +4 min$/),
      expect.stringMatching(/^data +~6c9d41 +core +2 +200 +138 +2 +60 +0 +evicted, back 12:06$/),
      expect.stringMatching(/^ralph +~5f0c31 +grap\S* +1 +200 +138 +0 +0 +12 +ended$/),
      "",
      "40 content writes in the last hour, 3 in the last minute (GitHub takes 500 and",
      "  80); the cost of 7 GraphQL operations is known.",
    ]);
  });

  it.each([80, 100, 160])("fits %i columns, however long names are", (width) => {
    const long = "a-very-long-name-of-an-agent-that-somebody-made-up-for-every-single-task";
    const named = pool({
      quotas: [quota({ leases: [lease({ agent: long })] })],
      agents: [agent({ agent: long, machine: `${long}.example.com`, dependsOn: [long, long] })],
    });
    for (const line of render({ pools: [named] }, { width })) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });

  it("paints lights, and says them all the same", () => {
    const bright = paintFor(fakeContext({ isTerminal: true }).out, {}, true);
    const text = render({ pools: [busy] }, { paint: bright }).join("\n");
    expect(text).toContain("\u001b[32mgreen\u001b[39m");
    expect(text).toContain("\u001b[31mred\u001b[39m");
  });

  it("shows twenty agents and says how many more there are", () => {
    const many = pool({ agents: Array.from({ length: 23 }, (_, index) => agent({ agent: `agent-${index}` })) });
    const shown = render({ pools: [many] });
    expect(shown.filter((line) => line.startsWith("agent-"))).toHaveLength(20);
    expect(shown).toContain("and 3 more agents: --all shows them");
    const all = render({ pools: [many] }, { all: true });
    expect(all.filter((line) => line.startsWith("agent-"))).toHaveLength(23);
  });

  it("says what a store has, where it is not shown", () => {
    expect(render({})).toEqual(["No pool lies in file:/data/x/.squad/store yet: no squad has sent a call."]);
    expect(render({ otherPools: 2 }).join(" ")).toMatch(
      /^No pool of that name lies in .*, but 2 others: --all +shows them\.$/,
    );
    expect(render({ pools: [pool()], otherPools: 1 }).join("\n")).toContain("1 more pool in file:");
    expect(
      render({ store: { ...STORE, complete: false } })
        .join(" ")
        .replace(/\s+/g, " "),
    ).toBe("There is too much in file:/data/x/.squad/store to look at all of it; there may be more pools.");
  });

  it("shows proxies, who uses them and what they know", () => {
    const client = {
      id: "1",
      agent: "ralph",
      priority: 1,
      session: "ta-51",
      requests: 1_234,
      underWay: 2,
      since: NOW - MINUTE_MS,
    } as const;
    const proxy = {
      kind: "running",
      folder: "/run/squad-rate/77",
      pid: 77,
      port: 8787,
      version: "0.0.0",
      startedAt: NOW - 60 * MINUTE_MS,
      host: "github.com",
      upstream: undefined,
      requests: 1_300,
      underWay: 2,
      clients: [client],
      windows: [
        {
          resource: "core",
          principal: "5f".repeat(16),
          limit: 5_000,
          used: 60,
          remaining: 4_940,
          resetAt: NOW + MINUTE_MS,
          light: "green",
        },
      ],
      store: { uri: "redis://cache:6379", state: "well", why: undefined },
      clockOffsetMs: {},
    } as const;
    expect(render({ store: null, proxies: [proxy] })).toEqual([
      "Proxy 77 for github.com, since 11:00",
      "1,300 requests, 2 under way; store redis://cache:6379",
      "",
      expect.stringMatching(/^resource +of +light +left +used +limit +resets in$/),
      expect.stringMatching(/^core +5f5f5f5f +green +4,940 +60 +5,000 +1 min$/),
      "",
      expect.stringMatching(/^agent +P +session +requests +under way +since$/),
      expect.stringMatching(/^ralph +1 +ta-51 +1,234 +2 +1 min$/),
    ]);
    const lost = { ...proxy, store: { uri: "redis://cache:6379", state: "lost", why: "no driver" } } as const;
    expect(render({ store: null, proxies: [lost] })[2]).toBe("It goes on without its store: no driver");
  });
});
