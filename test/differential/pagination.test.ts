import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { createSimulatedGitHub, type SimulatedGitHub } from "../../src/sim/index.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";

const PagedOctokit = Octokit.plugin(paginateRest, squadRate);
const PlainOctokit = Octokit.plugin(paginateRest);
const REPO = { owner: "mona", repo: "hello" };

interface Desk {
  readonly clock: VirtualClock;
  readonly github: SimulatedGitHub;
  /** Numbers of the open issues in the order of a list. */
  poll(client: "cached" | "plain", perPage: number, direction: "asc" | "desc"): Promise<number[]>;
  grow(count: number): void;
  /** Closes open issues, the oldest or the newest first. */
  shrink(count: number, from: "oldest" | "newest"): void;
}

function setUp(size: number, latency: false | object = false): Desk {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, latency, secondary: false });
  github.world.addToken("ghp_mona", "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  const open = new Set<number>();
  const grow = (count: number): void => {
    for (let added = 0; added < count; added++) {
      open.add(github.world.addIssue({ ...REPO, title: `Issue ${open.size}` }).number);
    }
  };
  grow(size);
  const common = { auth: "ghp_mona", request: { fetch: github.fetch } };
  const clients = {
    cached: new PagedOctokit({ ...common, squad: { agent: "poller", clock, light: false } }),
    plain: new PlainOctokit(common),
  };
  return {
    clock,
    github,
    grow,
    shrink: (count, from) => {
      const numbers = [...open].sort((a, b) => (from === "oldest" ? a - b : b - a)).slice(0, count);
      for (const number of numbers) {
        github.world.updateIssue({ ...REPO, number }, { state: "closed" });
        open.delete(number);
      }
    },
    poll: async (client, perPage, direction) => {
      const parameters = { ...REPO, per_page: perPage, direction };
      const issues = clients[client].paginate("GET /repos/{owner}/{repo}/issues", parameters);
      return (await clock.settle(issues)).map(({ number }) => number);
    },
  };
}

const change = fc.oneof(
  fc.record({ kind: fc.constant("grow" as const), count: fc.constantFrom(0, 1, 2, 49, 50, 51, 100) }),
  fc.record({
    kind: fc.constant("shrink" as const),
    count: fc.constantFrom(1, 2, 49, 50, 51, 100),
    from: fc.constantFrom("oldest" as const, "newest" as const),
  }),
);

describe("a cached list of 250 items", () => {
  it("is what an uncached client lists, however it grows and shrinks between polls", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(50, 100),
        fc.constantFrom("asc" as const, "desc" as const),
        async (changes, perPage, direction) => {
          const desk = setUp(250);
          await desk.poll("cached", perPage, direction);
          for (const one of changes) {
            if (one.kind === "grow") desk.grow(one.count);
            else desk.shrink(one.count, one.from);
            const cached = await desk.poll("cached", perPage, direction);
            expect(cached).toEqual(await desk.poll("plain", perPage, direction));
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it.each([
    { perPage: 50, steps: [49, 1, 1, 48, 1, 1] },
    { perPage: 100, steps: [49, 1, 1, 98, 1, 1] },
  ])("shows the item that begins a new page of $perPage", async ({ perPage, steps }) => {
    const desk = setUp(250);
    let size = 250;
    for (const step of steps) {
      expect((await desk.poll("cached", perPage, "asc")).length).toBe(size);
      desk.grow(step);
      size += step;
    }
    expect((await desk.poll("cached", perPage, "asc")).length).toBe(size);
  });

  it("loses and repeats nothing that was there all along while it grows under the poll", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 900 }), count: fc.constantFrom(1, 50, 99) }), {
          maxLength: 5,
        }),
        async (growths) => {
          const desk = setUp(250, {});
          const before = await desk.poll("cached", 50, "asc");
          for (const { afterMs, count } of growths) desk.clock.timer(afterMs, () => desk.grow(count));
          const during = await desk.poll("cached", 50, "asc");
          await desk.clock.advance(1_000);
          expect(during.slice(0, before.length)).toEqual(before);
          expect(new Set(during).size).toBe(during.length);
          expect(await desk.poll("cached", 50, "asc")).toEqual(await desk.poll("plain", 50, "asc"));
        },
      ),
      { numRuns: 8 },
    );
  });

  it("costs nothing to poll while nothing changes, save a last page that is full", async () => {
    const costOfSecondPoll = async (size: number, perPage: number): Promise<number> => {
      const desk = setUp(size);
      await desk.poll("cached", perPage, "asc");
      const { used } = desk.github.usage("ghp_mona");
      await desk.poll("cached", perPage, "asc");
      return desk.github.usage("ghp_mona").used - used;
    };
    expect(await costOfSecondPoll(247, 100)).toBe(0);
    expect(await costOfSecondPoll(247, 50)).toBe(0);
    // Its ETag does not tell whether a sixth page has begun.
    expect(await costOfSecondPoll(250, 50)).toBe(1);
  });
});

describe("a page past the end of a cached list", () => {
  it("names the page before it by what the list is now", async () => {
    const desk = setUp(2);
    const octokit = new PagedOctokit({
      auth: "ghp_mona",
      request: { fetch: desk.github.fetch },
      squad: { agent: "reader", clock: desk.clock, light: false },
    });
    const linkOfPage3 = async (): Promise<string | undefined> => {
      const parameters = { ...REPO, per_page: 2, page: 3 };
      return (await octokit.request("GET /repos/{owner}/{repo}/issues", parameters)).headers.link;
    };
    expect(await linkOfPage3()).toMatch(/[?&]page=1>; rel="prev"/);
    desk.grow(2);
    expect(await linkOfPage3()).toMatch(/[?&]page=2>; rel="prev"/);
  });
});
