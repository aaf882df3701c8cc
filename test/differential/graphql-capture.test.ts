import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryQuery } from "../graphql/random-query.js";
import { GraphqlPair } from "./graphql-pair.js";

/** Queries of one run: each finds the count where the ones before it have left it. */
const queries = fc.array(arbitraryQuery({ size: 25 }), { minLength: 1, maxLength: 12 });

describe("a client that finds out what its queries cost", () => {
  it("gets what a plain one gets, text, data and errors, and knows the cost to the unit", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (all) => {
        const pair = new GraphqlPair({ capture: true });
        for (const query of all) {
          expect(await pair.askSquad(query)).toEqual(await pair.askPlain(query));
          expect(pair.lastBooked()).toEqual({ units: pair.lastCharged(), told: expect.any(Boolean) });
        }
        expect(pair.booked()).toBe(pair.charged());
      }),
      { numRuns: 40 },
    );
  });

  it("knows it from the headers as well, where it is alone and asks for nothing", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (all) => {
        const pair = new GraphqlPair({ capture: false });
        // Before the first answer nobody knows the count.
        await pair.askSquad({ query: "{ viewer { login } }", variables: {}, operationName: undefined });
        await pair.askPlain({ query: "{ viewer { login } }", variables: {}, operationName: undefined });
        for (const query of all) {
          expect(await pair.askSquad(query)).toEqual(await pair.askPlain(query));
          expect(pair.lastBooked()?.units).toBe(pair.lastCharged());
        }
        expect(pair.sentAsWritten).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});
