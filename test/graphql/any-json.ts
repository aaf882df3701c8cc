import fc from "fast-check";

/** JSON as it is written: a literal, an array, or an object whose keys are literals. */
export type JsonTree = string | { readonly elements: readonly JsonTree[] } | JsonObject;
export interface JsonObject {
  readonly members: readonly JsonEntry[];
}
export type JsonEntry = readonly [key: string, value: JsonTree];

/** How a writer of JSON sets white space. */
export interface JsonStyle {
  readonly newline: string;
  readonly indent: string;
  readonly colon: string;
  /** Before and after a comma. A line ends after it, or before it where it leads the next one. */
  readonly comma: readonly [string, string];
  readonly leads: boolean;
}

export const COMPACT: JsonStyle = { newline: "", indent: "", colon: ":", comma: ["", ""], leads: false };
export const PRETTY: JsonStyle = { newline: "\n", indent: "  ", colon: ": ", comma: ["", ""], leads: false };

/** Writes a tree in a style; what is empty has no space in it, as writers do. */
export function written(tree: JsonTree, style: JsonStyle, depth = 0): string {
  if (typeof tree === "string") return tree;
  const [open, close] = "members" in tree ? "{}" : "[]";
  const items =
    "members" in tree
      ? tree.members.map(([key, value]) => key + style.colon + written(value, style, depth + 1))
      : tree.elements.map((value) => written(value, style, depth + 1));
  if (items.length === 0) return `${open}${close}`;
  const pad = (level: number): string => style.newline + style.indent.repeat(level);
  const [before, after] = style.comma;
  const comma = style.leads ? `${pad(depth + 1)}${before},${after}` : `${before},${after}${pad(depth + 1)}`;
  return open + pad(depth + 1) + items.join(comma) + pad(depth) + close;
}

/** The tree of a value, as `JSON.stringify` writes it. */
export function treeOf(value: unknown): JsonTree {
  if (Array.isArray(value)) return { elements: value.map(treeOf) };
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return { members: Object.entries(value).map(([key, one]) => [JSON.stringify(key), treeOf(one)]) };
}

/** Any style that some writer of JSON may have. */
export const anyStyle: fc.Arbitrary<JsonStyle> = fc.oneof(
  fc.constantFrom(COMPACT, PRETTY),
  fc.record({
    newline: fc.constantFrom("", "\n", "\r\n", "\n\n"),
    indent: fc.constantFrom("", " ", "\t"),
    colon: fc.constantFrom(":", ": ", " : ", "\t:\n"),
    comma: fc.tuple(fc.constantFrom("", " "), fc.constantFrom("", " ")),
    leads: fc.boolean(),
  }),
);

/**
 * Any JSON, with `words` in its strings and as its keys now and then: numbers that JavaScript cannot hold, escapes of all
 * kinds, half characters, and texts that look like JSON.
 */
export function anyTree(words: readonly string[]): fc.Arbitrary<JsonTree> {
  const literal = anyLiteral(words);
  const { tree } = fc.letrec<{ tree: JsonTree; nested: JsonTree }>((tie) => ({
    tree: fc.oneof({ depthSize: "small", withCrossShrink: true }, literal, tie("nested")),
    nested: fc.oneof(
      fc.array(tie("tree"), { maxLength: 4 }).map((elements) => ({ elements })),
      fc.array(fc.tuple(anyString(words), tie("tree")), { maxLength: 4 }).map((members) => ({ members })),
    ),
  }));
  return tree;
}

/** A string as it is written, with some characters escaped that need not be. */
export function anyString(words: readonly string[]): fc.Arbitrary<string> {
  const word = fc.constantFrom(...words);
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom('"', "\\", '\\"', "\\\\", '":{', "},{", "]", "\n", "🚀", "\ud800", "\u2028"),
    word,
    word.map((one) => `"${one}":{"cost":1}`),
  );
  const plain = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const escaped = (text: string): string =>
    [...JSON.stringify(text)]
      .map((one) => (/[^"\\\p{ASCII}]/u.test(one) && one.length === 1 ? `\\u${hex(one)}` : one))
      .join("");
  return fc.oneof(word.map(quoted), plain.map(quoted), plain.map(escaped));
}

function anyLiteral(words: readonly string[]): fc.Arbitrary<string> {
  const numbers = ["0", "-0", "1.0", "1e5", "12345678901234567890", "0.1234567890123456789", "-1E-7", "1e999"];
  return fc.oneof(fc.constantFrom("null", "true", "false", ...numbers), fc.nat().map(String), anyString(words));
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
