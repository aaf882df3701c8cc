import { describe, expect, it } from "vitest";
import { setUpGraphql, TOKEN } from "./bench.js";

const PULLS = `query Pulls($first: Int!) {
  repository(owner: "mona", name: "app") {
    pullRequests(first: $first) { nodes { number commits(last: 1) { nodes { commit { checkSuites(first: 60) { nodes { checkRuns(first: 10) { nodes { name } } } } } } } } }
  }
}`;

describe("finding out what a query costs", () => {
  it("asks for the cost along with it, and gives the caller the answer without it", async () => {
    const { octokit, plain, sent, exchanges, charged } = setUpGraphql();
    const data = await octokit.graphql(PULLS, { first: 50 });
    expect(sent[0]?.query).toMatch(/rateLimit \{/);
    const cost = charged();
    expect(cost).toBeGreaterThan(10);
    expect(exchanges[0]).toMatchObject({
      chargedUnits: cost,
      costTold: true,
      reservedUnits: cost,
      operation: "Pulls",
    });
    expect(exchanges[0]?.nodes).toBeGreaterThan(50);
    expect(data).toEqual(await plain.graphql(PULLS, { first: 50 }));
  });

  it("leaves bytes, numbers and errors as GitHub wrote them", async () => {
    const { squad, github, sent } = setUpGraphql();
    const query =
      '{ repository(owner: "mona", name: "app") { id } viewer { login } lost: repository(owner: "mona", name: "lost") { id } }';
    const init = {
      method: "POST",
      headers: { authorization: `token ${TOKEN}` },
      body: JSON.stringify({ query }),
    };
    const url = "https://api.github.com/graphql";
    const [ours, theirs] = [await squad.fetch(url, init), await github.fetch(url, init)];
    const text = await ours.text();
    expect(sent[0]?.answer).not.toBe(text);
    expect(text).toBe(await theirs.text());
    expect(text).toContain('"errors"');
  });

  it("takes the bodies of requests as fetch does", async () => {
    const { squad, charged, exchanges } = setUpGraphql();
    const request = new Request("https://api.github.com/graphql", {
      method: "POST",
      headers: { authorization: `token ${TOKEN}` },
      body: JSON.stringify({ query: "{ viewer { login } }" }),
    });
    expect(await (await squad.fetch(request)).json()).toEqual({ data: { viewer: { login: "mona" } } });
    expect(exchanges).toMatchObject([{ chargedUnits: charged(), costTold: true }]);
  });

  it("sends a request whose length its caller has announced as it is", async () => {
    const { squad, sent } = setUpGraphql();
    const body = JSON.stringify({ query: "{ viewer { login } }" });
    const headers = { authorization: `token ${TOKEN}`, "content-length": String(body.length) };
    await squad.fetch("https://api.github.com/graphql", { method: "POST", headers, body });
    expect(sent[0]?.query).toBe("{ viewer { login } }");
  });

  it("reads a cost that the caller asks for, and changes nothing", async () => {
    const { octokit, sent, exchanges, charged } = setUpGraphql();
    const query = "{ budget: rateLimit { cost } viewer { login } }";
    expect(await octokit.graphql(query)).toMatchObject({ budget: { cost: 1 } });
    expect(sent[0]?.query).toBe(query);
    expect(exchanges).toMatchObject([{ chargedUnits: charged(), costTold: true }]);
  });

  it("books nothing for a question of what a query would cost", async () => {
    const { octokit, exchanges, charged, squad } = setUpGraphql();
    const dryRun = PULLS.replace("repository", "rateLimit(dryRun: true) { cost } repository");
    expect(await octokit.graphql(dryRun, { first: 50 })).toMatchObject({ rateLimit: { cost: 31 } });
    expect([charged(), exchanges[0]?.chargedUnits]).toEqual([0, 0]);
    expect(await squad.estimate(dryRun, { first: 50 })).toMatchObject({ units: 0, from: "rule" });
  });

  it("sends mutations as they are, for a unit each", async () => {
    const { octokit, sent, exchanges, charged } = setUpGraphql();
    const { repository } = await octokit.graphql<{ repository: { id: string } }>(
      '{ repository(owner: "mona", name: "app") { id } }',
    );
    const mutation = "mutation ($input: CreateIssueInput!) { createIssue(input: $input) { issue { number } } }";
    await octokit.graphql(mutation, { input: { repositoryId: repository.id, title: "Hello" } });
    expect(sent[1]?.query).toBe(mutation);
    expect(exchanges.map(({ chargedUnits }) => chargedUnits)).toEqual([1, 1]);
    expect(charged()).toBe(2);
  });

  it("chooses the operation by its name", async () => {
    const { octokit, sent, charged, exchanges } = setUpGraphql();
    const document = `${PULLS} query Who { viewer { login } }`;
    const data = await octokit.graphql(document, { first: 1, operationName: "Who" });
    expect(data).toEqual({ viewer: { login: "mona" } });
    expect(sent[0]?.query).toMatch(/viewer \{ login \}\s+\w+: rateLimit/);
    expect(exchanges).toMatchObject([{ operation: "Who", chargedUnits: charged() }]);
  });

  it("lets a document that does not parse through, and GitHub's answer back", async () => {
    const { octokit, plain, sent } = setUpGraphql();
    const broken = "{ viewer { login ";
    const [ours, theirs] = await Promise.allSettled([octokit.graphql(broken), plain.graphql(broken)]);
    expect(sent[0]?.query).toBe(broken);
    expect(ours).toMatchObject({
      status: "rejected",
      reason: { errors: (theirs as PromiseRejectedResult).reason.errors },
    });
  });

  it("leaves queries alone when it is told to, and goes by the headers", async () => {
    const { octokit, sent, exchanges, charged } = setUpGraphql({ graphql: { capture: false } });
    await octokit.graphql("{ viewer { login } }");
    await octokit.graphql(PULLS, { first: 50 });
    expect(sent.map(({ query }) => query)).toEqual(["{ viewer { login } }", PULLS]);
    expect(exchanges.map(({ chargedUnits, costTold }) => [chargedUnits, costTold])).toEqual([
      [1, false],
      [charged() - 1, false],
    ]);
  });

  it("reads no document when GraphQL is switched off", async () => {
    const { octokit, exchanges } = setUpGraphql({ graphql: false });
    await octokit.graphql(PULLS, { first: 50 });
    expect(exchanges).toMatchObject([{ reservedUnits: 1, costTold: false }]);
  });
});
