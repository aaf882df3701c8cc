import { type GraphQLArgument, type GraphQLField, isNonNullType } from "graphql";
import type { Draft, Uses } from "./draft.js";
import { randomValue } from "./values.js";

/** Arguments as written, and as text in an order that is always the same. */
export interface WrittenArguments {
  readonly tokens: readonly string[];
  readonly text: string;
}

export function writeArguments(draft: Draft, field: GraphQLField<unknown, unknown>, uses: Uses): WrittenArguments {
  const { dice } = draft;
  const written = chooseArguments(draft, field).map((argument) => {
    const value = () => randomValue(dice, argument, field.name);
    if (!dice.chance(0.35)) return [argument.name, ":", ...value().tokens];
    const name = draft.variables.forArgument(argument, value);
    uses.variables.add(name);
    return [argument.name, ":", "$", name];
  });
  if (written.length === 0) return { tokens: [], text: "" };
  const text = written.map((one) => one.join(" ")).join(" ");
  if (dice.chance(0.3)) written.reverse();
  return { tokens: ["(", ...written.flat(), ")"], text };
}

function chooseArguments({ dice }: Draft, { args }: GraphQLField<unknown, unknown>): GraphQLArgument[] {
  const size = dice.weighted({ first: 12, last: 5, none: 1.5, both: 0.3 });
  return args.filter(({ name, type }) =>
    name === "first" || name === "last"
      ? size === name || size === "both"
      : isNonNullType(type) || dice.chance(name === "expression" ? 0.7 : 0.12),
  );
}
