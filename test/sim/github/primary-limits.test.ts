import { describe, expect, it } from "vitest";
import { createSimulatedGitHub, createVirtualClock } from "../../../src/sim/index.js";
import { API, createTestGitHub, TOKEN } from "./world-fixture.js";

const header = (response: Response, name: string) => Number(response.headers.get(`x-ratelimit-${name}`));

describe("primary limits", () => {
  it("open a window at the first charged request and a new one at first use after the reset", async () => {
    const { clock, send } = createTestGitHub();
    await clock.advance(10_000);
    const first = await send("/repos/acme/app");
    expect(header(first, "reset") * 1_000).toBe(clock.now() + 3_600_000);
    await clock.advance(3_600_000 + 5_000);
    const later = await send("/repos/acme/app");
    expect([header(later, "used"), header(later, "reset") * 1_000]).toEqual([1, clock.now() + 3_600_000]);
  });

  it("charge every status but 304, and no /rate_limit", async () => {
    const { send, github } = createTestGitHub();
    const first = await send("/repos/acme/app");
    const etag = first.headers.get("etag") ?? "";
    const used: number[] = [];
    const look = async (path: string, init = {}) => {
      await send(path, init);
      used.push(github.usage(TOKEN).used);
    };
    await look("/repos/acme/app", { headers: { "if-none-match": etag } });
    await look("/rate_limit");
    await look("/repos/acme/missing");
    await look("/repos/acme/app/issues", { method: "POST", json: {} });
    await look("/repos/acme/app/labels/bug", { method: "DELETE" });
    expect(used).toEqual([1, 1, 2, 3, 4]);
  });

  it("refuse with 403 and GitHub's words when nothing remains, and count the refused request", async () => {
    const { send, github } = createTestGitHub({ limits: { core: { limit: 2 } } });
    await send("/user");
    await send("/user");
    const refused = await send("/user");
    expect(refused.status).toBe(403);
    expect((await refused.json()).message).toMatch(/^API rate limit exceeded for user ID \d+\. If you reach out/);
    expect([header(refused, "remaining"), header(refused, "used")]).toEqual([0, 3]);
    expect(github.log.at(-1)).toMatchObject({ refusedBy: "primary", chargedUnits: 1 });
    expect(github.ledger()).toMatchObject([{ chargedUnits: 3, refusedByPrimary: 1 }]);
  });

  it("refuse with 429 when told to", async () => {
    const { send } = createTestGitHub({ limits: { core: { limit: 0 } }, primaryStatus: 429 });
    expect((await send("/user")).status).toBe(429);
  });

  it("count by principal: two tokens of one user share one used", async () => {
    const { send, github } = createTestGitHub();
    github.world.addToken("ghp_other", "mona", { limits: { core: 15_000 } });
    await send("/user");
    const other = await send("/user", { headers: { authorization: "Bearer ghp_other" } });
    expect([header(other, "used"), header(other, "limit")]).toEqual([2, 15_000]);
  });

  it("count unauthenticated requests by address, sixty an hour, a 304 included", async () => {
    const { github } = createTestGitHub();
    const first = await github.fetch(`${API}/repos/acme/app`);
    expect([header(first, "limit"), header(first, "used")]).toEqual([60, 1]);
    const again = await github.fetch(`${API}/repos/acme/app`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect([again.status, header(again, "used")]).toEqual([304, 2]);
    const elsewhere = await github.fetchFrom("198.51.100.9")(`${API}/repos/acme/app`);
    expect(header(elsewhere, "used")).toBe(1);
    expect(github.usage("address:203.0.113.7")).toMatchObject({ limit: 60, used: 2 });
  });

  it("scale with an installation's repositories and users, up to 12,500", () => {
    const { github } = createTestGitHub();
    const limitOf = (installation: object): number => {
      const { id } = github.world.addInstallation(7, { account: "acme", ...installation });
      github.world.addInstallationToken(`ghs_${id}`, id);
      return github.usage(`ghs_${id}`).limit;
    };
    expect(limitOf({})).toBe(5_000);
    expect(limitOf({ repositoryCount: 30, userCount: 25 })).toBe(5_750);
    expect(limitOf({ repositoryCount: 900 })).toBe(12_500);
    expect(limitOf({ enterprise: true })).toBe(15_000);
  });

  it("give a workflow's token 1,000 units", () => {
    const { github } = createTestGitHub();
    github.world.addActionsToken("ghs_actions", { owner: "acme", repo: "app" });
    expect(github.usage("ghs_actions").limit).toBe(1_000);
  });

  it("book each resource apart and name it in the answer", async () => {
    const { send, github } = createTestGitHub();
    const search = await send("/search/issues?q=x");
    const code = await send("/search/code?q=x");
    expect([search, code].map((one) => [one.headers.get("x-ratelimit-resource"), header(one, "limit")])).toEqual([
      ["search", 30],
      ["code_search", 10],
    ]);
    expect(github.usage(TOKEN).used).toBe(0);
  });

  it("count hidden use, and keep it apart in the ledger", async () => {
    const { send, github } = createTestGitHub();
    github.consume(TOKEN, "core", 4_000);
    expect(header(await send("/user"), "remaining")).toBe(999);
    expect(github.ledger()).toMatchObject([{ hiddenUnits: 4_000, chargedUnits: 1 }]);
  });

  it("let remaining rise when there are two regions", async () => {
    const { send } = createTestGitHub({ twoRegions: true, seed: 3 });
    const seen: number[] = [];
    for (let count = 0; count < 12; count++) seen.push(header(await send("/user"), "remaining"));
    expect(seen.some((remaining, index) => index > 0 && remaining > (seen[index - 1] ?? 0))).toBe(true);
  });

  it("report a reset that jitters only when told to", async () => {
    const resets = async (resetJitterMs: number) => {
      const { send } = createTestGitHub({ resetJitterMs, secondary: false });
      const seen = new Set<number>();
      for (let count = 0; count < 200; count++) seen.add(header(await send("/user"), "reset"));
      return [...seen].sort();
    };
    expect(await resets(0)).toHaveLength(1);
    const jittered = await resets(1_000);
    expect((jittered.at(-1) ?? 0) - (jittered[0] ?? 0)).toBe(2);
  });

  it("are reckoned and dated on GitHub's clock", async () => {
    const { clock, send, github } = createTestGitHub({ clockSkewMs: 90_000 });
    const response = await send("/user");
    expect(Date.parse(response.headers.get("date") ?? "")).toBe(clock.now() + 90_000);
    expect(header(response, "reset") * 1_000).toBe(clock.now() + 90_000 + 3_600_000);
    github.setClockSkew(-5_000);
    expect(Date.parse((await send("/user")).headers.get("date") ?? "")).toBe(clock.now() - 5_000);
  });

  it("are off on an Enterprise Server unless turned on", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock, ghes: true });
    github.world.addToken(TOKEN, "mona");
    const headers = { authorization: `token ${TOKEN}` };
    const user = await github.fetch("https://github.example.com/api/v3/user", { headers });
    expect([user.status, user.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
    const limits = await github.fetch("https://github.example.com/api/v3/rate_limit", { headers });
    expect([limits.status, (await limits.json()).message]).toEqual([404, "Rate limiting is not enabled."]);
    const query = await github.fetch("https://github.example.com/api/graphql", {
      method: "POST",
      headers,
      body: JSON.stringify({ query: "{ viewer { login } }" }),
    });
    expect(await query.json()).toEqual({ data: { viewer: { login: "mona" } } });
  });
});

describe("GET /rate_limit", () => {
  it("tells every resource without an ETag", async () => {
    const { send } = createTestGitHub();
    const response = await send("/rate_limit");
    const { resources, rate } = await response.json();
    expect(rate).toEqual(resources.core);
    expect(resources.audit_log.limit).toBe(1_750);
    expect(response.headers.get("etag")).toBeNull();
  });
});
