import fc from "fast-check";
import { buildSchema, type DefinitionNode, Kind, parse, print, stripIgnoredCharacters } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { GraphqlDocuments } from "../../src/graphql/documents.js";
import type { CostCapture, GraphqlOperation } from "../../src/graphql/operation.js";
import { readCostInAnswer } from "../../src/graphql/read-cost-in-answer.js";
import { replaceQueryInBody } from "../../src/graphql/replace-query-in-body.js";
import { SCHEMA_TEXT } from "../../src/sim/github/graphql/schema.js";
import { createSimulatedGitHub, createVirtualClock } from "../../src/sim/index.js";
import { type MockRateLimit, mockAnswer } from "./mock-execution.js";
import { SCHEMA } from "./random-query/draft.js";
import { arbitraryQuery, type RandomQuery } from "./random-query.js";
import { fillWorldForRandomQueries } from "./random-query-world.js";

const COST = { cost: 3, limit: 5000, remaining: 4990, used: 10, resetAt: "2026-03-01T12:00:05Z", nodeCount: 12 };
const TOLD = { ...COST, resetAt: Date.UTC(2026, 2, 1, 12, 0, 5) };

const documents = new GraphqlDocuments();
beforeAll(() => documents.load());

function operationOf({ query, operationName }: RandomQuery): GraphqlOperation {
  const operation = documents.read(query, operationName);
  if (operation === undefined) throw new Error(query);
  return operation;
}

/** The request as it is sent. */
function sent(request: RandomQuery, capture: CostCapture): RandomQuery {
  return capture.kind === "insert" ? { ...request, query: capture.document } : request;
}

/** Random queries, many of them in one line with their fragments behind the operations, and so behind our selection. */
const anyQuery = fc
  .tuple(arbitraryQuery(), fc.boolean())
  .map(([request, inOneLine]) => (inOneLine ? { ...request, query: lined(request.query) } : request));

function lined(query: string): string {
  const { kind, definitions } = parse(query);
  const rank = (one: DefinitionNode): number => (one.kind === Kind.OPERATION_DEFINITION ? 0 : 1);
  return stripIgnoredCharacters(print({ kind, definitions: definitions.toSorted((a, b) => rank(a) - rank(b)) }));
}

/** The same with a name in it that the schema does not know, so that the document is turned down. */
const anyInvalidQuery = fc.tuple(anyQuery, fc.nat()).map(([request, which]) => {
  const names = [...request.query.matchAll(/\b(?:id|name|login|number|title|url|first|__typename)\b/g)];
  const chosen = names[which % Math.max(1, names.length)];
  const { query } = request;
  const at = chosen?.index ?? query.length;
  return { ...request, query: `${query.slice(0, at)}nope${query.slice(at + (chosen?.[0].length ?? 0))}` };
});

const failing = fc.constantFrom(0, 0.05, 0.5);
const anyMock = fc.record({ seed: fc.nat(), failing });

