import fc from "fast-check";
import { createRandom } from "../../src/sim/github/random.js";
import { createDice } from "./random-query/dice.js";
import { type Conditions, createDraft } from "./random-query/draft.js";
import { layOut } from "./random-query/layout.js";
import { writeDocument } from "./random-query/write-document.js";

/** A GraphQL request: a document that is valid under the simulator's schema, and what is sent with it. */
export interface RandomQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The operation to run; undefined when there is only one. It is always a query. */
  readonly operationName: string | undefined;
}

export interface RandomQueryOptions {
  /** About how many selections; default 30. */
  readonly size?: number;
  /**
   * What fragments may be on: `any` type that fits (default), or only `objects`. Two fragments on different object types
   * never apply to one object, so that what GitHub's rule counts is known without the schema.
   */
  readonly conditions?: Conditions;
}

/**
 * A random query: fields, aliases (misleading ones too), named and inline fragments, unions and interfaces, `@skip` and
 * `@include`, variables with and without defaults, several operations, `rateLimit` under aliases and in fragments,
 * comments, odd whitespace, strings and block strings with braces in them. The same `random` gives the same query.
 *
 * Most of what it asks for exists in a world that {@link fillWorldForRandomQueries} (random-query-world.ts) filled, where
 * `octo-org` owns `app-1` to `app-3`; about a tenth of the owners, names, numbers and ids lead to nulls and `NOT_FOUND`.
 * A few queries are refused (pages of 101, items without a page size, too many nodes), and some hold fields for which the
 * simulator has no data, which gives errors with locations.
 *
 * @example
 * ```ts
 * const clock = createVirtualClock();
 * const github = createSimulatedGitHub({ clock });
 * fillWorldForRandomQueries(github.world, "ghp_mona");
 * const { query, variables, operationName } = randomQuery(createRandom(1));
 * const response = await clock.settle(
 *   github.fetch("https://api.github.com/graphql", {
 *     method: "POST",
 *     headers: { authorization: "token ghp_mona" },
 *     body: JSON.stringify({ query, variables, operationName }),
 *   }),
 * );
 * ```
 */
export function randomQuery(
  random: () => number,
  { size = 30, conditions = "any" }: RandomQueryOptions = {},
): RandomQuery {
  const draft = createDraft(random, size, conditions);
  const { tokens, variables, operationName } = writeDocument(draft);
  return { query: layOut(tokens, createDice(random)), variables, operationName };
}

/** {@link randomQuery} for property tests; a failing query shrinks to a shorter one, and prints its seed. */
export function arbitraryQuery({ size = 30, ...options }: RandomQueryOptions = {}): fc.Arbitrary<RandomQuery> {
  return fc
    .record({ seed: fc.noShrink(fc.nat()), size: fc.integer({ min: 1, max: size }) })
    .map(({ seed, size: chosen }) => randomQuery(createRandom(seed), { ...options, size: chosen }));
}
