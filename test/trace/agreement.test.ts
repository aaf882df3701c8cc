import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AttemptRecord } from "../../src/trace/record.js";
import { setUpTracedSquad, type TracedSquad } from "./traced-squad.js";

const VIEWER = "query Viewer { viewer { login } }";
const ISSUES = `query Issues($first: Int!) {
  repository(owner: "mona", name: "hello") {
    issues(first: $first) { nodes { number title comments(first: 50) { nodes { id } } } }
  }
}`;
const COMMENT = `mutation Comment($id: ID!) { addComment(input: { subjectId: $id, body: "hi" }) { clientMutationId } }`;

/** A call that an agent may make, however it ends. */
const CALLS: readonly ((squad: TracedSquad) => Promise<unknown>)[] = [
  ({ octokit }) => octokit.request("GET /user"),
  ({ octokit }) => octokit.request("GET /repos/mona/hello"),
  ({ octokit }) => octokit.request("GET /repos/mona/hello/issues", { per_page: 2 }),
  ({ octokit }) => octokit.request("GET /repos/{owner}/{repo}/issues/{n}", { owner: "mona", repo: "hello", n: 2 }),
  ({ octokit }) => octokit.request("GET /repos/mona/hello/issues/77"),
  ({ octokit }) => octokit.request("GET /repos/mona/former"),
  ({ octokit }) => octokit.request("GET /rate_limit"),
  ({ octokit }) => octokit.request("GET /search/issues", { q: "one" }),
  ({ octokit }) => octokit.request("POST /repos/mona/hello/issues", { title: "another" }),
  ({ octokit }) => octokit.request("PATCH /repos/mona/hello/issues/1", { title: "once more" }),
  ({ octokit }) => octokit.graphql(VIEWER),
  ({ octokit }) => octokit.graphql(ISSUES, { first: 100 }),
  ({ octokit }) => octokit.graphql(ISSUES, { first: 3 }),
  ({ octokit }) => octokit.graphql(COMMENT, { id: "nobody" }),
  ({ octokit }) => octokit.graphql("{ no syntax"),
  ({ squad }) => squad.fetch("https://api.github.com/user", { headers: { authorization: "Bearer ghp_mona" } }),
  ({ squad }) => squad.fetch("https://api.github.com/repos/mona/hello"),
];

const FAULTS = [
  { kind: "status", status: 502 },
  { kind: "secondary-limit" },
  { kind: "reset" },
  { kind: "html" },
  { kind: "retry-after-date", seconds: 3 },
] as const;

const STEP = fc.record({
  call: fc.nat(CALLS.length - 1),
  fault: fc.option(fc.nat(FAULTS.length - 1), { nil: undefined, freq: 7 }),
  atOnce: fc.boolean(),
});

function isUntold({ outcome, rate, status, route }: AttemptRecord): boolean {
  const isPage = status === 200 && route !== "GET /rate_limit";
  return rate === undefined && (isPage || outcome === "graphql-timeout" || outcome === "secondary-limit");
}

describe("a trace", () => {
  it("agrees with GitHub's own log on every answered request, to the unit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 25 }), async (steps) => {
        const traced = setUpTracedSquad({ maxWaitMs: 600_000 });
        traced.github.world.addRepository({ owner: "mona", name: "former" });
        traced.github.world.renameRepository("mona", "former", "latter");
        let together: Promise<unknown>[] = [];
        for (const { call, fault, atOnce } of steps) {
          if (fault !== undefined) traced.github.fault({ ...(FAULTS[fault] as (typeof FAULTS)[number]) });
          together.push((CALLS[call] as (typeof CALLS)[number])(traced).catch(() => undefined));
          if (atOnce) continue;
          await traced.clock.settle(Promise.all(together));
          together = [];
        }
        await traced.clock.settle(Promise.all(together));

        const attempts = traced.attempts();
        const answered = attempts.filter(({ status }) => status !== undefined);
        expect(answered.length).toBe(attempts.filter(({ requestId }) => requestId !== undefined).length);
        for (const attempt of answered) {
          const seen = traced.github.log.filter(({ requestId }) => requestId === attempt.requestId);
          // Where GitHub redirected, its answer to the second request is the one that came.
          const [first] = seen;
          if (first === undefined) throw new Error(`GitHub knows nothing of ${attempt.requestId}`);
          const redirect = attempt.redirected === true ? 1 : 0;
          // A query that timed out, a refusal without rate headers, and a page in the answer's stead: only the next answer's headers tell.
          expect(attempt.inDoubt === true).toBe(isUntold(attempt));
          const chargedUnits = attempt.inDoubt ? expect.any(Number) : first.chargedUnits + redirect;
          expect(attempt).toMatchObject({
            status: first.status,
            chargedUnits,
            resource: first.resource,
          });
          if (first.method !== "POST" || first.route !== "POST /graphql") expect(attempt.points).toBe(first.points);
        }
        for (const call of traced.calls()) {
          const own = attempts.filter((attempt) => attempt.call === call.call);
          expect(own.map(({ attempt }) => attempt)).toEqual(own.map((_, index) => index + 1));
          expect(call.attempts).toBe(own.length);
          expect(call.units).toBe(own.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0));
          expect(call.status).toBe(own.at(-1)?.status);
          expect(
            own.every(
              ({ target, route, agent }) => target === call.target && route === call.route && agent === call.agent,
            ),
          ).toBe(true);
          expect(own.reduce((sum, { waitMs }) => sum + waitMs, 0)).toBeLessThanOrEqual(call.waitMs + 0.001);
        }
        // Each call and each request has its record.
        expect(traced.calls()).toHaveLength(steps.length);
        expect(traced.squad.status().counters.exchanges).toBe(attempts.length);
        expect(traced.squad.status().counters.chargedUnits).toBe(
          traced.calls().reduce((sum, { units }) => sum + units, 0),
        );
        await traced.squad.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
