import { describe, expect, it, vi } from "vitest";
import { type Guarding, guardBench, PULLS, REPOSITORY } from "./guard-bench.js";

function set() {
  const bench = guardBench();
  bench.setPulls("one");
  return { ...bench, ...(bench.guarding() as Guarding) };
}

type Ask = (guarding: Guarding) => Promise<unknown>;
const made = () => 1;
const options =
  (given: object | null): Ask =>
  ({ pulls }) =>
    pulls(made, given as object);
const read =
  (route: unknown, params?: unknown): Ask =>
  ({ guard }) =>
    guard(route as string, params as object, made);

const WRONG: readonly (readonly [what: string, ask: Ask, message: RegExp])[] = [
  ["no produce", ({ pulls }) => pulls(undefined as never), /^guard\.produce must be a function; got undefined\.$/],
  ["a produce that is none", ({ pulls }) => pulls("x" as never), /^guard\.produce must be a function; got "x"\.$/],
  ["options that are none", options(null), /^guard must be a plain object of options; got null\.$/],
  ["a misspelt option", options({ maxAge: 1 }), /^guard\.maxAge: unknown option; did you mean `maxAgeMs`\?$/],
  [
    "a negative age",
    options({ maxAgeMs: -1 }),
    /^guard\.maxAgeMs must be a whole number of milliseconds from 0 to 31536000000; got -1\.$/,
  ],
  ["an endless age", options({ maxAgeMs: Number.POSITIVE_INFINITY }), /^guard\.maxAgeMs must be .*; got Infinity\.$/],
  [
    "too long a wait",
    options({ waitMs: 600_001 }),
    /^guard\.waitMs must be a whole number of milliseconds from 0 to 600000; got 600001\.$/,
  ],
  ["an empty key", options({ key: "" }), /^guard\.key must be 1 to 200 printable characters; got ""\.$/],
  ["a key that is none", options({ key: 7 }), /^guard\.key must be 1 to 200 printable characters; got 7\.$/],
  ["a credential for a key", options({ key: `ghp_${"a".repeat(36)}` }), /^guard\.key must be a name; .* withheld/],
  ["a route that is none", read(undefined), /^guard\.route must be a GET, such as ".*"; got undefined\.$/],
  ["a write", read("POST /repos/o/r/pulls"), /^guard\.route must be a GET, .*; got "POST \/repos\/o\/r\/pulls"\.$/],
  [
    "a write by its parameters",
    read(PULLS, { ...REPOSITORY, method: "POST" }),
    /^guard\.params\.method must be GET; got "POST"\.$/,
  ],
  ["parameters that are none", read(PULLS, "o"), /^guard\.params must be a plain object; got "o"\.$/],
  [
    "settings that are none",
    read(PULLS, { ...REPOSITORY, request: 1 }),
    /^guard\.params\.request must be a plain object; got 1\.$/,
  ],
  [
    "options of the call that are none",
    read(PULLS, { ...REPOSITORY, request: { squad: 5 } }),
    /^guard\.params\.request\.squad must be a plain object of options; got 5\.$/,
  ],
  [
    "options of the call in the wrong place",
    read(PULLS, { ...REPOSITORY, squad: {} }),
    /^squad stands among the parameters/,
  ],
  [
    "an own condition",
    read(PULLS, { ...REPOSITORY, headers: { "If-None-Match": "x" } }),
    /^guard\.params\.headers has "If-None-Match", which guards send by themselves\.$/,
  ],
  ["a circle", read(PULLS, circle()), /^The parameters of a guard's read could not be read\.$/],
  [
    "no reads",
    ({ guards }) => guards([], made),
    /^guard\.reads must be a list of 1 to 100 reads, each \[route, params\]; got an array\.$/,
  ],
  [
    "too many reads",
    ({ guards }) => guards(Array(101).fill(["GET /a"]), made),
    /^guard\.reads must be a list of 1 to 100/,
  ],
  ["reads that are none", ({ guards }) => guards("GET /a" as never, made), /^guard\.reads must be a list/],
  [
    "a read that is none",
    ({ guards }) => guards([["GET /a"], "GET /b" as never], made),
    /^guard\.reads\[1\] must be \[route, params\]; got "GET \/b"\.$/,
  ],
  [
    "a wrong route among others",
    ({ guards }) => guards([["GET /a"], ["PUT /b"]], made),
    /^guard\.reads\[1\]\.route must be a GET/,
  ],
];

function circle(): object {
  const params: Record<string, unknown> = { ...REPOSITORY };
  params.self = params;
  return params;
}

describe("a guard refuses", () => {
  it.each(WRONG)("%s, and sends nothing", async (_what, ask, message) => {
    const bench = set();
    await expect(bench.clock.settle(ask(bench))).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      message: expect.stringMatching(message),
    });
    expect(bench.github.requests).toEqual([]);
  });

  it.each([
    { what: "undefined", value: undefined, why: "got undefined" },
    { what: "a function", value: () => 1, why: "got a function" },
    { what: "a symbol", value: Symbol("x"), why: "got a symbol" },
    {
      what: "a bigint",
      value: { id: 1n },
      why: "something in it cannot be written as JSON, such as a bigint or a circle",
    },
    {
      what: "a circle",
      value: circle(),
      why: "something in it cannot be written as JSON, such as a bigint or a circle",
    },
  ])("a value that is $what, tells all who wait, and keeps nothing", async ({ value, why }) => {
    const { clock, pulls } = set();
    const produce = vi.fn<() => unknown>(async () => value);
    const both = await clock.settle(Promise.allSettled([pulls(produce), pulls(produce)]));
    const reason = { code: "SQUAD_RATE_OPTIONS", message: `guard.produce must make a JSON value; ${why}.` };
    expect(both).toMatchObject([{ reason }, { reason }]);
    produce.mockImplementation(async () => null);
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: null, how: "produced" });
  });
});

describe("a guard takes", () => {
  it("routes and parameters as request does", async () => {
    const { clock, github, guard } = set();
    for (const [route, params] of [
      [PULLS, REPOSITORY],
      ["/repos/{owner}/{repo}/pulls", REPOSITORY],
      ["get /repos/o/r/pulls", undefined],
      ["GET https://api.github.com/repos/o/r/pulls", {}],
      [PULLS, { ...REPOSITORY, method: "GET", headers: { accept: "application/json", "if-none-match": undefined } }],
      [PULLS, { ...REPOSITORY, request: { parseSuccessResponseBody: false } }],
      [PULLS, { ...REPOSITORY, id: 9_007_199_254_740_993n }],
    ] as const) {
      expect(await clock.settle(guard(route, params, made))).toMatchObject({ value: 1 });
    }
    expect(github.requests.every(({ url }) => url.pathname === "/repos/o/r/pulls")).toBe(true);
  });

  it("what it is given as it is: nothing is written to it", async () => {
    const { clock, guards } = set();
    const frozen = <V extends object>(value: V): V => Object.freeze(value);
    const squad = frozen({ session: "s" });
    const params = frozen({ ...REPOSITORY, request: frozen({ squad }) });
    const reads = frozen([frozen([PULLS, params] as const)]);
    expect(await clock.settle(guards(reads, made, frozen({ key: "k" })))).toMatchObject({ how: "produced" });
  });
});
