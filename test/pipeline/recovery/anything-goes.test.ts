import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SquadOptions, SquadRequestOptions } from "../../../src/options.js";
import { createSimulatedGitHub, createVirtualClock, type FaultScript } from "../../../src/sim/index.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { openStore } from "../../../src/store/open-store.js";
import "./bench.js";

const REPO = "/repos/mona/hello";
const MINUTE_MS = 60_000;

const KINDS = {
  read: { path: REPO },
  head: { path: REPO, method: "HEAD" },
  list: { path: `${REPO}/issues?per_page=5` },
  search: { path: "/search/issues?q=repo%3Amona/hello" },
  limits: { path: "/rate_limit" },
  missing: { path: "/repos/mona/nothing" },
  label: { path: `${REPO}/issues/1`, method: "PATCH", body: '{"title":"x"}' },
  issue: { path: `${REPO}/issues`, method: "POST", body: '{"title":"x"}' },
  query: { path: "/graphql", method: "POST", body: '{"query":"query { viewer { login } }"}' },
  mutation: {
    path: "/graphql",
    method: "POST",
    body: '{"query":"mutation { createIssue(input: { repositoryId: \\"R_1\\", title: \\"x\\" }) { issue { number } } }"}',
  },
} as const;

const FAULTS: readonly FaultScript[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 502, body: "html" },
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
  { kind: "truncate" },
  { kind: "html" },
  { kind: "slow", ms: 70_000 },
  { kind: "retry-after-date", seconds: 20 },
  { kind: "primary-limit" },
  { kind: "secondary-limit" },
  { kind: "malformed-headers" },
  { kind: "resource-limits" },
];

const callOf = fc.record({
  kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
  squad: fc.nat(3),
  afterMs: fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(60_000)),
  priority: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
  maxWaitMs: fc.constantFrom(0, 5_000, 60_000, 600_000, 7_200_000),
  abortAfterMs: fc.option(fc.nat(90_000), { nil: undefined, freq: 4 }),
  fault: fc.option(fc.constantFrom(...FAULTS), { nil: undefined, freq: 3 }),
});

const optionsOf = fc.record({
  retry: fc.constantFrom<SquadOptions["retry"]>(true, false, { limit: 10 }),
  light: fc.boolean(),
  breaker: fc.boolean(),
  pacing: fc.boolean(),
  cache: fc.constantFrom<SquadOptions["cache"]>(false, true, { maxStaleMs: MINUTE_MS }, { freshForMs: 2_000 }),
  secondary: fc.constantFrom<SquadOptions["secondary"]>(true, false, {
    concurrent: 2,
    pointsPerMinute: 10,
    contentPerMinute: 2,
  }),
});

const scenario = fc.record({
  squads: fc.integer({ min: 1, max: 4 }),
  limit: fc.constantFrom(20, 60, 5_000),
  windowMs: fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS),
  options: optionsOf,
  chances: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 7 }),
  calls: fc.array(callOf, { minLength: 1, maxLength: 60 }),
  skewMs: fc.constantFrom(0, -3 * 3_600_000, 90_000),
  closesEarly: fc.boolean(),
});

describe("whatever comes, fails and is refused", () => {
  it("every call ends, nothing is left behind, and nothing is hammered", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const clock = createVirtualClock();
        const core = { limit: given.limit, windowMs: given.windowMs };
        const github = createSimulatedGitHub({
          clock,
          latency: {},
          limits: { core, graphql: core },
          clockSkewMs: given.skewMs,
        });
        github.world.addToken("ghp_x", "mona");
        github.world.addRepository({ owner: "mona", name: "hello" });
        const store = await openStore("memory:", { clock });
        let drawn = 0;
        const random = (): number => given.chances[drawn++ % given.chances.length] ?? 0;
        const squads = Array.from(
          { length: given.squads },
          (_, index): Squad =>
            createSquad({
              agent: `agent-${index}`,
              clock,
              random,
              fetch: github.fetch,
              ...(given.squads > 1 ? { store } : {}),
              ...given.options,
            }),
        );
        const ends: Promise<unknown>[] = [];
        for (const { kind, squad, afterMs, priority, maxWaitMs, abortAfterMs, fault } of given.calls) {
          await clock.advance(afterMs);
          if (fault !== undefined) github.fault(fault);
          const { path, ...init } = KINDS[kind];
          const controller = new AbortController();
          if (abortAfterMs !== undefined) clock.timer(abortAfterMs, () => controller.abort(new Error("enough")));
          const own: SquadRequestOptions = { priority, maxWaitMs };
          const sent = (squads[squad % squads.length] as Squad).fetch(`https://api.github.com${path}`, {
            ...init,
            headers: { authorization: "token ghp_x" },
            signal: controller.signal,
            squad: own,
          });
          ends.push(sent.then((response) => response.text()).catch((error: unknown) => error));
        }
        if (!given.closesEarly) await clock.settle(Promise.all(ends));
        await clock.settle(Promise.all(squads.map((squad) => squad.close())));
        await clock.settle(Promise.all(ends));
        for (const squad of squads) {
          const status = squad.status();
          expect(status.waiting).toEqual([]);
          for (const { windows, secondary } of status.principals) {
            expect(secondary?.underWay ?? 0).toBe(0);
            for (const { reserved, lease } of Object.values(windows)) {
              expect([reserved, lease?.waitingUnits ?? [0, 0, 0]]).toEqual([0, [0, 0, 0]]);
            }
          }
        }
        // What is scripted here are aborts and slow answers; a squad leaves none.
        await clock.advance(200_000);
        expect(clock.pendingTimers).toBe(0);
        const most = given.calls.length * (1 + (given.options.retry === true ? 3 : 10)) + 5;
        expect(github.log.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 25, timeout: 30_000 },
    );
  }, 120_000);
});
