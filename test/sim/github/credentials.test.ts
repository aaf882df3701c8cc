import { createSign, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestGitHub } from "./world-fixture.js";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

function jwt(claims: Readonly<Record<string, unknown>>, sign = true): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${sign ? createSign("RSA-SHA256").update(text).sign(privateKey, "base64url") : "AAAA"}`;
}

describe("credentials", () => {
  it("that nobody issued earn a 401, charged to the address", async () => {
    const { send, github } = createTestGitHub();
    const response = await send("/user", { headers: { authorization: "token ghp_unknown" } });
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([401, "60"]);
    expect(await response.json()).toMatchObject({ message: "Bad credentials", status: "401" });
    expect(github.log.at(-1)).toMatchObject({ principal: "address:203.0.113.7", credential: "bad" });
  });

  it("are refused with 401 even when the address has nothing left", async () => {
    const { send } = createTestGitHub({ limits: { core: { unauthenticatedLimit: 0 } } });
    const response = await send("/user", { headers: { authorization: "token ghp_unknown" } });
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([401, "0"]);
  });

  it("stop working when they are revoked", async () => {
    const { send, github } = createTestGitHub();
    expect((await send("/user")).status).toBe(200);
    github.world.revokeToken("ghp_monas_token");
    expect((await send("/user")).status).toBe(401);
  });

  it.each(["token ", "Bearer ", "bearer "])("are read after %j", async (scheme) => {
    const { send } = createTestGitHub();
    expect((await send("/user", { headers: { authorization: `${scheme}ghp_monas_token` } })).status).toBe(200);
  });

  it("are read as the password of basic authentication", async () => {
    const { send } = createTestGitHub();
    const basic = Buffer.from("mona:ghp_monas_token").toString("base64");
    expect((await send("/user", { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
  });

  it("never reach the log", async () => {
    const { send, github } = createTestGitHub();
    await send("/user");
    expect(JSON.stringify([github.log, github.ledger()])).not.toContain("ghp_");
  });
});

describe("apps", () => {
  const setUp = () => {
    const test = createTestGitHub();
    test.github.world.addApp(7, { publicKey: pem });
    const { id } = test.github.world.addInstallation(7, { account: "acme" });
    const seconds = Math.floor(test.clock.now() / 1_000);
    const claims = { iss: 7, iat: seconds - 30, exp: seconds + 500 };
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    return { ...test, id, claims, as, seconds };
  };

  it("speak for themselves with a JWT, without rate headers and without charge", async () => {
    const { send, claims, as, github } = setUp();
    const response = await send("/app", as(jwt(claims)));
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
    expect(github.ledger()).toEqual([]);
  });

  it("mint tokens that see the installation's repositories and last an hour", async () => {
    const { clock, send, claims, as, id } = setUp();
    const minted = await send(`/app/installations/${id}/access_tokens`, { method: "POST", ...as(jwt(claims)) });
    const { token, expires_at } = await minted.json();
    expect([minted.status, Date.parse(expires_at)]).toEqual([201, clock.now() + 3_600_000]);
    const repositories = await (await send("/installation/repositories", as(token))).json();
    expect(repositories).toMatchObject({ total_count: 1, repositories: [{ full_name: "acme/app" }] });
    await clock.advance(3_600_000);
    expect((await send("/installation/repositories", as(token))).status).toBe(401);
  });

  it("are refused with a JWT that is forged, stale, too long-lived, or of nobody", async () => {
    const { send, claims, as, seconds } = setUp();
    const tokens = [
      jwt(claims, false),
      jwt({ ...claims, exp: seconds - 1 }),
      jwt({ ...claims, exp: seconds + 3_600 }),
      jwt({ ...claims, iss: 8 }),
    ];
    for (const token of tokens) expect((await send("/app", as(token))).status).toBe(401);
  });
});
