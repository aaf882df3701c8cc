import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BatchResult } from "../../src/batch/batch-result.js";
import { GraphqlItemError } from "../../src/batch/item-error.js";
import type { FaultScript } from "../../src/sim/index.js";
import { type Bench, pullRequest, setUpBench } from "./bench.js";

/** Selections that GitHub answers, partly or not at all, turns down, or is never shown. */
const selection = fc.oneof(
  fc.integer({ min: 1, max: 70 }).map((number) => pullRequest(number)),
  fc.integer({ min: 1, max: 90 }).map((number) => pullRequest(number, "title reviews(first: 5) { nodes { state } }")),
  fc
    .integer({ min: 50, max: 95 })
    .map((number) => `x: repository(owner: "acme", name: "app-1") {\n name\n issue(number: ${number}) { title } }`),
  fc.constantFrom(
    'repository(owner: "acme", name: "nowhere") { id }',
    'repositoryOwner(login: "nobody") { id }',
    "viewer { login @skip(if: true) name }",
    "viewer @skip(if: true) { login }",
    "viewer { nope }",
    'viewer(login: "mona") { login }',
    "viewer {\n ...Odd }",
    "viewer { login",
    "viewer { login } } { viewer { login }",
    "viewer { repositories(first: 101) { totalCount } }",
    "viewer { repositories { nodes { id } } }",
    "repository(owner: $owner, name: 7) { id }",
    'repository(owner: $nobody, name: "app-1") { id }',
    'repository(owner: $owner, name: "app-1") { ...Name pullRequest(number: $number) { title } }',
    'repository(owner: "acme", name: "app-1") { pullRequest(number: $owner) { title } }',
  ),
);

const OPTIONS = {
  variables: { owner: { type: "String!", value: "acme" }, number: { type: "Int!", value: 3 } },
  fragments: "fragment Name on Repository { name } fragment Odd on User { odd }",
};

/** Never two in a row, so that what is tried again, or asked again in another query, is answered. */
const fault: fc.Arbitrary<FaultScript> = fc
  .record({
    kind: fc.constantFrom(
      { kind: "status", status: 502 } as const,
      { kind: "status", status: 504, body: "html" } as const,
      { kind: "status", status: 503, body: "html" } as const,
      { kind: "resource-limits" } as const,
      { kind: "reset" } as const,
      { kind: "html" } as const,
    ),
    every: fc.integer({ min: 2, max: 4 }),
    times: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ kind, ...how }) => ({ ...kind, ...how, match: { path: "/graphql" } }));

/** What is comparable of a result: its value and errors, or what kind of error it has. */
function told({ value, error, ...rest }: BatchResult<string, unknown>): unknown {
  if (error === undefined) return { value, ...rest };
  const { code, type } = error as { readonly code?: string; readonly type?: string };
  return { name: error.name, code, type, message: error.message };
}

function wasLimited({ error }: BatchResult<string, unknown>): boolean {
  return error instanceof GraphqlItemError && error.errors.some(({ type }) => type === "RESOURCE_LIMITS_EXCEEDED");
}

describe("a batch of anything", () => {
  it("gives each item once, in order, what it has alone, whatever goes wrong on the way", {
    timeout: 60_000,
  }, async () => {
    const quiet = await setUpBench();
    const alone = new Map<string, unknown>();
    const toldAlone = async ({ batch, all }: Bench, text: string): Promise<unknown> => {
      if (!alone.has(text)) {
        const [result] = await all(batch([text], String, OPTIONS));
        alone.set(text, told(result as BatchResult<string, unknown>));
      }
      return alone.get(text);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(selection, { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fault,
        async (items, size, script) => {
          const { batch, all, github, asked } = await setUpBench();
          github.fault(script);
          const results = await all(batch(items, String, { ...OPTIONS, size }));
          expect(results.map(({ item }) => item)).toEqual(items);
          let limited = 0;
          for (const result of results) {
            // One that was asked for alone then keeps that, and is not asked for again.
            if (wasLimited(result)) limited++;
            else expect(told(result)).toEqual(await toldAlone(quiet, result.item));
          }
          const askedAlone = asked().filter((count) => count === 1).length;
          expect(limited).toBeLessThanOrEqual(script.kind === "resource-limits" ? askedAlone : 0);
        },
      ),
      { numRuns: 40 },
    );
  });
});
