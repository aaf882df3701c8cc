/** One commit of a list, with `word` in its message; about 430 bytes, far fewer than GitHub sends. */
function commit(index: number, word: string): object {
  const sha = (index + 1).toString(16).padStart(40, "c0ffee");
  return {
    sha,
    html_url: `https://github.com/octocat/hello-world/commit/${sha}`,
    author: { login: "octocat", id: 583231 + index, type: "User", site_admin: false },
    commit: { message: `Answer the ${word} of part ${index}\n\n"Done", as asked.`, comment_count: 0 },
    parents: [{ sha: index.toString(16).padStart(40, "decade") }],
  };
}

/** The least that a list can have. */
export const TINY_BODY: string = JSON.stringify([{ sha: "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00", n: 42 }]);

/** A list of commits in JSON, of `bytes` UTF-8 bytes or a few more. `word` stands in each message. */
export function listBody(bytes: number, word = "review"): string {
  const commits: object[] = [];
  while (Buffer.byteLength(JSON.stringify(commits)) < bytes) commits.push(commit(commits.length, word));
  return JSON.stringify(commits);
}
