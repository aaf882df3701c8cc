/** What a random query asks for by name, so that most of it is found: see `../random-query-world.ts`. */
import { nodeId } from "../../../src/sim/github/rest/render-values.js";

/** The organization that owns the repositories. */
export const OWNER = "octo-org";
/** They write everything. The first is the one whose token should be used. */
export const MEMBERS = ["mona", "hubot"] as const;
/** Made by `populateWorld`. */
export const REPOSITORIES = ["app-1", "app-2", "app-3"] as const;
/** In each repository. Issues come first, so that pull requests have the numbers after them. */
export const ISSUES = 12;
export const PULL_REQUESTS = 8;

const numbered = (type: string, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => nodeId(type, from + index));

/** Node ids: the simulator counts each kind from 1001. The last three lead nowhere. */
export const NODE_IDS: readonly string[] = [
  ...numbered("User", 1001, 2),
  ...numbered("Organization", 1003, 1),
  ...numbered("Repository", 1001, REPOSITORIES.length),
  ...numbered("Issue", 1001, 4),
  ...numbered("PullRequest", 1001 + ISSUES, 4),
  ...numbered("IssueComment", 1001, 2),
  ...numbered("Label", 1001, 2),
  ...numbered("CheckRun", 1001, 3),
  ...numbered("Issue", 987_654, 1),
  "I_nothing",
  "",
];
