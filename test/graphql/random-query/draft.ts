import {
  buildSchema,
  doTypesOverlap,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
} from "graphql";
import { SCHEMA_TEXT } from "../../../src/sim/github/graphql/schema.js";
import { createDice, type Dice } from "./dice.js";
import { ResponseKeys } from "./response-keys.js";
import { Variables } from "./variables.js";

/** The simulator's schema. */
export const SCHEMA: GraphQLSchema = buildSchema(SCHEMA_TEXT);

/** What a definition needs of others. */
export interface Uses {
  readonly variables: Set<string>;
  readonly fragments: Set<string>;
}

/** A named fragment, written. */
export interface WrittenFragment {
  readonly name: string;
  readonly on: GraphQLCompositeType;
  readonly tokens: readonly string[];
  readonly uses: Uses;
}

/** Which types fragments may be on: any that the grammar of types allows, or only objects. */
export type Conditions = "any" | "objects";

/** A document in the making. */
export interface Draft {
  readonly dice: Dice;
  readonly conditions: Conditions;
  readonly keys: ResponseKeys;
  readonly variables: Variables;
  readonly fragments: WrittenFragment[];
  /** How many selections may still be written. */
  left: number;
}

export function createDraft(random: () => number, size: number, conditions: Conditions): Draft {
  const dice = createDice(random);
  return {
    dice,
    conditions,
    keys: new ResponseKeys(dice),
    variables: new Variables(dice),
    fragments: [],
    left: size,
  };
}

const overlapping = new Map<string, readonly GraphQLCompositeType[]>();

/** The types that a fragment within `type` may be on. */
export function conditionsWithin(type: GraphQLCompositeType, conditions: Conditions): readonly GraphQLCompositeType[] {
  const key = `${conditions} ${type.name}`;
  let found = overlapping.get(key);
  if (found === undefined) {
    found = Object.values(SCHEMA.getTypeMap())
      .filter((one) => !one.name.startsWith("__"))
      .filter(isCompositeType)
      .filter((one) => doTypesOverlap(SCHEMA, type, one) && (conditions === "any" || !isAbstractType(one)));
    overlapping.set(key, found);
  }
  return found;
}
