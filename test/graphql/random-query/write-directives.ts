import { GraphQLBoolean, GraphQLNonNull } from "graphql";
import type { Draft, Uses } from "./draft.js";

const CONDITION = { name: "if", type: new GraphQLNonNull(GraphQLBoolean) };

/** Mostly nothing; now and then `@skip`, `@include`, or both. */
export function writeDirectives(draft: Draft, uses: Uses): string[] {
  return ["@skip", "@include"].flatMap((directive) => {
    if (!draft.dice.chance(0.06)) return [];
    const value = () => {
      const json = draft.dice.chance(directive === "@skip" ? 0.3 : 0.7);
      return { tokens: [String(json)], json };
    };
    if (draft.dice.chance(0.3)) return ["@", directive.slice(1), "(", "if", ":", ...value().tokens, ")"];
    const name = draft.variables.forArgument(CONDITION, value);
    uses.variables.add(name);
    return ["@", directive.slice(1), "(", "if", ":", "$", name, ")"];
  });
}
