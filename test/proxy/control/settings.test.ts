import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOf, type ProxySettings, proxyOptionsOf, settledIn } from "../../../src/proxy/control/settings.js";

describe("settings of a proxy", () => {
  it("mean the same from whatever folder they are read", () => {
    expect(settledIn("/srv/squad", { store: "file:pool", trace: "t.jsonl" })).toMatchObject({
      store: "file:/srv/squad/pool",
      trace: "/srv/squad/t.jsonl",
    });
    expect(settledIn("/srv/squad", { store: "file:~/pool", trace: false })).toMatchObject({
      store: `file:${join(homedir(), "pool")}`,
      trace: false,
    });
    expect(settledIn("/srv/squad", { store: "redis://cache:6379" }).store).toBe("redis://cache:6379");
  });

  it("do not depend on the order of hosts", () => {
    const [one, other] = [
      ["b.example", "a.example"],
      ["a.example", "b.example", "a.example"],
    ].map((alsoHosts) => digestOf(settledIn("/", { alsoHosts }), "key"));
    expect(one).toBe(other);
  });

  it("each tell proxies apart", () => {
    const each: readonly ProxySettings[] = [
      {},
      { upstream: "http://127.0.0.1:1" },
      { host: "github.example" },
      { alsoHosts: ["a.example"] },
      { store: "memory:" },
      { pool: "a" },
      { trace: "/t" },
      { maxWaitMs: 0 },
      // What one key says must not pass for what another says.
      { upstream: "a" },
      { host: "a" },
      { store: "a" },
    ];
    expect(new Set(each.map((settings) => digestOf(settings, "key"))).size).toBe(each.length);
  });

  it("are the same where no trace is written, whether that is said or not", () => {
    expect(digestOf({ trace: false }, "key")).toBe(digestOf({}, "key"));
  });

  it("leave nothing to the environment of the process that serves", () => {
    expect(proxyOptionsOf({})).toMatchObject({ squad: { trace: false } });
    expect(proxyOptionsOf({ pool: "team", trace: "/t", store: "memory:", maxWaitMs: 5 })).toMatchObject({
      squad: { pool: { name: "team" }, trace: "/t", store: "memory:", maxWaitMs: 5 },
    });
  });
});
