/**
 * The `octokit` package brings plugins for throttling and retries. Add squadRate last, so that it is outermost, and switch
 * off what would only slow it down.
 *
 * GitHub is simulated.
 */
import assert from "node:assert/strict";
import { Octokit } from "octokit";
import { squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });
for (let number = 1; number <= 120; number++) {
  github.world.addIssue({ owner: "mona", repo: "hello", title: `Question ${number}` });
}

const octokit = new (Octokit.plugin(squadRate))({
  auth: "ghp_example",
  request: { fetch: github.fetch },
  squad: { agent: "triager" },
  // Writes then go out as fast as you make them: keep a second between them yourself.
  throttle: { enabled: false },
});

// octokit.rest, octokit.paginate and octokit.graphql work as ever.
for (const round of [1, 2]) {
  const before = github.usage("ghp_example").used;
  const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
    owner: "mona",
    repo: "hello",
    per_page: 50,
  });
  const units = github.usage("ghp_example").used - before;
  console.log(`round ${round}: ${issues.length} issues for ${units} units`);
  assert.equal(issues.length, 120);
  assert.equal(units, round === 1 ? 3 : 0);
}
await octokit.squad.close();
