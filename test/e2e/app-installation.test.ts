import { generateKeyPairSync } from "node:crypto";
import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";
import { App as FullApp, Octokit as FullOctokit } from "octokit";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SquadOptions } from "../../src/index.js";
import { squadRate } from "../../src/index.js";
import type { SimulatedGitHubOptions } from "../../src/sim/index.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { FORMS, reachGitHub } from "./simulated-octokit.js";

const APP_ID = 7;
const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const REPO = { owner: "acme", repo: "site" };
const MINT = /access_tokens$/;

/** An app with installations at acme and globex; auth-app's idea of time is the virtual clock's. */
async function setUpApp(
  form: (typeof FORMS)[number],
  { squad = {}, github: options = {} }: { squad?: SquadOptions; github?: SimulatedGitHubOptions } = {},
) {
  const reached = await reachGitHub(form, options);
  const { github, clock, client } = reached;
  vi.spyOn(Date, "now").mockImplementation(() => clock.now());
  github.world.addApp(APP_ID, { publicKey });
  const install = (account: string) => {
    github.world.addOrganization(account);
    github.world.addRepository({ owner: account, name: "site" });
    return github.world.addInstallation(APP_ID, { account }).id;
  };
  const [acme, globex] = [install("acme"), install("globex")];
  const Mine = Octokit.plugin(squadRate).defaults({ ...client, squad: { agent: "app", clock, ...squad } });
  const app = new App({ appId: APP_ID, privateKey, Octokit: Mine, webhooks: { secret: "x" } });
  const served = () => github.log.map(({ method, status }) => `${method} ${status}`);
  const usedBy = (installation: number) =>
    app.octokit.squad
      .status()
      .principals.filter(({ id }) => id === `app ${APP_ID} installation ${installation}`)
      .map(({ windows }) => windows.core);
  return { ...reached, app, acme, globex, served, usedBy };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(FORMS)("App.getInstallationOctokit, GitHub %s", (form) => {
  it("keeps the cache warm across the Octokits that it makes, with one token each installation", async () => {
    const { app, acme, globex, served } = await setUpApp(form);
    const outcomes: unknown[] = [];
    for (let event = 0; event < 3; event++) {
      for (const [id, owner] of [
        [acme, "acme"],
        [globex, "globex"],
      ] as const) {
        const octokit = await app.getInstallationOctokit(id);
        const answer = await octokit.request("GET /repos/{owner}/{repo}", { owner, repo: "site" });
        expect(answer.data.full_name).toBe(`${owner}/site`);
        outcomes.push(outcomeOf(answer));
      }
    }
    expect(outcomes).toEqual(["miss", "miss", ...Array(4).fill("revalidated")]);
    expect(served()).toEqual(["POST 201", "GET 200", "POST 201", "GET 200", ...Array(4).fill("GET 304")]);
  });

  it("keeps the cache and the quota of an installation across its tokens", async () => {
    const { app, acme, clock, served, usedBy } = await setUpApp(form);
    const outcomes: unknown[] = [];
    for (let hour = 0; hour < 4; hour++) {
      const octokit = await app.getInstallationOctokit(acme);
      outcomes.push(outcomeOf(await octokit.request("GET /repos/{owner}/{repo}", REPO)));
      await clock.advance(61 * 60_000);
    }
    expect(outcomes).toEqual(["miss", "revalidated", "revalidated", "revalidated"]);
    expect(served().filter((one) => one === "POST 201")).toHaveLength(4);
    expect(usedBy(acme)).toHaveLength(1);
  });

  it("walks installations and their repositories", async () => {
    const { app, served } = await setUpApp(form);
    for (let round = 0; round < 2; round++) {
      const names: string[] = [];
      await app.eachRepository(({ repository }) => void names.push(repository.full_name));
      expect(names.sort()).toEqual(["acme/site", "globex/site"]);
    }
    expect(served().filter((one) => one === "GET 304").length).toBeGreaterThanOrEqual(2);
  });

  it("lets each webhook event have an Octokit of its own, as Probot does", async () => {
    const { app, acme } = await setUpApp(form);
    const seen: unknown[] = [];
    app.webhooks.on("issues.opened", async ({ octokit }) => {
      seen.push(outcomeOf(await octokit.request("GET /repos/{owner}/{repo}", REPO)));
    });
    for (const id of ["1", "2", "3"]) {
      const payload = { action: "opened", installation: { id: acme } } as never;
      await app.webhooks.receive({ id, name: "issues", payload });
    }
    expect(seen).toEqual(["miss", "revalidated", "revalidated"]);
  });

  it("works with the octokit package's App, throttling and retry inside ours", async () => {
    const { app: _, acme, client, clock, served } = await setUpApp(form);
    const Mine = FullOctokit.plugin(squadRate).defaults({ ...client, squad: { agent: "app", clock } });
    const app = new FullApp({ appId: APP_ID, privateKey, Octokit: Mine });
    for (let event = 0; event < 2; event++) {
      const octokit = await app.getInstallationOctokit(acme);
      expect((await octokit.rest.repos.get(REPO)).data.full_name).toBe("acme/site");
    }
    expect(served()).toEqual(["POST 201", "GET 200", "GET 304"]);
  });
});

describe("an installation whose window is red", () => {
  const setUpRed = async (squad: SquadOptions) => {
    const desk = await setUpApp("in process", { squad, github: { secondary: false } });
    const first = await desk.app.getInstallationOctokit(desk.acme);
    const { token } = (await first.auth({ type: "installation" })) as { readonly token: string };
    desk.github.consume(token, "core", 4_900);
    await first.request("GET /repos/{owner}/{repo}", REPO);
    expect(desk.usedBy(desk.acme)).toMatchObject([{ light: "red" }]);
    return desk;
  };
  const minted = ({ github }: Awaited<ReturnType<typeof setUpRed>>): number =>
    github.log.filter(({ path }) => MINT.test(path)).length;

  it("gets its next token all the same, for an emergency that may pass and for nobody else in vain", async () => {
    const desk = await setUpRed({ maxWaitMs: 0 });
    const { app, acme, clock, github } = desk;
    // The window lasts as long as the token: both are an hour old, but for a minute of the window.
    await clock.advance(59 * 60_000 + 30_000);
    const octokit = await app.getInstallationOctokit(acme);
    await expect(octokit.request("GET /repos/{owner}/{repo}/issues", REPO)).rejects.toMatchObject({
      code: "SQUAD_RATE_LIGHT",
    });
    const sent = github.log.length;
    const squad = { priority: 0, emergency: true };
    const answer = await octokit.request("GET /repos/{owner}/{repo}/issues", { ...REPO, request: { squad } });
    expect([answer.status, github.log.length - sent]).toEqual([200, 1]);
    expect(minted(desk)).toBe(2);
  });

  it("lets thirty calls of three Octokits wait, and all of them go with a new token after the reset", async () => {
    const desk = await setUpRed({ maxWaitMs: 7_200_000 });
    const { app, acme, clock } = desk;
    const octokits = await Promise.all([1, 2, 3].map(() => app.getInstallationOctokit(acme)));
    const calls = octokits.flatMap((octokit) =>
      Array.from({ length: 10 }, (_, page) =>
        octokit.request("GET /repos/{owner}/{repo}/issues", { ...REPO, page: page + 1 }),
      ),
    );
    await vi.waitFor(() => expect(app.octokit.squad.status().waiting).toHaveLength(30));
    await clock.advance(3_640_000);
    const answers = await Promise.all(calls);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(minted(desk)).toBe(2);
    expect(desk.usedBy(acme)).toMatchObject([{ reserved: 0, light: "green" }]);
  });
});

describe("a server that counts an app's own requests and says that none is left", () => {
  it("is asked for tokens all the same: a call that has been let through needs one", async () => {
    const { client, ...reached } = await reachGitHub("in process");
    const { clock, github } = reached;
    vi.spyOn(Date, "now").mockImplementation(() => clock.now());
    github.world.addApp(APP_ID, { publicKey });
    const { id } = github.world.addInstallation(APP_ID, { account: "mona" });
    const counting: typeof globalThis.fetch = async (input, init) => {
      const response = await github.fetch(input, init);
      if (!MINT.test(String(input))) return response;
      const resetAt = Math.floor(clock.now() / 1_000) + 3_600;
      const rate = { limit: 10, used: 10, remaining: 0, reset: resetAt, resource: "core" };
      const headers = new Headers(response.headers);
      for (const [name, value] of Object.entries(rate)) headers.set(`x-ratelimit-${name}`, String(value));
      return new Response(response.body, { status: response.status, headers });
    };
    const squad = { agent: "app", clock, maxWaitMs: 0 };
    const Mine = Octokit.plugin(squadRate).defaults({ ...client, request: { fetch: counting }, squad });
    const app = new App({ appId: APP_ID, privateKey, Octokit: Mine });
    const repository = { owner: "mona", repo: "hello" };
    for (let mints = 1; mints <= 2; mints++) {
      const octokit = await app.getInstallationOctokit(id);
      const { token } = (await octokit.auth({ type: "installation", refresh: true })) as { readonly token: string };
      expect(token).toMatch(/^ghs_/);
      expect((await octokit.request("GET /repos/{owner}/{repo}", repository)).status).toBe(200);
    }
  });
});

describe("a token that cannot be minted", () => {
  it("fails the call with GitHub's word, and leaves no unit held and nothing in the way of the next", async () => {
    const { app, acme, github, usedBy } = await setUpApp("in process");
    github.fault({ kind: "status", status: 503, match: { path: MINT } });
    const octokit = await app.getInstallationOctokit(acme);
    await expect(octokit.request("GET /repos/{owner}/{repo}", REPO)).rejects.toMatchObject({ status: 503 });
    expect((await octokit.request("GET /repos/{owner}/{repo}", REPO)).status).toBe(200);
    expect(usedBy(acme)).toMatchObject([{ reserved: 0 }]);
  });
});
