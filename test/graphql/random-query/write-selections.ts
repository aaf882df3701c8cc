import {
  doTypesOverlap,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isUnionType,
} from "graphql";
import { conditionsWithin, type Draft, SCHEMA, type Uses } from "./draft.js";
import { writeArguments } from "./write-arguments.js";
import { writeDirectives } from "./write-directives.js";

/** How often a field of `Query` is asked for. */
const ROOT_WEIGHTS: Readonly<Record<string, number>> = {
  repository: 8,
  viewer: 3,
  search: 2,
  node: 2,
  nodes: 2,
  user: 1,
  organization: 1,
  repositoryOwner: 1,
  rateLimit: 1.5,
};
/** Names of fragments that look like something else; `on` alone may not name one. */
const FRAGMENT_NAMES = ["Parts", "query", "fragment", "rateLimit", "nodes", "F"];
const TYPENAME = { name: "__typename", type: "String!", args: [] };

/** A selection set, braces included: never empty, and no deeper than `depth`. */
export function writeSelectionSet(draft: Draft, type: GraphQLCompositeType, depth: number, uses: Uses): string[] {
  const tokens = ["{"];
  for (let count = 1 + draft.dice.below(4); count > 0; count--) {
    draft.left--;
    tokens.push(...writeSelection(draft, type, depth, uses));
  }
  return [...tokens, "}"];
}

function writeSelection(draft: Draft, type: GraphQLCompositeType, depth: number, uses: Uses): string[] {
  const { dice } = draft;
  const share = isUnionType(type) ? 0.85 : isAbstractType(type) ? 0.5 : 0.18;
  if (depth <= 0 || draft.left <= 0 || !dice.chance(share)) return writeField(draft, type, depth, uses);
  if (dice.chance(0.5)) return writeSpread(draft, type, depth, uses);
  const within = conditionsWithin(type, draft.conditions);
  const on = dice.chance(0.2) || within.length === 0 ? undefined : dice.pick(within);
  const condition = on === undefined ? [] : ["on", on.name];
  return [
    "...",
    ...condition,
    ...writeDirectives(draft, uses),
    ...writeSelectionSet(draft, on ?? type, depth - 1, uses),
  ];
}

function writeField(draft: Draft, type: GraphQLCompositeType, depth: number, uses: Uses): string[] {
  const field = pickField(draft, type, depth);
  const { tokens: written, text } = writeArguments(draft, field, uses);
  const key = draft.keys.keyFor(type, field, text);
  const tokens = [...(key === field.name ? [] : [key, ":"]), field.name, ...written, ...writeDirectives(draft, uses)];
  const inner = getNamedType(field.type);
  if (!isCompositeType(inner)) return tokens;
  const bounded = /\b(first|last) :/.test(text);
  // GitHub counts without a page size, but gives no items.
  if (inner.name.endsWith("Connection") && !bounded && draft.dice.chance(0.9))
    return [...tokens, "{", inner.name.startsWith("Search") ? "issueCount" : "totalCount", "}"];
  return [...tokens, ...writeSelectionSet(draft, inner, depth - 1, uses)];
}

function pickField(draft: Draft, type: GraphQLCompositeType, depth: number): GraphQLField<unknown, unknown> {
  const { dice } = draft;
  const typename = TYPENAME as unknown as GraphQLField<unknown, unknown>;
  if (isUnionType(type) || dice.chance(0.05)) return typename;
  const { leaves, composites, lists } = fieldsOf(type);
  if (depth <= 0 || draft.left <= 0 || composites.length === 0)
    return leaves.length === 0 ? typename : dice.pick(leaves);
  if (type.name === "Query") return type.getFields()[dice.weighted(ROOT_WEIGHTS)] ?? typename;
  if (leaves.length > 0 && dice.chance(0.4)) return dice.pick(leaves);
  return dice.pick(lists.length > 0 && dice.chance(0.5) ? lists : composites);
}

interface Fields {
  readonly leaves: readonly GraphQLField<unknown, unknown>[];
  readonly composites: readonly GraphQLField<unknown, unknown>[];
  /** Those of the composites that are connections. */
  readonly lists: readonly GraphQLField<unknown, unknown>[];
}

const known = new Map<string, Fields>();

function fieldsOf(type: GraphQLObjectType | GraphQLInterfaceType): Fields {
  let found = known.get(type.name);
  if (found === undefined) {
    const fields = Object.values(type.getFields());
    const composites = fields.filter((one) => isCompositeType(getNamedType(one.type)));
    const lists = composites.filter((one) => getNamedType(one.type).name.endsWith("Connection"));
    found = { leaves: fields.filter((one) => !composites.includes(one)), composites, lists };
    known.set(type.name, found);
  }
  return found;
}

/** A spread of a fragment that is there already, or of a new one. */
function writeSpread(draft: Draft, type: GraphQLCompositeType, depth: number, uses: Uses): string[] {
  const { dice } = draft;
  const fitting = draft.fragments.filter((one) => doTypesOverlap(SCHEMA, one.on, type));
  const name = fitting.length > 0 && dice.chance(0.6) ? dice.pick(fitting).name : writeFragment(draft, type, depth);
  uses.fragments.add(name);
  return ["...", name, ...writeDirectives(draft, uses)];
}

function writeFragment(draft: Draft, type: GraphQLCompositeType, depth: number): string {
  const on = draft.dice.pick(conditionsWithin(type, draft.conditions));
  const uses: Uses = { variables: new Set(), fragments: new Set() };
  const tokens = writeSelectionSet(draft, on, depth - 1, uses);
  // Only now, so that it cannot spread itself.
  const name = `${draft.dice.pick(FRAGMENT_NAMES)}${draft.fragments.length}`;
  draft.fragments.push({ name, tokens: ["fragment", name, "on", on.name, ...tokens], on, uses });
  return name;
}
