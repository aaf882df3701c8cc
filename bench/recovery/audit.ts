import type { SimulatedGitHub } from "../../src/sim/github/surface.js";
import { AUDITOR_TOKEN, INBOX_ISSUES } from "./furnish.js";

/** How many comments are there again. Every write has words of its own, so words found twice were written twice. */
export async function countDuplicatedWrites(github: SimulatedGitHub): Promise<number> {
  const found = new Set<string>();
  let comments = 0;
  for (let issue = 1; issue <= INBOX_ISSUES; issue++) {
    for await (const body of bodiesOf(github, issue)) {
      found.add(body);
      comments += 1;
    }
  }
  return comments - found.size;
}

async function* bodiesOf(github: SimulatedGitHub, issue: number): AsyncGenerator<string> {
  const headers = { authorization: `token ${AUDITOR_TOKEN}` };
  for (let page = 1, size = 100; size === 100; page++) {
    const query = `per_page=100&page=${page}`;
    const url = `https://api.github.com/repos/acme/inbox/issues/${issue}/comments?${query}`;
    const response = await github.fetch(url, { headers });
    if (!response.ok) throw new Error(`The audit of comments was answered ${response.status}.`);
    const comments = (await response.json()) as readonly { readonly body: string }[];
    size = comments.length;
    for (const { body } of comments) yield body;
  }
}
