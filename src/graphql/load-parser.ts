/** The part of `graphql` that reads text. */
export type GraphqlParser = typeof import("graphql/language/parser.js");

const PARSER = "graphql/language/parser.js";

/**
 * The parser, without a turn of the event loop; undefined where no module can be loaded without waiting, or everything was
 * bundled into one file.
 */
export function parserAtOnce(): GraphqlParser | undefined {
  try {
    const require = globalThis.process?.getBuiltinModule?.("node:module")?.createRequire(import.meta.url);
    return require?.(PARSER) as GraphqlParser | undefined;
  } catch {
    return undefined;
  }
}

/** The parser, wherever it can be loaded at all; what is loaded is no more of `graphql` than this. */
export function loadParser(): Promise<GraphqlParser> {
  // With the extension: `graphql` has no `exports`, and this is the file that `import "graphql"` uses as well.
  return import("graphql/language/parser.js");
}
