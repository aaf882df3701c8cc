import { createRequire } from "node:module";

/** Loads what is loaded on first use otherwise: no virtual time waits for a disk. */
export async function loadAhead(): Promise<void> {
  createRequire(import.meta.url)("graphql");
  await Promise.all([
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-throttling"),
    import("graphql/language/parser.js"),
    import("../../src/store/open-target.js"),
  ]);
}
