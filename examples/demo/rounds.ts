import type { Octokit } from "@octokit/core";

/** One round of an agent's work, as anybody would write it: nothing in it knows about quota. */
export type Round = (octokit: Octokit) => Promise<"finished" | undefined>;

/** Where the agents work. */
export interface Workplace {
  readonly owner: string;
  readonly repo: string;
  /** `false`: they read only. */
  readonly mayWrite: boolean;
  /** Commits that the indexer reads in all, and how many at once. */
  readonly commitsToIndex: number;
  readonly indexAtOnce: number;
}

/** Pull requests that the agents look at, the newest. */
const PULLS = 6;

interface Pull {
  readonly number: number;
  readonly labels: readonly { readonly name: string }[];
  readonly head: { readonly sha: string };
}

async function openPulls(octokit: Octokit, { owner, repo }: Workplace): Promise<readonly Pull[]> {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls", { owner, repo, per_page: 10 });
  return data.slice(0, PULLS);
}

async function checkRuns(octokit: Octokit, { owner, repo }: Workplace, { head }: Pull) {
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const { data } = await octokit.request(route, { owner, repo, ref: head.sha });
  return data.check_runs;
}

/** Labels what is ready to be merged. */
export function mergeQueue(at: Workplace): Round {
  return async (octokit) => {
    const pulls = await openPulls(octokit, at);
    await Promise.all(
      pulls.map(async (pull) => {
        const runs = await checkRuns(octokit, at, pull);
        const ready = runs.length > 0 && runs.every(({ conclusion }) => conclusion === "success");
        if (ready && pull.labels.every(({ name }) => name !== "ready")) await label(octokit, at, pull.number, "ready");
      }),
    );
    return undefined;
  };
}

/** Says so when a check has failed. */
export function ciDoctor(at: Workplace): Round {
  const told = new Set<number | bigint>();
  return async (octokit) => {
    const pulls = await openPulls(octokit, at);
    await Promise.all(
      pulls.map(async (pull) => {
        for (const { id, name, conclusion } of await checkRuns(octokit, at, pull)) {
          if (conclusion !== "failure" || told.has(id)) continue;
          await comment(octokit, at, pull.number, `\`${name}\` failed; looking into it.`);
          told.add(id);
        }
      }),
    );
    return undefined;
  };
}

/** Reviews what has been pushed. */
export function reviewer(at: Workplace): Round {
  const { owner, repo } = at;
  const reviewed = new Set<string>();
  return async (octokit) => {
    const pulls = await openPulls(octokit, at);
    await Promise.all(
      pulls.map(async ({ number, head }) => {
        const on = { owner, repo, pull_number: number };
        await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", on);
        if (!at.mayWrite || reviewed.has(head.sha)) return;
        const route = "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews";
        await octokit.request(route, { ...on, event: "COMMENT", body: `Read up to ${head.sha.slice(0, 7)}.` });
        reviewed.add(head.sha);
      }),
    );
    return undefined;
  };
}

/** Answers review comments. */
export function answerer(at: Workplace): Round {
  const { owner, repo } = at;
  const answered = new Set<number | bigint>();
  return async (octokit) => {
    const pulls = await openPulls(octokit, at);
    await Promise.all(
      pulls.map(async ({ number }) => {
        const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
        const { data } = await octokit.request(route, { owner, repo, pull_number: number });
        for (const { id, path } of data) {
          if (answered.has(id)) continue;
          await comment(octokit, at, number, `Thank you; changed in \`${path}\`.`);
          answered.add(id);
        }
      }),
    );
    return undefined;
  };
}

/** Labels new issues. */
export function triager(at: Workplace): Round {
  return async (octokit) => {
    for (const { number, labels } of await openIssues(octokit, at))
      if (labels.length === 0) await label(octokit, at, number, "question");
    return undefined;
  };
}

/** Shows what everybody else looks at. */
export function dashboard(at: Workplace): Round {
  return async (octokit) => {
    const [pulls] = await Promise.all([openPulls(octokit, at), openIssues(octokit, at)]);
    await Promise.all(pulls.map((pull) => checkRuns(octokit, at, pull)));
    return undefined;
  };
}

/** Reads the history once, a commit at a time: nothing of it can be free. */
export function indexer(at: Workplace): Round {
  const { owner, repo, commitsToIndex, indexAtOnce } = at;
  const unread: string[] = [];
  let listed = 0;
  return async (octokit) => {
    if (unread.length === 0) {
      if (listed >= commitsToIndex) return "finished";
      const page = listed / 100 + 1;
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/commits", { owner, repo, per_page: 100, page });
      unread.push(...data.slice(0, commitsToIndex - listed).map(({ sha }) => sha));
      listed = data.length < 100 ? Number.POSITIVE_INFINITY : listed + 100;
    }
    const next = unread.slice(0, indexAtOnce);
    const route = "GET /repos/{owner}/{repo}/commits/{ref}";
    await Promise.all(next.map((ref) => octokit.request(route, { owner, repo, ref })));
    unread.splice(0, next.length);
    return undefined;
  };
}

async function openIssues(octokit: Octokit, { owner, repo }: Workplace) {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/issues", { owner, repo, per_page: 50 });
  return data.filter(({ pull_request }) => pull_request === undefined);
}

async function comment(octokit: Octokit, at: Workplace, number: number, body: string): Promise<void> {
  if (!at.mayWrite) return;
  const { owner, repo } = at;
  const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
  await octokit.request(route, { owner, repo, issue_number: number, body });
}

async function label(octokit: Octokit, at: Workplace, number: number, name: string): Promise<void> {
  if (!at.mayWrite) return;
  const { owner, repo } = at;
  const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/labels";
  await octokit.request(route, { owner, repo, issue_number: number, labels: [name] });
}
