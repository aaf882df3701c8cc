import { describe, expect, it } from "vitest";
import { createTestGitHub, TOKEN } from "./world-fixture.js";

describe("faults", () => {
  it("strike only what matches, every n-th time, as often as they are told", async () => {
    const { send, github } = createTestGitHub();
    const handle = github.fault({
      kind: "status",
      status: 500,
      match: { method: "GET", path: /^\/repos\// },
      every: 2,
      times: 2,
    });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await send("/repos/acme/app")).status, (await send("/user")).status);
    expect(statuses).toEqual([200, 200, 500, 200, 200, 200, 500, 200, 200, 200, 200, 200]);
    expect(handle.remaining).toBe(0);
    expect(github.log[2]?.fault).toBe("status");
  });

  it("answer with nginx's page", async () => {
    const { send, github } = createTestGitHub();
    github.fault({ kind: "status", status: 504, body: "html" });
    const response = await send("/user");
    expect([response.status, response.headers.get("content-type"), response.headers.get("x-ratelimit-limit")]).toEqual([
      504,
      "text/html",
      null,
    ]);
    expect(await response.text()).toContain("<center>nginx</center>");
    expect(github.usage(TOKEN).used).toBe(0);
  });

  it("reset a connection after the request took effect, or before", async () => {
    const { send, github } = createTestGitHub();
    const create = () => send("/repos/acme/app/issues", { method: "POST", json: { title: "x" } });
    github.fault({ kind: "reset" });
    await expect(create()).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
    github.fault({ kind: "reset", when: "before" });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(await (await send("/repos/acme/app/issues")).json()).toHaveLength(1);
  });

  it("end a body too early", async () => {
    const { send, github } = createTestGitHub();
    github.fault({ kind: "truncate" });
    const response = await send("/repos/acme/app");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it("send a 200 that is HTML, an HTTP date in Retry-After, nonsense in headers", async () => {
    const { clock, send, github } = createTestGitHub();
    github.fault({ kind: "html" });
    expect(await (await send("/user")).text()).toContain("<!DOCTYPE html>");
    github.fault({ kind: "retry-after-date", seconds: 30 });
    expect(Date.parse((await send("/user")).headers.get("retry-after") ?? "")).toBe(clock.now() + 30_000);
    github.fault({ kind: "malformed-headers" });
    const { headers, status } = await send("/user");
    expect([status, headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset")]).toEqual([
      200,
      "-7",
      "tomorrow",
    ]);
    github.fault({ kind: "malformed-headers", headers: { etag: null, date: "now" } });
    const single = await send("/user");
    expect([single.headers.get("etag"), single.headers.get("date"), single.headers.get("x-ratelimit-limit")]).toEqual([
      null,
      "now",
      "5000",
    ]);
  });

  it("slow an answer down", async () => {
    const { clock, send, github } = createTestGitHub();
    github.fault({ kind: "slow", ms: 9_000 });
    const before = clock.now();
    await send("/user");
    expect(clock.now() - before).toBe(9_000);
  });

  it("refuse out of turn without blocking what follows", async () => {
    const { send, github } = createTestGitHub();
    github.fault({ kind: "primary-limit" });
    github.fault({ kind: "secondary-limit" });
    expect([(await send("/user")).status, (await send("/user")).status, (await send("/user")).status]).toEqual([
      403, 403, 200,
    ]);
    expect(github.log.map((one) => one.refusedBy)).toEqual(["primary", "secondary", undefined]);
  });

  it("can be cancelled", async () => {
    const { send, github } = createTestGitHub();
    github.fault({ kind: "status", times: Number.POSITIVE_INFINITY }).cancel();
    expect((await send("/user")).status).toBe(200);
  });
});
