// Reads and asks until the time is over, as a program does that knows nothing of this package but its base URL.
import { setTimeout as sleep } from "node:timers/promises";
import { Octokit } from "@octokit/core";

const { GITHUB_API_URL, GH_TOKEN, UNTIL, PULL } = process.env;
const octokit = new Octokit({ auth: GH_TOKEN, baseUrl: GITHUB_API_URL });
const where = { owner: "acme", repo: "app-1" };
do {
  await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { ...where, pull_number: Number(PULL) });
  await octokit.graphql(
    "query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { issues(first: 20) { nodes { title } } } }",
    where,
  );
  await sleep(3_000);
} while (Date.now() < Number(UNTIL) * 1_000);
