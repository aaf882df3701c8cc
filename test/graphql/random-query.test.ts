import fc from "fast-check";
import { parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/sim/github/random.js";
import { createSimulatedGitHub, createVirtualClock } from "../../src/sim/index.js";
import { SCHEMA } from "./random-query/draft.js";
import { arbitraryQuery, randomQuery } from "./random-query.js";
import { fillWorldForRandomQueries } from "./random-query-world.js";

/** Many runs on a busy machine. */
const PATIENCE_MS = 90_000;

describe("random queries", () => {
  it(
    "are valid",
    () => {
      fc.assert(
        fc.property(arbitraryQuery({ size: 60 }), ({ query }) => {
          expect(validate(SCHEMA, parse(query)).map(String)).toEqual([]);
        }),
        { numRuns: 1_000 },
      );
    },
    PATIENCE_MS,
  );

  it("are the same from the same chance", () => {
    expect(randomQuery(createRandom(7))).toEqual(randomQuery(createRandom(7)));
  });

  it("mostly find something, sometimes do not, and are seldom refused", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock, limits: { graphql: { limit: 1_000_000 } }, secondary: false });
    fillWorldForRandomQueries(github.world, "ghp_mona");
    const seen = { something: 0, notFound: 0, otherErrors: 0, refused: 0, broken: [] as string[] };
    const count = 300;
    for (let seed = 0; seed < count; seed++) {
      const { query, variables, operationName } = randomQuery(createRandom(seed));
      const response = await clock.settle(
        github.fetch("https://api.github.com/graphql", {
          method: "POST",
          headers: { authorization: "token ghp_mona" },
          body: JSON.stringify({ query, variables, operationName }),
        }),
      );
      const { data, errors = [] } = (await response.json()) as Answer;
      if (data === undefined) seen.refused++;
      if (data === undefined && errors[0]?.type === undefined) seen.broken.push(`${seed}: ${errors[0]?.message}`);
      if (Object.values(data ?? {}).some((one) => one !== null)) seen.something++;
      if (errors.some((one) => one.type === "NOT_FOUND")) seen.notFound++;
      if (data !== undefined && errors.some((one) => one.type === undefined)) seen.otherErrors++;
    }
    expect(seen.broken).toEqual([]);
    expect(seen.something).toBeGreaterThan(0.85 * count);
    expect(seen.notFound).toBeGreaterThan(0.1 * count);
    expect(seen.otherErrors).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0.02 * count);
    expect(seen.refused).toBeLessThan(0.1 * count);
  });

  it.each([
    ["comments with braces", /#[^\n\r]*[}]/],
    ["block strings", /"""/],
    ["carriage returns alone", /\r(?!\n)/],
    ["characters of two units", /\u{1F600}/u],
    ["named fragments", /fragment[\s\uFEFF,]+\w/],
    ["rateLimit under an alias", /\w\s*:\s*rateLimit\b/],
    ["rateLimit as an alias", /rateLimit\d*\s*:\s*[a-qs-z]/],
    ["@include by variable", /@include\(if:\s?\$/],
    ["mutations beside queries", /mutation[\s\uFEFF,]+\w/],
  ])("hold %s, now and then", (_, pattern) => {
    const queries = Array.from({ length: 300 }, (__, seed) => randomQuery(createRandom(seed)).query);
    expect(queries.filter((one) => pattern.test(one)).length).toBeGreaterThan(2);
  });
});

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly type?: string; readonly message: string }[];
}
