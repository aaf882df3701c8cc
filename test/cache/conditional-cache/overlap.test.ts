import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";
import type { StubAnswer } from "../../harness/stub-github.js";

/** An answer that comes when it is told to. */
function later(answer: StubAnswer): { give: () => void; route: () => Promise<StubAnswer> } {
  let give: () => void = () => undefined;
  const arrived = new Promise<StubAnswer>((resolve) => {
    give = () => resolve(answer);
  });
  return { give: () => give(), route: () => arrived };
}

describe("a 304", () => {
  it("for another tag proves nothing: the request is sent again without one", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: "a" });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.once({ status: 304, body: null, etag: '"another"' });
    github.route("/user", { json: "b" });
    const answer = await alice.request("GET /user");
    expect([outcomeOf(answer), answer.data]).toEqual(["miss", "b"]);
    expect(github.requests.map(({ headers }) => headers.has("if-none-match"))).toEqual([false, true, false]);
    expect(outcomeOf(await alice.request("GET /user"))).toBe("revalidated");
  });

  it("without a tag is for the one that was sent", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: "a" });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.once({ status: 304, body: null, etag: "none" });
    const answer = await alice.request("GET /user");
    expect([outcomeOf(answer), answer.data, answer.status]).toEqual(["revalidated", "a", 200]);
    expect(outcomeOf(await alice.request("GET /user"))).toBe("revalidated");
  });

  it("finds its body although the entry was pushed out while it was on its way", async () => {
    const { octokit, github, clock, squad } = setUpBench({ cache: { maxBytes: 2_900, maxEntryBytes: 600 } });
    github.route("/user", { json: "a".repeat(400) });
    github.route("/orgs/o", { json: "b".repeat(500) });
    const alice = octokit("alice");
    await alice.request("GET /user");
    const notModified = later({ status: 304, body: null });
    github.once(notModified.route);
    const waiting = alice.request("GET /user");
    await clock.advance(0);
    await alice.request("GET /orgs/o");
    expect(squad.status().cache?.entries).toBe(1);
    notModified.give();
    const answer = await waiting;
    expect([outcomeOf(answer), answer.data]).toEqual(["revalidated", "a".repeat(400)]);
  });

  it("finds its body although the cache was cleared while it was on its way", async () => {
    const { octokit, github, clock, squad } = setUpBench();
    github.route("/user", { json: "a" });
    const alice = octokit("alice");
    await alice.request("GET /user");
    const notModified = later({ status: 304, body: null });
    github.once(notModified.route);
    const waiting = alice.request("GET /user");
    await clock.advance(0);
    await squad.cache.clear();
    notModified.give();
    expect((await waiting).data).toBe("a");
  });
});

describe("two exchanges of one credential that overlap", () => {
  it.each([
    ["in the order in which they began", ["early", "late"]],
    ["in the other order", ["late", "early"]],
  ])("and end %s leave the word of the one that began later", async (_what, order) => {
    const { octokit, github, clock } = setUpBench();
    const alice = octokit("alice");
    const answers = { early: later({ json: "old" }), late: later({ json: "new" }) };
    const squad = { cache: "revalidate" };
    github.once(answers.early.route);
    const early = alice.request("GET /user", { request: { squad } });
    await clock.advance(10);
    github.once(answers.late.route);
    const late = alice.request("GET /user", { request: { squad } });
    await clock.advance(10);
    for (const name of order) {
      answers[name as "early" | "late"].give();
      await clock.advance(1);
    }
    expect([(await early).data, (await late).data]).toEqual(["old", "new"]);
    const fresh = await alice.request("GET /user", { request: { squad: { cache: { freshForMs: 60_000 } } } });
    expect([outcomeOf(fresh), fresh.data]).toEqual(["fresh", "new"]);
  });
});
