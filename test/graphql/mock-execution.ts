import {
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
  parse,
  validate,
} from "graphql";
import type { RandomQuery } from "./random-query.js";

/** What a made-up server does with `rateLimit`. */
export type MockRateLimit = { readonly told: unknown } | { readonly throws: string };

export interface MockOptions {
  readonly seed: number;
  /** The share of fields that fail, from 0 to 1. */
  readonly failing: number;
  readonly rateLimit: MockRateLimit;
}

/**
 * The text of an answer as a GraphQL server gives it that has made-up data for any query of `schema`: the same value in
 * the same place of an answer, whatever else is asked for.
 */
export function mockAnswer(schema: GraphQLSchema, request: RandomQuery, options: MockOptions): string {
  const document = parse(request.query);
  const errors = validate(schema, document);
  if (errors.length > 0) return JSON.stringify({ errors });
  const result = execute({
    schema,
    document,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
    rootValue: {},
    fieldResolver: mockResolver(options),
    typeResolver: (value) => (value as { readonly type: string }).type,
  });
  return JSON.stringify(result);
}

function mockResolver({ seed, failing, rateLimit }: MockOptions): GraphQLFieldResolver<unknown, unknown> {
  return (source, _args, _context, { parentType, fieldName, path, returnType, schema }) => {
    if (parentType.name === "RateLimit") return (source as Readonly<Record<string, unknown>>)[fieldName];
    if (fieldName === "rateLimit") {
      if ("throws" in rateLimit) throw new Error(rateLimit.throws);
      return rateLimit.told;
    }
    const chance = hash(`${seed} ${nameOf(path)}`);
    if (chance % 1000 < failing * 1000) throw new Error(`Nothing at ${nameOf(path)}`);
    return madeUp(schema, returnType, chance);
  };
}

function madeUp(schema: GraphQLSchema, type: GraphQLOutputType, chance: number): unknown {
  const nullable = getNullableType(type);
  if (nullable === type && chance % 7 === 0) return null;
  if (isListType(nullable))
    return Array.from({ length: chance % 3 }, (_, index) => madeUp(schema, nullable.ofType, chance + index));
  const named = getNamedType(nullable);
  if (isAbstractType(named)) {
    const possible = schema.getPossibleTypes(named);
    return { type: possible[chance % possible.length]?.name };
  }
  if (isObjectType(named)) return {};
  if (isEnumType(named)) return named.getValues()[chance % named.getValues().length]?.value;
  if (isLeafType(named) && named.name === "Boolean") return chance % 2 === 0;
  return named.name === "Int" ? chance % 1000 : `{"né":"🚀", ${chance}\\`;
}

function nameOf(path: GraphQLResolveInfo["path"] | undefined): string {
  return path === undefined ? "" : `${nameOf(path.prev)}/${path.key}`;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
