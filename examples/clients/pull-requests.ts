/**
 * Lists the open pull requests of a repository and, if an issue is named, leaves a comment on it, with an Octokit that knows
 * nothing of this package.
 *
 *     squad-rate exec --agent reviewer -- npx tsx pull-requests.ts acme/app 12
 */
import { Octokit } from "@octokit/rest";

const [owner = "", repo = ""] = process.argv[2]?.split("/") ?? [];
const issue = process.argv[3];
const octokit = new Octokit({
  auth: process.env.GH_TOKEN ?? process.env.GITHUB_TOKEN,
  baseUrl: process.env.GITHUB_API_URL ?? "https://api.github.com",
});

try {
  // Links lead from page to page through the proxy, and GraphQL is asked there too.
  const pulls = await octokit.paginate(octokit.rest.pulls.list, { owner, repo, sort: "created", per_page: 5 });
  for (const { number, title, user } of pulls) console.log(`#${number} ${title} (${user?.login})`);
  if (issue !== undefined) {
    const { data } = await octokit.rest.issues.createComment({
      owner,
      repo,
      issue_number: Number(issue),
      body: "Seen.",
    });
    // With a name, so that the trace can tell who asked for what.
    const { viewer } = await octokit.graphql<{ readonly viewer: { readonly login: string } }>(
      "query Viewer { viewer { login } }",
    );
    console.log(`${viewer.login} on #${issue}: ${data.body}`);
  }
} catch (error) {
  const { status, response, message } = error as {
    readonly status?: number;
    readonly response?: { readonly headers: Readonly<Record<string, string>> };
    readonly message: string;
  };
  // Refused by GitHub or by the squad, which says when to come back.
  console.error(status === 429 ? `come back in ${response?.headers["retry-after"]} s: ${message}` : message);
  process.exitCode = 1;
}
