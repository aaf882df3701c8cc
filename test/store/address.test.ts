import { describe, expect, it } from "vitest";
import { describeAddress, parseStoreAddress } from "../../src/store/address.js";

describe("parseStoreAddress", () => {
  it.each([
    ["memory:", { kind: "memory" }],
    ["memory://", { kind: "memory" }],
    ["file:~/.squad/rate-pool", { kind: "file", path: "~/.squad/rate-pool" }],
    ["file:./pool", { kind: "file", path: "./pool" }],
    ["file:/var/lib/pool", { kind: "file", path: "/var/lib/pool" }],
    ["file:///var/lib/my%20pool", { kind: "file", path: "/var/lib/my pool" }],
    ["redis://localhost", { kind: "redis", url: "redis://localhost" }],
    ["rediss://u:p@cache.example:6380/2", { kind: "redis", url: "rediss://u:p@cache.example:6380/2" }],
    ["postgres://u@db/squad", { kind: "postgres", url: "postgres://u@db/squad" }],
    ["postgresql://db/squad?sslmode=require", { kind: "postgres", url: "postgresql://db/squad?sslmode=require" }],
  ])("reads %s", (uri, address) => {
    expect(parseStoreAddress(uri)).toEqual(address);
  });

  it.each([
    "",
    "pool",
    "/var/lib/pool",
    "memory:x",
    "file:",
    "file://host/pool",
    "redis:localhost",
    "mongodb://u:hunter2@db/x",
    "postgres:u:hunter2@db",
  ])("refuses %j without quoting it", (uri) => {
    let refusal: unknown;
    try {
      parseStoreAddress(uri);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: "SQUAD_RATE_OPTIONS" });
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("hunter2");
  });
});

describe("describeAddress", () => {
  it.each([
    ["memory:", "memory:"],
    ["file:~/.squad/rate-pool", "file:~/.squad/rate-pool"],
    ["rediss://u:hunter2@cache.example:6380/2", "rediss://***@cache.example:6380/2"],
    ["redis://:hunter2@cache", "redis://***@cache"],
    ["postgres://u@db/squad?password=hunter2&sslkey=x", "postgres://***@db/squad"],
    ["redis://cache:6379", "redis://cache:6379"],
  ])("shows %s as %s", (uri, shown) => {
    expect(describeAddress(parseStoreAddress(uri))).toBe(shown);
  });
});
