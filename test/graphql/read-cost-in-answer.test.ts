import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InsertedCapture } from "../../src/graphql/operation.js";
import { readCostInAnswer } from "../../src/graphql/read-cost-in-answer.js";
import {
  anyString,
  anyStyle,
  anyTree,
  COMPACT,
  type JsonEntry,
  type JsonStyle,
  type JsonTree,
  PRETTY,
  treeOf,
  written,
} from "./any-json.js";

const KEY = "squadRateLimit";
const CAPTURE: InsertedCapture = { kind: "insert", document: "", key: KEY, line: 3, column: 40, columns: 60 };
const COST = { cost: 2, limit: 5000, remaining: 4990, used: 10, resetAt: "2026-03-01T12:00:05Z", nodeCount: 325 };
const TOLD = { ...COST, resetAt: Date.UTC(2026, 2, 1, 12, 0, 5) };

const ours = (value: unknown = COST): JsonEntry => [`"${KEY}"`, treeOf(value)];
const object = (...members: readonly JsonEntry[]): JsonTree => ({ members });
const list = (...elements: readonly JsonTree[]): JsonTree => ({ elements });

/** Words that an answer may well hold, and that are not what they seem. */
const WORDS = ["line", "column", "data", "errors", "extensions", "path", "locations", KEY];

/** Members of an object in which ours is not. */
const anyMembers = fc.array(
  fc.tuple(
    anyString(WORDS).filter((key) => JSON.parse(key) !== KEY),
    anyTree(WORDS),
  ),
  { maxLength: 4 },
);

/** One location in an error, written in either order. */
function location(line: number, column: number, flipped: boolean): JsonTree {
  const members: JsonEntry[] = [
    ['"line"', String(line)],
    ['"column"', String(column)],
  ];
  return object(...(flipped ? members.toReversed() : members));
}

interface AnyError {
  readonly places: readonly { readonly line: number; readonly column: number; readonly flipped: boolean }[];
  readonly path: JsonTree;
  readonly more: readonly JsonEntry[];
}

