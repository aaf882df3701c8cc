import { describe, expect, it } from "vitest";
import { API, createTestGitHub, TOKEN } from "./world-fixture.js";

const authorization = `token ${TOKEN}`;

describe("fetch in process", () => {
  it("gives responses their address, clones included", async () => {
    const { send } = createTestGitHub();
    const response = await send("/user");
    expect(response).toBeInstanceOf(Response);
    expect([response.url, response.redirected, response.clone().url]).toEqual([`${API}/user`, false, `${API}/user`]);
  });

  it("follows a renamed repository, and shows the redirect when told to", async () => {
    const { clock, send, github } = createTestGitHub();
    github.world.renameRepository("acme", "app", "web");
    const followed = await send("/repos/acme/app/issues?state=all");
    expect([followed.status, followed.redirected]).toEqual([200, true]);
    expect(followed.url).toMatch(/\/repositories\/\d+\/issues\?state=all$/);
    expect(github.usage(TOKEN).used).toBe(2);
    const manual = await clock.settle(
      github.fetch(`${API}/repos/acme/app`, { headers: { authorization }, redirect: "manual" }),
    );
    expect([manual.status, manual.headers.get("location")]).toEqual([
      301,
      expect.stringMatching(/\/repositories\/\d+$/),
    ]);
    const write = await clock.settle(
      github.fetch(`${API}/repos/acme/app`, { method: "PATCH", headers: { authorization }, redirect: "manual" }),
    );
    expect(write.status).toBe(307);
  });

  it("drops the credential on the way to another origin", async () => {
    const { send, github } = createTestGitHub();
    github.world.updateRepository({ owner: "acme", repo: "app" }, { private: true });
    const archive = await send("/repos/acme/app/tarball/main");
    expect([archive.status, new URL(archive.url).host]).toEqual([200, "codeload.github.com"]);
    expect(github.log.at(-1)).toMatchObject({ credential: "none", chargedUnits: 0, points: 0 });
  });

  it("rejects with the signal's reason at once, while GitHub plays the exchange to its end", async () => {
    const { clock, github } = createTestGitHub({ latency: {} });
    const controller = new AbortController();
    const reason = new Error("enough");
    const pending = github.fetch(`${API}/user`, { headers: { authorization }, signal: controller.signal });
    const rejected = expect(pending).rejects.toBe(reason);
    await clock.advance(1);
    controller.abort(reason);
    await rejected;
    expect(github.log).toHaveLength(0);
    await clock.advance(10_000);
    expect(github.log).toMatchObject([{ status: 200, chargedUnits: 1 }]);
    await expect(github.fetch(`${API}/user`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(github.log).toHaveLength(1);
  });

  it("takes a Request, and bodies of every kind", async () => {
    const { clock, github } = createTestGitHub();
    const url = `${API}/repos/acme/app/issues`;
    const json = JSON.stringify({ title: "x" });
    const bodies = [json, new TextEncoder().encode(json), new Blob([json]), new Response(json).body];
    for (const body of bodies) {
      const init = {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body,
        duplex: "half",
      } as RequestInit;
      expect((await clock.settle(github.fetch(new Request(url, init)))).status).toBe(201);
      if (!(body instanceof ReadableStream)) expect((await clock.settle(github.fetch(url, init))).status).toBe(201);
    }
  });

  it("fails for hosts that are not GitHub's", async () => {
    const { github } = createTestGitHub();
    await expect(github.fetch("https://example.com/")).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ENOTFOUND" },
    });
  });

  it("answers HEAD with the headers of GET and no body", async () => {
    const { send } = createTestGitHub();
    const get = await send("/repos/acme/app");
    const head = await send("/repos/acme/app", { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, get.headers.get("etag"), ""]);
  });
});

describe("the same seed and calls", () => {
  it("give the same log, to the last request id", async () => {
    const play = async (seed: number) => {
      const { clock, github } = createTestGitHub({
        seed,
        latency: {},
        resetJitterMs: 1_000,
        secondary: { pointsPerEndpointPerMinute: 20 },
      });
      for (let count = 0; count < 5; count++)
        github.world.addIssue({ owner: "acme", repo: "app", title: `Issue ${count}` });
      const paths = ["/user", "/repos/acme/app", "/repos/acme/app/issues?per_page=2", "/search/issues?q=x"];
      const calls = Array.from({ length: 60 }, (_, index) =>
        github.fetch(`${API}${paths[index % paths.length]}`, { headers: { authorization } }),
      );
      const query = github.fetch(`${API}/graphql`, {
        method: "POST",
        headers: { authorization },
        body: '{"query":"{ viewer { login } }"}',
      });
      const answers = await clock.settle(Promise.all([...calls, query]));
      return { log: github.log, bodies: await Promise.all(answers.map((one) => one.text())), ledger: github.ledger() };
    };
    expect(await play(7)).toEqual(await play(7));
    expect((await play(7)).log).not.toEqual((await play(8)).log);
  });
});
