import { describe, expect, it } from "vitest";
import { API, createTestGitHub, TOKEN } from "./world-fixture.js";

const authorization = `token ${TOKEN}`;

describe("secondary limits", () => {
  it("refuse an endpoint's points beyond the minute's allowance, then let in again within 30 to 65 s", async () => {
    const { clock, send, github } = createTestGitHub({ secondary: { pointsPerEndpointPerMinute: 10 } });
    for (let count = 0; count < 10; count++) expect((await send("/user")).status).toBe(200);
    const refused = await send("/user");
    expect(refused.status).toBe(403);
    expect((await refused.json()).message).toMatch(
      /^You have exceeded a secondary rate limit\. Please wait a few minutes/,
    );
    expect(github.log.at(-1)).toMatchObject({ refusedBy: "secondary", sentWhileBlocked: false });
    await clock.advance(29_000);
    expect((await send("/user")).status).toBe(403);
    expect(github.log.at(-1)?.sentWhileBlocked).toBe(true);
    await clock.advance(36_000);
    expect((await send("/user")).status).toBe(200);
  });

  it("count by route template, or by path when told to", async () => {
    const statuses = async (by: "template" | "path") => {
      const { send, github } = createTestGitHub({ secondary: { pointsPerEndpointPerMinute: 1, by } });
      github.world.addIssue({ owner: "acme", repo: "app", title: "One" });
      github.world.addIssue({ owner: "acme", repo: "app", title: "Two" });
      return [(await send("/repos/acme/app/issues/1")).status, (await send("/repos/acme/app/issues/2")).status];
    };
    expect(await statuses("template")).toEqual([200, 403]);
    expect(await statuses("path")).toEqual([200, 200]);
  });

  it("show rate headers with units left in the bare profile, and only Retry-After in the other", async () => {
    const refusal = async (headerProfile: "bare" | "retry-after") => {
      const { send } = createTestGitHub({ secondary: { pointsPerEndpointPerMinute: 0, headerProfile } });
      const { headers } = await send("/user");
      return [
        headers.get("retry-after"),
        Number(headers.get("x-ratelimit-remaining")) > 0,
        headers.get("x-ratelimit-limit"),
      ];
    };
    expect(await refusal("bare")).toEqual([null, true, "5000"]);
    expect(await refusal("retry-after")).toEqual(["60", false, null]);
  });

  it("refuse more than the allowed requests at once", async () => {
    const { clock, github } = createTestGitHub({ secondary: { concurrency: 3 }, latency: {} });
    const all = Promise.all([1, 2, 3, 4].map(() => github.fetch(`${API}/user`, { headers: { authorization } })));
    expect((await clock.settle(all)).map((one) => one.status).sort()).toEqual([200, 200, 200, 403]);
  });

  it("refuse work beyond the response-time budget", async () => {
    const { send } = createTestGitHub({
      secondary: { cpuMsPerMinute: 1_000 },
      latency: { restMedianMs: 400, sigma: 0 },
    });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await send("/user")).status);
    expect(statuses).toEqual([200, 200, 200, 403]);
  });

  it("refuse created content alone, in GitHub's other words", async () => {
    const { send } = createTestGitHub({ secondary: { contentPerMinute: 2 } });
    const create = () => send("/repos/acme/app/issues", { method: "POST", json: { title: "x" } });
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    const refused = await create();
    expect((await refused.json()).message).toContain("temporarily blocked from content creation");
    expect((await send("/user")).status).toBe(200);
  });

  it("answer a GraphQL mutation that creates content too fast with 200 and UNPROCESSABLE", async () => {
    const { query } = createTestGitHub({ secondary: { contentPerMinute: 0 } });
    const { response, body } = await query(
      'mutation { createIssue(input: { repositoryId: "x", title: "t" }) { issue { id } } }',
    );
    expect(response.status).toBe(200);
    expect(body.errors).toEqual([
      { type: "UNPROCESSABLE", path: ["createIssue"], message: "was submitted too quickly" },
    ]);
  });

  it("prolong the refusal of a client that keeps sending, when told to", async () => {
    const growingPenalty = { perRequestMs: 20_000, maxMs: 600_000 };
    const { clock, send } = createTestGitHub({
      secondary: { pointsPerEndpointPerMinute: 1, recoveryMs: [30_000, 30_000], growingPenalty },
    });
    await send("/user");
    await send("/user");
    await clock.advance(20_000);
    await send("/user");
    await clock.advance(20_000);
    expect((await send("/user")).status).toBe(403);
    await clock.advance(70_000);
    expect((await send("/user")).status).toBe(200);
  });

  it("count GraphQL apart from REST", async () => {
    const { query, send } = createTestGitHub({ secondary: { graphqlPointsPerMinute: 1 } });
    expect((await query("{ viewer { login } }")).response.status).toBe(200);
    expect((await send("/user")).status).toBe(200);
    expect((await query("{ viewer { login } }")).response.status).toBe(403);
  });

  it("can be turned off", async () => {
    const { send } = createTestGitHub({ secondary: false, limits: { core: { limit: 10_000 } } });
    for (let count = 0; count < 1_000; count++) await send("/user");
    expect((await send("/user")).status).toBe(200);
  });
});
