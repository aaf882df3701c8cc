import type { GraphQLArgument } from "graphql";
import type { Dice } from "./dice.js";
import type { Value } from "./values.js";

/** A variable that operations may declare. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  /** Tokens of its default. */
  readonly fallback: readonly string[] | undefined;
  /** What the caller gives for it; undefined when the caller leaves it out. */
  readonly given: unknown;
}

/** The variables of a document: the same everywhere, whichever operations use them. */
export class Variables {
  readonly #dice: Dice;
  readonly #all = new Map<string, Variable>();
  readonly #purposes = new Map<string, string[]>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get(name: string): Variable {
    return this.#all.get(name) as Variable;
  }

  /** The name of a variable that may stand for `argument`: one that is there already, or a new one of that value. */
  forArgument({ name, type }: Pick<GraphQLArgument, "name" | "type">, value: () => Value): string {
    const purpose = `${name}: ${type}`;
    const known = this.#purposes.get(purpose) ?? [];
    if (known.length > 0 && this.#dice.chance(0.4)) return this.#dice.pick(known);
    const variable = this.#make(`${this.#dice.pick([name, "v", "rateLimit"])}${this.#all.size}`, String(type), value);
    this.#all.set(variable.name, variable);
    this.#purposes.set(purpose, [...known, variable.name]);
    return variable.name;
  }

  #make(name: string, type: string, value: () => Value): Variable {
    const dice = this.#dice;
    const { json } = value();
    const required = type.endsWith("!");
    const hasDefault = dice.chance(required ? 0.2 : 0.4);
    if (!hasDefault) {
      // Seldom left out or null, which is all the same to GitHub, though not to whoever counts.
      const given = required || dice.chance(0.9) ? json : dice.pick([undefined, null]);
      return { name, type, fallback: undefined, given };
    }
    // A default lets a nullable variable stand where null may not; null itself is then an error of the field.
    const given = dice.chance(0.5) ? undefined : dice.chance(0.04) ? null : json;
    return { name, type: required ? type.slice(0, -1) : type, fallback: value().tokens, given };
  }
}
