import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { createMemoryStore } from "../../harness/memory-store.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";
import type { StubRequest } from "../../harness/stub-github.js";

const whoAsks = ({ headers }: StubRequest): { json: unknown } => ({ json: { login: headers.get("authorization") } });

describe("one credential", () => {
  it("asks with the tag it was given, and gets the kept body for a free 304", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: { login: "octocat" } });
    const alice = octokit("alice");
    const first = await alice.request("GET /user");
    const second = await alice.request("GET /user");
    expect([outcomeOf(first), outcomeOf(second)]).toEqual(["miss", "revalidated"]);
    expect([second.status, second.data, second.url]).toEqual([200, first.data, "https://api.github.com/user"]);
    expect(github.statuses()).toEqual([200, 304]);
    expect(github.requests[1]?.headers.get("if-none-match")).toBe(first.headers.etag);
    expect(github.quota("token alice").used).toBe(1);
  });

  it("sends back a weak tag as it came, and takes the strong one of the 304", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {}, etag: "weak" });
    const alice = octokit("alice");
    await alice.request("GET /user");
    const second = await alice.request("GET /user");
    expect(github.requests[1]?.headers.get("if-none-match")).toMatch(/^W\/"/);
    expect(outcomeOf(second)).toBe("revalidated");
    expect(outcomeOf(await alice.request("GET /user"))).toBe("revalidated");
  });

  it("gets a changed body as it is, and asks about that one from then on", async () => {
    const { octokit, github } = setUpBench();
    const alice = octokit("alice");
    const bodies = ["a", "b", "b"];
    github.route("/user", () => ({ json: bodies.shift() }));
    const seen = [];
    for (let round = 0; round < 3; round++) seen.push(await alice.request("GET /user"));
    expect(seen.map(outcomeOf)).toEqual(["miss", "changed", "revalidated"]);
    expect(seen.map(({ data }) => data)).toEqual(["a", "b", "b"]);
  });

  it("is asked for anew after cache.clear()", async () => {
    const { octokit, github, squad } = setUpBench({ store: createMemoryStore() });
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    await squad.cache.clear();
    expect(squad.status().cache).toMatchObject({ entries: 0, bytes: 0 });
    expect(outcomeOf(await alice.request("GET /user"))).toBe("miss");
  });
});

describe("several credentials", () => {
  it.each([2, 4])("that see %i different bodies at one address do not drive each other out", async (users) => {
    const { octokit, github } = setUpBench();
    github.route("/user", whoAsks);
    const all = Array.from({ length: users }, (_, index) => octokit(`user${index}`));
    for (let round = 0; round < 3; round++) {
      for (const [index, user] of all.entries()) {
        const answer = await user.request("GET /user");
        expect(answer.data).toEqual({ login: `token user${index}` });
        if (round > 0) expect(outcomeOf(answer)).toBe("revalidated");
      }
    }
  });

  it("that see more than four bodies each get their own, at its price", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", whoAsks);
    const all = Array.from({ length: 6 }, (_, index) => octokit(`user${index}`));
    for (let round = 0; round < 2; round++) {
      for (const [index, user] of all.entries()) {
        expect((await user.request("GET /user")).data).toEqual({ login: `token user${index}` });
      }
    }
  });

  it("share one body by the tag that GitHub would have given each: the first question of each is free", async () => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/r", { json: { id: 1 } });
    await octokit("token0").request("GET /repos/{owner}/{repo}", { owner: "o", repo: "r" });
    for (let index = 1; index < 64; index++) {
      const answer = await octokit(`token${index}`).request("GET /repos/{owner}/{repo}", { owner: "o", repo: "r" });
      expect(outcomeOf(answer)).toBe("revalidated");
      expect(github.quota(`token token${index}`).used).toBe(0);
    }
    expect(github.statuses().filter((status) => status === 200)).toHaveLength(1);
    expect(outcomeOf(await octokit("token0").request("GET /repos/o/r"))).toBe("revalidated");
  });

  it("are told the truth when GitHub would send another credential something else", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", whoAsks);
    await octokit("alice").request("GET /user");
    const bob = await octokit("bob").request("GET /user");
    expect([outcomeOf(bob), bob.data]).toEqual(["changed", { login: "token bob" }]);
  });

  it("without a credential share with those that have one, and pay for the 304", async () => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/r", { json: { id: 1 } });
    await octokit("alice").request("GET /repos/o/r");
    const nobody = await octokit().request("GET /repos/o/r");
    expect(outcomeOf(nobody)).toBe("revalidated");
    expect(github.quota(undefined).used).toBe(1);
  });

  it("do not see through a 403 or a 404 to what another may read", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000, maxStaleMs: 60_000 } });
    github.route("/repos/o/secret", ({ headers }) =>
      headers.get("authorization") === "token owner" ? { json: { secret: true } } : { status: 404, json: {} },
    );
    await octokit("owner").request("GET /repos/o/secret");
    await expect(octokit("stranger").request("GET /repos/o/secret")).rejects.toMatchObject({ status: 404 });
  });

  it("are one for the same cookie and one-time password only", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", ({ headers }) => ({ json: headers.get("x-github-otp") }));
    const alice = octokit("alice");
    const ask = (otp: string) => alice.request("GET /user", { headers: { "x-github-otp": otp } });
    expect([(await ask("1")).data, (await ask("2")).data, (await ask("1")).data]).toEqual(["1", "2", "1"]);
    expect(github.requests).toHaveLength(2);
  });
});

describe("a tag that does not follow GitHub's formula", () => {
  const opaque = { json: { id: 1 }, etag: '"opaque"' };

  it("serves the credential that got it by 304", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", opaque);
    const alice = octokit("alice");
    await alice.request("GET /user");
    expect(outcomeOf(await alice.request("GET /user"))).toBe("revalidated");
  });

  it("is never sent for another credential", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", opaque);
    await octokit("alice").request("GET /user");
    expect(outcomeOf(await octokit("bob").request("GET /user"))).toBe("miss");
    expect(github.requests[1]?.headers.has("if-none-match")).toBe(false);
  });

  it("does not reach the store", async () => {
    const store = createMemoryStore();
    const { octokit, github, squad } = setUpBench({ store });
    github.route("/user", opaque);
    await octokit("alice").request("GET /user");
    await squad.close();
    expect(store.values.size).toBe(0);
  });
});
