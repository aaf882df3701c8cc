import type { Bench } from "./octokit-in-squad.js";

/** Lets GitHub tell the squad that `token` has `remaining` of `limit` units left, by one request that is not counted. */
export async function spendDown(bench: Bench, token: string, remaining: number, limit: number): Promise<void> {
  const { github, squad } = bench;
  const authorization = `token ${token}`;
  const quota = github.quota(authorization);
  quota.limit = limit;
  quota.used = limit - remaining - 1;
  github.once({ json: {}, etag: "none" });
  await squad.fetch("https://api.github.com/meta", {
    headers: { authorization },
    squad: { priority: 0, emergency: true },
  });
  github.requests.length = 0;
}
