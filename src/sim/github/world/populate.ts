import { createRandom } from "../random.js";
import type { SimulatedWorld } from "./world.js";

/** How much to put into a world. */
export interface PopulateOptions {
  /** An organization to add; it must not be there yet. Default `acme`. */
  readonly owner?: string;
  /** Logins that may write to the repositories, and author what is in them. Default `["mona"]`. */
  readonly members?: readonly string[];
  /** Default 1. They are called `app-1`, `app-2`, … */
  readonly repositories?: number;
  /** Open issues in each. Default 30. */
  readonly issues?: number;
  /** Open pull requests in each, with checks, reviews and comments. Default 25. */
  readonly pullRequests?: number;
  /** Default 1. */
  readonly seed?: number;
}

const SUBJECTS = ["login", "search", "billing", "exports", "cache", "webhooks", "settings", "onboarding"];
const FAULTS = ["times out", "loses its place", "shows the wrong total", "ignores the filter", "fails on empty input"];
const LABELS = ["bug", "enhancement", "documentation", "help wanted"];

/** Fills a world with plausible repositories, for demonstrations and load; the same options give the same world. */
export function populateWorld(
  world: SimulatedWorld,
  options: PopulateOptions = {},
): { readonly repositories: readonly string[] } {
  const owner = options.owner ?? "acme";
  const members = options.members ?? ["mona"];
  const random = createRandom(options.seed ?? 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  world.addOrganization(owner);
  const names = Array.from({ length: options.repositories ?? 1 }, (_, index) => `app-${index + 1}`);
  for (const repo of names) {
    const on = { owner, repo };
    const subject = () => ({
      title: `${pick(SUBJECTS)} ${pick(FAULTS)}`,
      body: `Seen ${Math.ceil(random() * 9)} times this week.\n\n${"Steps, logs and context. ".repeat(12)}`,
    });
    world.addRepository({ owner, name: repo, visibleTo: members, description: `Everything about ${pick(SUBJECTS)}` });
    for (let count = 0; count < (options.issues ?? 30); count++)
      world.addIssue({ ...on, ...subject(), user: pick(members), labels: [pick(LABELS)] });
    for (let count = 0; count < (options.pullRequests ?? 25); count++) {
      const { number, headSha } = world.addPullRequest({
        ...on,
        ...subject(),
        user: pick(members),
        labels: [pick(LABELS)],
      });
      for (const name of ["build", "lint", "test"])
        world.addCheckRun({ ...on, ref: headSha, name, conclusion: random() < 0.85 ? "success" : "failure" });
      if (random() < 0.6)
        world.addReview({
          ...on,
          number,
          state: random() < 0.7 ? "APPROVED" : "CHANGES_REQUESTED",
          user: pick(members),
        });
      if (random() < 0.5)
        world.addReviewComment({ ...on, number, body: "Could this be shorter?", user: pick(members) });
      if (random() < 0.5) world.addComment({ ...on, number, body: "Ready for another look.", user: pick(members) });
    }
  }
  return { repositories: names };
}
