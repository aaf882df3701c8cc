import { Readable } from "node:stream";
import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { createSquad } from "../../src/squad.js";

const headers = { "content-type": "application/json; charset=utf-8", etag: '"a"' };

/** What node-fetch answers with: a body that is a Node stream. */
const nodeFetch = async () => ({
  status: 200,
  statusText: "OK",
  ok: true,
  url: "https://api.github.com/user",
  redirected: false,
  headers: new Headers(headers),
  body: Readable.from(['{"login":"mona"}']),
  text: async () => '{"login":"mona"}',
});

/** What people write in tests: just what core reads. */
const handmade = async () => ({
  status: 200,
  url: "https://api.github.com/user",
  headers: new Map(Object.entries(headers)),
  text: async () => '{"login":"mona"}',
});

describe("a fetch whose answers are no web responses", () => {
  it.each([
    ["a Node stream as its body", nodeFetch],
    ["no body", handmade],
  ])("with %s passes through as with plain Octokit, and is not kept", async (_what, fetch) => {
    const squad = createSquad();
    const octokit = new (Octokit.plugin(squadRate))({ squad, request: { fetch } });
    const { signal } = new AbortController();
    for (const request of [{}, { signal }]) {
      const answer = await octokit.request("GET /user", { request });
      expect([answer.status, answer.data, answer.headers["x-squad-rate"]]).toEqual([200, { login: "mona" }, undefined]);
    }
    expect(squad.status().cache?.entries).toBe(0);
  });
});
