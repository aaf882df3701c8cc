import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import type { Dice } from "./dice.js";
import { ISSUES, MEMBERS, NODE_IDS, OWNER, PULL_REQUESTS, REPOSITORIES } from "./names.js";

/** A value as tokens of a document and as JSON. */
export interface Value {
  readonly tokens: readonly string[];
  readonly json: unknown;
}

const WORDS = ["main", "bug", "} {", 'say "hi"', "# no comment", "ünïcode 😀", "line\nbreak", "rateLimit", ""];

/** What makes sense for arguments of these names; the others are made up by type. */
const BY_NAME: Readonly<Record<string, (dice: Dice, fieldName: string) => Value>> = {
  first: (dice) => int(pageSize(dice)),
  last: (dice) => int(pageSize(dice)),
  skip: () => int(0),
  size: (dice) => int(dice.pick([16, 64])),
  owner: (dice) => string(dice, dice.chance(0.93) ? OWNER : "nobody"),
  name: (dice, field) =>
    string(dice, dice.chance(0.1) ? "missing" : dice.pick(field === "label" ? ["bug", "documentation"] : REPOSITORIES)),
  login: (dice) => string(dice, dice.chance(0.1) ? "ghost" : dice.pick([...MEMBERS, OWNER])),
  author: (dice) => string(dice, dice.pick(MEMBERS)),
  number: (dice) => int(dice.chance(0.1) ? 999 : 1 + dice.below(ISSUES + PULL_REQUESTS)),
  id: (dice) => string(dice, dice.pick(NODE_IDS)),
  ids: (dice) =>
    list(Array.from({ length: dice.below(dice.chance(0.1) ? 30 : 5) }, () => string(dice, dice.pick(NODE_IDS)))),
  after: (dice) => (dice.chance(0.3) ? NULL : string(dice, cursor(dice.below(3)))),
  before: (dice) => (dice.chance(0.3) ? NULL : string(dice, cursor(5 + dice.below(3)))),
  query: (dice) => string(dice, dice.pick([`repo:${OWNER}/app-1 state:open`, "login", "billing {", ""])),
  refPrefix: (dice) => string(dice, dice.pick(["refs/heads/", "refs/tags/"])),
  qualifiedName: (dice) => string(dice, dice.pick(["main", "refs/heads/main", "nowhere"])),
  expression: (dice) => string(dice, dice.pick(["HEAD", "main:README.md", "main", "main:missing"])),
  labels: (dice) => list([string(dice, dice.pick(["bug", "documentation"]))]),
  path: (dice) => string(dice, "README.md"),
  // A dry run is asked for on purpose, or not at all.
  dryRun: () => ({ tokens: ["false"], json: false }),
};

const NULL: Value = { tokens: ["null"], json: null };

/** A value for an argument. */
export function randomValue(dice: Dice, argument: GraphQLArgument, fieldName: string): Value {
  const known = BY_NAME[argument.name]?.(dice, fieldName);
  return known === undefined || (known === NULL && isNonNullType(argument.type)) ? byType(dice, argument.type) : known;
}

function byType(dice: Dice, type: GraphQLInputType): Value {
  if (isNonNullType(type)) return byType(dice, type.ofType);
  if (isListType(type)) return list(Array.from({ length: dice.below(3) }, () => byType(dice, type.ofType)));
  if (isEnumType(type)) {
    const { name } = dice.pick(type.getValues());
    return { tokens: [name], json: name };
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((one) => isNonNullType(one.type) || dice.chance(0.5));
    const values = fields.map((one) => ({ name: one.name, value: byType(dice, one.type) }));
    return {
      tokens: ["{", ...values.flatMap(({ name, value }) => [name, ":", ...value.tokens]), "}"],
      json: Object.fromEntries(values.map(({ name, value }) => [name, value.json])),
    };
  }
  if (type.name === "Int") return int(dice.below(100));
  if (type.name === "Boolean") {
    const value = dice.chance(0.5);
    return { tokens: [String(value)], json: value };
  }
  return string(dice, dice.pick(WORDS));
}

/** Mostly small, so that most queries may be run; sometimes at or beyond the limit. */
function pageSize(dice: Dice): number {
  return Number(
    dice.weighted({ "1": 6, "2": 6, "3": 4, "5": 3, "10": 2, "30": 1, "100": 1, "0": 0.5, "101": 0.05, "-1": 0.05 }),
  );
}

const int = (value: number): Value => ({ tokens: [String(value)], json: value });
const cursor = (position: number): string => Buffer.from(`cursor:v2:${position}`).toString("base64");
const list = (values: readonly Value[]): Value => ({
  tokens: ["[", ...values.flatMap((one) => one.tokens), "]"],
  json: values.map((one) => one.json),
});

function string(dice: Dice, value: string): Value {
  const block = dice.chance(0.15) && !/["\\]/.test(value);
  return { tokens: [block ? `"""${value}"""` : JSON.stringify(value)], json: value };
}