describe("an answer that a GraphQL server gives to a document with our selection", () => {
  it("is for the caller the answer to the caller's own, errors and their places included, and tells the cost", () => {
    const seen = { told: 0, errors: 0 };
    fc.assert(
      fc.property(anyQuery, anyMock, (request, mock) => {
        const { capture } = operationOf(request);
        const options = { ...mock, rateLimit: { told: COST } };
        const asked = mockAnswer(SCHEMA, request, options);
        const got = mockAnswer(SCHEMA, sent(request, capture), options);
        const { told, text, spoiled } = readCostInAnswer(got, capture);
        expect(text).toBe(asked);
        expect(spoiled).toBe(false);
        if (capture.kind !== "insert") return;
        expect(told).toEqual(JSON.parse(asked).data === null ? undefined : TOLD);
        seen.told += told === undefined ? 0 : 1;
        seen.errors += asked.includes('"locations"') ? 1 : 0;
      }),
      { numRuns: 150 },
    );
    expect(seen.told).toBeGreaterThan(50);
    expect(seen.errors).toBeGreaterThan(10);
  });

  it("has every error in a fragment behind our selection where the caller has it", () => {
    const query =
      'fragment x on User{id} {a: search(query:"",type:USER,first:2){...f} ...g ...h} ' +
      'fragment f on SearchResultItemConnection{nodes{...x}} fragment g on Query{user(login:""){name bio}} ' +
      'fragment h on Query{organization(login:""){login name}}\n#';
    const request = { query, variables: {}, operationName: undefined };
    const { capture } = operationOf(request);
    let moved = 0;
    for (let seed = 0; seed < 50; seed++) {
      const options = { seed, failing: 0.4, rateLimit: { told: COST } };
      const asked = mockAnswer(SCHEMA, request, options);
      const got = mockAnswer(SCHEMA, sent(request, capture), options);
      expect(readCostInAnswer(got, capture).text).toBe(asked);
      moved += locationsIn(asked) === locationsIn(got) ? 0 : 1;
    }
    expect(moved).toBeGreaterThan(10);
  });

  it("has the errors of a document that is turned down where the caller's has them", () => {
    let moved = 0;
    fc.assert(
      fc.property(anyInvalidQuery, (request) => {
        const capture = documents.read(request.query, request.operationName)?.capture;
        if (capture?.kind !== "insert") return;
        const options = { seed: 0, failing: 0, rateLimit: { told: COST } };
        const asked = mockAnswer(SCHEMA, request, options);
        const got = mockAnswer(SCHEMA, sent(request, capture), options);
        const told = asked.includes('"data":{') ? TOLD : undefined;
        expect(readCostInAnswer(got, capture)).toEqual({ told, text: asked, spoiled: false });
        moved += locationsIn(asked) === locationsIn(got) ? 0 : 1;
      }),
      { numRuns: 150 },
    );
    expect(moved).toBeGreaterThan(5);
  });

  it.each<[string, MockRateLimit]>([
    ["null", { told: null }],
    ["an error", { throws: "Something went wrong" }],
    ["no cost", { told: { ...COST, cost: null } }],
  ])("lacks what our selection brought along where its value is %s", (_, rateLimit) => {
    fc.assert(
      fc.property(anyQuery, anyMock, (request, mock) => {
        const { capture } = operationOf(request);
        if (capture.kind !== "insert") return;
        const options = { ...mock, rateLimit };
        const asked = mockAnswer(SCHEMA, request, options);
        const got = mockAnswer(SCHEMA, sent(request, capture), options);
        expect(readCostInAnswer(got, capture)).toEqual({ told: undefined, text: asked, spoiled: false });
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["rateLimit", /rateLimit\(.*\): RateLimit\n/],
    ["a field of it", /nodeCount: Int! /],
  ])("is spoiled where the server does not know %s", (_, unknown) => {
    expect(SCHEMA_TEXT).toMatch(unknown);
    const schema = buildSchema(SCHEMA_TEXT.replace(unknown, ""));
    fc.assert(
      fc.property(fc.oneof(anyQuery, anyInvalidQuery), (request) => {
        const capture = documents.read(request.query, request.operationName)?.capture;
        if (capture?.kind !== "insert") return;
        const options = { seed: 0, failing: 0, rateLimit: { told: COST } };
        const got = mockAnswer(schema, sent(request, capture), options);
        expect(readCostInAnswer(got, capture)).toMatchObject({ told: undefined, spoiled: true });
      }),
      { numRuns: 100 },
    );
  });

  it("tells what the simulated GitHub charged, and is byte for byte the answer that it gives without", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock, limits: { graphql: { limit: 1e8 } }, secondary: false });
    fillWorldForRandomQueries(github.world, "ghp_mona");
    const headers = { authorization: "token ghp_mona" };
    const answer = async (body: string): Promise<string> => {
      const response = await clock.settle(
        github.fetch("https://api.github.com/graphql", { method: "POST", headers, body }),
      );
      return response.text();
    };
    let tells = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery, async (request) => {
        const operation = operationOf(request);
        const { capture } = operation;
        const body = JSON.stringify(request);
        if (capture.kind === "none") return;
        const asked = capture.kind === "insert" ? await answer(body) : undefined;
        const changed = capture.kind === "insert" ? replaceQueryInBody(body, request.query, capture.document) : body;
        const got = await answer(changed ?? "");
        const { told, text, spoiled } = readCostInAnswer(got, capture);
        expect(text).toBe(asked ?? got);
        expect(spoiled).toBe(false);
        if (told === undefined) return;
        tells++;
        if (!operation.isDryRun(request.variables)) expect(told.cost).toBe(github.log.at(-1)?.chargedUnits);
        if (told.used !== undefined) expect(told.used).toBe(github.usage("ghp_mona", "graphql").used);
      }),
      { numRuns: 100 },
    );
    expect(tells).toBeGreaterThan(50);
  });
});

function locationsIn(text: string): string {
  return [...text.matchAll(/"column":\d+/g)].map(([column]) => column).join();
}
