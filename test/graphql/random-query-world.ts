import { populateWorld, type SimulatedWorld } from "../../src/sim/index.js";
import { ISSUES, MEMBERS, OWNER, PULL_REQUESTS, REPOSITORIES } from "./random-query/names.js";

/**
 * Fills an empty world with what random queries ask for: three repositories of `octo-org` with issues, pull requests,
 * checks, reviews, comments, stars, a release and a status, written by `mona` and `hubot`. `token` becomes one of mona's.
 */
export function fillWorldForRandomQueries(world: SimulatedWorld, token: string): void {
  for (const login of MEMBERS) world.addUser({ login, name: login.toUpperCase(), bio: 'Writes "{braces}" 😀\n' });
  world.addToken(token, MEMBERS[0]);
  populateWorld(world, {
    owner: OWNER,
    members: MEMBERS,
    repositories: REPOSITORIES.length,
    issues: ISSUES,
    pullRequests: PULL_REQUESTS,
  });
  const on = { owner: OWNER, repo: REPOSITORIES[0] };
  world.star(MEMBERS[0], OWNER, REPOSITORIES[0]);
  world.star(MEMBERS[1], OWNER, REPOSITORIES[0]);
  world.addRelease({ ...on, tagName: "v1.0.0", name: "One", body: "First" });
  world.addComment({ ...on, number: 1, body: "Same here.", user: MEMBERS[1] });
  world.mergePullRequest({ ...on, number: ISSUES + 1 }, MEMBERS[0]);
  const { headSha } = world.addPullRequest({ ...on, title: "With a status", user: MEMBERS[1] });
  world.addStatus({ ...on, sha: headSha, state: "pending", context: "ci/legacy" });
}
