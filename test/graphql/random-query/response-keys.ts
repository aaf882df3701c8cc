import { type GraphQLCompositeType, type GraphQLField, isObjectType } from "graphql";
import type { Dice } from "./dice.js";

/** Aliases that look like something else. */
const ALIASES = [
  "a",
  "b",
  "item0",
  "rateLimit",
  "nodes",
  "totalCount",
  "on",
  "query",
  "fragment",
  "_",
  "squadRateLimit",
];
/** Aliases that different object types may use for different things. */
const SHARED = ["x", "y", "z"];

/**
 * Hands out response keys so that whatever is spread wherever, fields of one key can be merged: a key belongs to one
 * field name, one set of arguments and one type. Only a few keys are shared by object types that exclude each other, and
 * even those keep to one type.
 *
 * @see https://spec.graphql.org/draft/#sec-Field-Selection-Merging
 */
export class ResponseKeys {
  readonly #dice: Dice;
  readonly #keyOf = new Map<string, string>();
  readonly #claims = new Map<string, string>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** @param argumentText - the arguments as written, in an order that is always the same */
  keyFor(parent: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, argumentText: string): string {
    const claim = `${field.name}(${argumentText}):${field.type}`;
    const known = this.#keyOf.get(claim);
    if (known !== undefined && this.#dice.chance(0.85)) return known;
    if (isObjectType(parent) && this.#dice.chance(0.1)) {
      const key = this.#dice.pick(SHARED);
      if (this.#claim(key, `of type ${field.type}`) && this.#claim(`${key} of ${parent.name}`, claim)) return key;
    }
    const wanted = this.#dice.chance(0.75) ? field.name : this.#dice.pick(ALIASES);
    let key = wanted;
    for (let count = 2; !this.#claim(key, claim); count++) key = `${wanted}${count}`;
    this.#keyOf.set(claim, key);
    return key;
  }

  #claim(key: string, claim: string): boolean {
    const owner = this.#claims.get(key);
    if (owner === undefined) this.#claims.set(key, claim);
    return owner === undefined || owner === claim;
  }
}
