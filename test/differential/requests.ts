/** A read that the model makes. */
export interface ReadRequest {
  readonly method: "GET" | "HEAD";
  readonly path: string;
  readonly accept?: string;
}

const RAW = "application/vnd.github.raw+json";
const STARS = "application/vnd.github.star+json";

const get = (path: string, accept?: string): ReadRequest => ({
  method: "GET",
  path,
  ...(accept === undefined ? {} : { accept }),
});

/** Lists with pages, items, answers that differ by user, what only some may see, what has no ETag, moved and missing things. */
export const READS: readonly ReadRequest[] = [
  ...[1, 2, 3].flatMap((page) => [
    get(`/repos/mona/hello/issues?per_page=3&state=all&direction=asc&page=${page}`),
    get(`/repos/mona/hello/issues?per_page=3&page=${page}`),
    get(`/repos/mona/hello/issues/1/comments?per_page=2&page=${page}`),
    get(`/repos/mona/old/issues?per_page=2&direction=asc&page=${page}`),
  ]),
  get("/repos/mona/hello/issues?state=all&direction=asc&per_page=3"),
  get("/repos/mona/new/issues?per_page=2&direction=asc&page=1"),
  get("/repos/mona/hello"),
  get("/repos/Mona/HELLO"),
  get("/repos/mona/hola"),
  get("/repos/mona/old"),
  get("/repos/mona/new"),
  get("/repos/mona/secret"),
  get("/repos/mona/secret/issues?per_page=2"),
  get("/repos/mona/missing"),
  get("/repos/mona/hello/issues/1"),
  get("/repos/mona/hello/issues/2"),
  get("/repos/mona/hello/labels?per_page=5"),
  get("/repos/mona/hello/stargazers?per_page=2"),
  get("/repos/mona/hello/stargazers?per_page=2", STARS),
  get("/repos/mona/hello/events?per_page=3"),
  get("/repos/mona/hello/commits?per_page=2"),
  get("/repos/mona/hello/commits/main/check-runs?per_page=2"),
  get("/repos/mona/hello/contents/README.md"),
  get("/repos/mona/hello/contents/README.md", RAW),
  get("/repos/mona/hello/contents/data.bin", RAW),
  get("/user"),
  get("/user/repos?per_page=2"),
  get("/user/starred"),
  get("/user/starred/mona/hello"),
  get("/users/mona/repos?per_page=1"),
  get("/search/issues?q=repo%3Amona/hello+is%3Aopen&per_page=3"),
  get("/search/repositories?q=user%3Amona"),
  { method: "HEAD", path: "/repos/mona/hello" },
];

/** A write that the model makes through a squad; `serial` makes each one different. */
export interface WriteRequest {
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: (serial: number) => Readonly<Record<string, unknown>>;
}

const issue = (serial: number): Record<string, unknown> => ({ title: `Issue ${serial}` });

export const WRITES: readonly WriteRequest[] = [
  { method: "POST", path: "/repos/mona/hello/issues", body: issue },
  { method: "POST", path: "/repos/mona/secret/issues", body: issue },
  { method: "POST", path: "/repos/mona/old/issues", body: issue },
  { method: "POST", path: "/repos/mona/new/issues", body: issue },
  { method: "POST", path: "/repos/mona/hello/issues/1/comments", body: (n) => ({ body: `Comment ${n}` }) },
  { method: "PATCH", path: "/repos/mona/hello/issues/1", body: (n) => ({ title: `Title ${n}` }) },
  { method: "PATCH", path: "/repos/mona/hello/issues/1", body: () => ({ state: "closed" }) },
  { method: "PATCH", path: "/repos/mona/hello/issues/1", body: () => ({ state: "open" }) },
  { method: "PATCH", path: "/repos/mona/hello/issues/7", body: () => ({ state: "closed" }) },
  { method: "PATCH", path: "/repos/mona/hello", body: (n) => ({ description: `Description ${n}` }) },
  { method: "PATCH", path: "/repos/mona/hello", body: () => ({ name: "hola" }) },
  { method: "PATCH", path: "/repos/mona/hola", body: () => ({ name: "hello" }) },
  { method: "PATCH", path: "/repos/mona/secret", body: (n) => ({ private: n % 2 === 0 }) },
  { method: "POST", path: "/repos/mona/hello/labels", body: (n) => ({ name: `label-${n}`, color: "ededed" }) },
  { method: "DELETE", path: "/repos/mona/hello/labels/wontfix" },
  { method: "PUT", path: "/user/starred/mona/hello" },
  { method: "DELETE", path: "/user/starred/mona/hello" },
  { method: "PATCH", path: "/user", body: (n) => ({ bio: `Bio ${n}` }) },
];