const anyError: fc.Arbitrary<AnyError> = fc.record({
  places: fc.array(
    fc.record({
      line: fc.integer({ min: 1, max: 4 }),
      column: fc.integer({ min: 1, max: 120 }),
      flipped: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  path: fc.array(fc.constantFrom('"data"', '"line"', "0", "12")).map((elements) => ({ elements })),
  more: fc.array(fc.tuple(fc.constantFrom('"message"', '"type"', '"extensions"'), anyTree(WORDS)), { maxLength: 2 }),
});

/** An error about a document, as the caller's locations are or as the sent ones are. */
function errorTree({ places, path, more }: AnyError, sent: boolean): JsonTree {
  const locations = places.map(({ line, column, flipped }) => {
    const isMoved = sent && line === CAPTURE.line && column >= CAPTURE.column;
    return location(line, isMoved ? column + CAPTURE.columns : column, flipped);
  });
  return object(...more, ['"locations"', list(...locations)], ['"path"', path]);
}

/** An error about our selection: by path, by place or by both. */
const anyErrorOfOurs: fc.Arbitrary<JsonTree> = fc
  .record({ by: fc.constantFrom("path", "place", "both"), into: fc.nat(CAPTURE.columns - 1), rest: anyError })
  .map(({ by, into, rest }) =>
    object(
      ...rest.more,
      ...(by === "place" ? [] : [['"path"', list('"query"', `"${KEY}"`, '"cost"')] as const]),
      ...(by === "path" ? [] : [['"locations"', list(location(3, CAPTURE.column + into, false))] as const]),
    ),
  );

const anyOrder = fc.shuffledSubarray(["data", "errors", "extensions"], { minLength: 3 });

/** An answer as the caller would have it, and as GitHub gives it to the document with our selection. */
const anyAnswer = fc
  .record({
    order: anyOrder,
    data: anyMembers,
    place: fc.nat(4),
    errors: fc.option(fc.array(anyError, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    errorsOfOurs: fc.array(fc.tuple(anyErrorOfOurs, fc.nat(3)), { maxLength: 2 }),
    extensions: fc.option(anyTree(WORDS), { nil: undefined }),
    style: anyStyle,
  })
  .map(({ order, data, place, errors, errorsOfOurs, extensions, style }) => {
    const answer = (sent: boolean): string => {
      const members: JsonEntry[] = [...data];
      if (sent) members.splice(place, 0, ours(errorsOfOurs.length === 0 ? COST : null));
      const list = errors?.map((error) => errorTree(error, sent)) ?? [];
      if (sent) for (const [error, at] of errorsOfOurs) list.splice(at, 0, error);
      const parts: Readonly<Record<string, JsonTree | undefined>> = {
        data: object(...members),
        errors: list.length === 0 ? undefined : { elements: list },
        extensions,
      };
      const entries = order.flatMap((key) => (parts[key] === undefined ? [] : [[`"${key}"`, parts[key]] as const]));
      return style.newline + written(object(...entries), style) + style.newline;
    };
    return { asked: answer(false), sent: answer(true), tells: errorsOfOurs.length === 0 };
  });

describe("an answer to a document with our selection", () => {
  it("is for the caller byte for byte the answer to the caller's own, and tells the cost", () => {
    fc.assert(
      fc.property(anyAnswer, ({ asked, sent, tells }) => {
        expect(readCostInAnswer(sent, CAPTURE)).toEqual({
          told: tells ? TOLD : undefined,
          text: asked,
          spoiled: false,
        });
      }),
      { numRuns: 1500 },
    );
  });

  const shapes: Readonly<Record<string, (...inserted: JsonEntry[]) => JsonTree>> = {
    last: (...inserted) => object(['"data"', object(['"a"', "1"], ['"b"', "[]"], ...inserted)]),
    first: (...inserted) => object(['"data"', object(...inserted, ['"a"', "1"])]),
    "in the middle": (...inserted) => object(['"data"', object(['"a"', "1"], ...inserted, ['"b"', "2"])]),
    alone: (...inserted) => object(['"data"', object(...inserted)]),
    "before extensions": (...inserted) =>
      object(['"data"', object(['"a"', "1"], ...inserted)], ['"extensions"', object(['"b"', "2"])]),
    "before errors": (...inserted) =>
      object(['"data"', object(['"a"', "null"], ...inserted)], ['"errors"', list(object(['"message"', '"no"']))]),
    "after errors": (...inserted) =>
      object(['"errors"', list(object(['"message"', '"no"']))], ['"data"', object(['"a"', "null"], ...inserted)]),
    "beside an object of its key": (...inserted) =>
      object(['"data"', object(['"a"', object(ours(1))], ...inserted)], ['"extensions"', object(ours(2))]),
  };
  const styles: readonly (readonly [string, JsonStyle])[] = [
    ["compact", COMPACT],
    ["pretty", PRETTY],
  ];
  const cases = Object.keys(shapes).flatMap((shape) => styles.map(([name, style]) => [shape, name, style] as const));

  it.each(cases)("is cut where that stands %s, in %s JSON", (shape, _, style) => {
    const asked = written(shapes[shape]?.() ?? "", style);
    for (const value of [COST, null, 7, "odd", [COST], { ...COST, cost: "2" }]) {
      const sent = written(shapes[shape]?.(ours(value)) ?? "", style);
      const told = value === COST ? TOLD : undefined;
      expect(readCostInAnswer(sent, CAPTURE)).toEqual({ told, text: asked, spoiled: false });
    }
  });

  it("loses the errors about our selection, and no others", () => {
    const about = { message: "Something went wrong", path: [KEY], locations: [{ line: 3, column: 41 }] };
    const other = { message: "Could not resolve", path: ["a"], locations: [{ line: 3, column: 100 }] };
    const moved = { ...other, locations: [{ line: 3, column: 40 }] };
    const read = (errors: readonly unknown[]): unknown =>
      JSON.parse(readCostInAnswer(JSON.stringify({ data: { a: null, [KEY]: null }, errors }), CAPTURE).text);
    expect(read([about])).toEqual({ data: { a: null } });
    expect(read([about, other, about])).toEqual({ data: { a: null }, errors: [moved] });
    expect(read([other])).toEqual({ data: { a: null }, errors: [moved] });
    expect(read([])).toEqual({ data: { a: null }, errors: [] });
  });

  it.each([
    ["on another line", { line: 2, column: 110 }, { line: 2, column: 110 }],
    ["before our selection", { line: 3, column: 39 }, { line: 3, column: 39 }],
    ["right behind it", { line: 3, column: 100 }, { line: 3, column: 40 }],
    ["far behind it", { line: 3, column: 1000 }, { line: 3, column: 940 }],
    ["nowhere", { line: 3, column: -100 }, { line: 3, column: -100 }],
    ["no place", { line: "3", column: "100" }, { line: "3", column: "100" }],
  ])("has an error %s where the caller's document has it, whether there is data or none", (_, sent, asked) => {
    for (const data of [{ data: null }, {}]) {
      const answer = (location: unknown): string =>
        JSON.stringify({ ...data, errors: [{ message: "no", locations: [location, location] }] });
      expect(readCostInAnswer(answer(sent), CAPTURE)).toEqual({ told: undefined, text: answer(asked), spoiled: false });
    }
  });

  it("has a place as it came where that is not written as places are", () => {
    const text = '{"errors":[{"locations":[{"line":3,"column":1e2},{"line":3.0,"column":100},{"column":100}]}]}';
    expect(readCostInAnswer(text, CAPTURE).text).toBe(text);
  });

  it.each([
    ["a path through it", { path: ["query", KEY, "nodeCount"], message: "Field 'nodeCount' doesn't exist" }],
    ["a location at its key", { locations: [{ line: 3, column: 41 }], message: "Field 'rateLimit' doesn't exist" }],
    [
      "a location at its end",
      {
        message: "no",
        locations: [
          { line: 1, column: 2 },
          { line: 3, column: 99 },
        ],
      },
    ],
  ])("is spoiled where it is turned down with %s", (_, error) => {
    const errors = [{ message: "Could not resolve", locations: [{ line: 3, column: 110 }] }, error];
    for (const sent of [{ errors }, { data: null, errors }, { errors, data: { a: 1 } }])
      expect(readCostInAnswer(JSON.stringify(sent), CAPTURE)).toMatchObject({ told: undefined, spoiled: true });
  });

  it("is not spoiled by errors about anything else", () => {
    const errors = [
      { type: "RATE_LIMITED", message: `API rate limit exceeded; "${KEY}"` },
      {
        message: "no",
        path: ["a", 3, 40],
        locations: [
          { line: 3, column: 39 },
          { line: 2, column: 50 },
        ],
      },
      { message: "odd", path: KEY, locations: { line: 3, column: 50 } },
      KEY,
      null,
    ];
    const text = JSON.stringify({ errors });
    expect(readCostInAnswer(text, CAPTURE)).toEqual({ told: undefined, text, spoiled: false });
  });
});

describe("an answer to a document with a rateLimit of the caller's own", () => {
  const capture = { kind: "present", key: "rate" } as const;
  const rate: JsonEntry = ['"rate"', treeOf(COST)];

  it("tells the cost from wherever that stands, and stays as it is", () => {
    fc.assert(
      fc.property(
        anyMembers,
        fc.nat(4),
        anyStyle,
        anyOrder,
        anyTree(["rate"]),
        (members, place, style, order, rest) => {
          const data: JsonEntry[] = members.filter(([key]) => JSON.parse(key) !== "rate");
          data.splice(place, 0, rate);
          const entries = order.map((key) => [`"${key}"`, key === "data" ? object(...data) : rest] as const);
          const text = written(object(...entries), style);
          expect(readCostInAnswer(text, capture)).toEqual({ told: TOLD, text, spoiled: false });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["is elsewhere", { data: { a: { rate: COST } }, extensions: { rate: COST } }],
    ["is null", { data: { rate: null } }],
    ["lacks the cost", { data: { rate: { remaining: 10 } } }],
    ["is missing, with all data", { data: null, errors: [{ message: "rate", path: ["rate"] }] }],
  ])("tells nothing where it %s", (_, answer) => {
    const text = JSON.stringify(answer);
    expect(readCostInAnswer(text, capture)).toEqual({ told: undefined, text, spoiled: false });
  });
});

describe("any text at all", () => {
  const captures = [CAPTURE, { kind: "present", key: KEY }, { kind: "none" }] as const;
  const characters = fc.string({ unit: fc.constantFrom(...'{}[]":,\\ 1n', '"data":', '"errors":', `"${KEY}":`) });

  it("is given back as it came when it is no answer", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), characters),
        fc.constantFrom(...captures),
        (text, capture) => {
          const read = readCostInAnswer(text, capture);
          if (!text.includes(KEY)) expect(read).toEqual({ told: undefined, text, spoiled: false });
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("is given back as it came when it is any JSON but an answer with our selection", () => {
    fc.assert(
      fc.property(anyTree(WORDS), anyStyle, fc.constantFrom(...captures), (tree, style, capture) => {
        const text = written(
          {
            members: [
              ['"a"', tree],
              ['"data"', list(tree)],
              ['"errors"', object(['"a"', tree])],
            ],
          },
          style,
        );
        expect(readCostInAnswer(text, capture)).toEqual({ told: undefined, text, spoiled: false });
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["deeper in the data", `{"data":{"a":{"b":1,"${KEY}":{"cost":1}}}}`],
    ["alone and deeper in the data", `{"data":{"a":{"${KEY}":{"cost":1}}}}`],
    ["in what is followed by something", `{"errors":[],"data":{"${KEY}":{"cost":1}}} x`],
    ["deeper in data that break off", `{"data":{"a":{"${KEY}":{"cost":1}}}`],
    ["as the end of another key", `{"data":{"a":1,"\\"${KEY}":{"cost":1}}}`],
    ["as a value", `{"data":{"a":"${KEY}"}}`],
    ["in extensions", `{"data":{"a":1},"extensions":{"b":1,"${KEY}":{"cost":1}}}`],
    ["in errors", `{"data":{"a":1},"errors":[{"${KEY}":{"cost":1}}]}`],
    ["beside the data", `{"data":{"a":1},"${KEY}":{"cost":1}}`],
  ])("is given back as it came when our key is only %s", (_, text) => {
    expect(readCostInAnswer(text, CAPTURE)).toEqual({ told: undefined, text, spoiled: false });
  });

  it("is given back as it came when it breaks off, and is no error wherever it does", () => {
    const text = JSON.stringify({ data: { a: [1], [KEY]: COST }, errors: [{ locations: [{ line: 3, column: 200 }] }] });
    for (let length = 0; length < text.length; length++) {
      const broken = text.slice(0, length);
      expect(readCostInAnswer(broken, CAPTURE)).toEqual({ told: undefined, text: broken, spoiled: false });
    }
  });

  it("holds nothing that an answer without a selection of ours could lose", () => {
    const text = '{"data":{"a":12345678901234567890,"b":1.0,"c":"\\u00e9"},"errors":[ ]}';
    for (const capture of captures) expect(readCostInAnswer(text, capture).text).toBe(text);
  });
});
