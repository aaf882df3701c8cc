import { Octokit } from "@octokit/core";
import { expectTypeOf, test } from "vitest";
import { createSquad, type OctokitSquad, type SquadStatus, squadRate, squadRequest } from "../src/index.js";

const Mine = Octokit.plugin(squadRate);

test("octokit.squad is typed", () => {
  expectTypeOf(new Mine().squad).toEqualTypeOf<OctokitSquad>();
  expectTypeOf(new Mine().squad.status()).toEqualTypeOf<SquadStatus>();
  expectTypeOf(squadRate.VERSION).toEqualTypeOf<string>();
  // @ts-expect-error only with the plugin
  new Octokit().squad;
});

test("the options key is typed, with and without the plugin's class", () => {
  new Mine({ squad: { agent: "ralph", priority: "P0", cache: { freshForMs: 1 } } });
  new Mine({ squad: createSquad() });
  Octokit.plugin(squadRate).defaults({ squad: { agent: "ralph" } });
});

test("a slip in the options is an error", () => {
  // @ts-expect-error misspelt
  new Mine({ squad: { agnet: "ralph" } });
  // @ts-expect-error no such class
  new Mine({ squad: { priority: 3 } });
  new Mine({ squad: { store: "redis://localhost" } });
  // @ts-expect-error a store is an address or a Keyv
  new Mine({ squad: { store: new URL("redis://localhost") } });
  // @ts-expect-error misspelt, one level down
  new Mine({ squad: { cache: { freshForMS: 1 } } });
  // @ts-expect-error misspelt
  createSquad({ agnet: "ralph" });
});

test("squad.fetch is a fetch that takes one thing more", () => {
  const { fetch } = createSquad();
  expectTypeOf(fetch).toExtend<(input: string | URL | Request, init?: RequestInit) => Promise<Response>>();
  expectTypeOf(fetch).toExtend<typeof globalThis.fetch>();
  fetch("https://api.github.com/user", { squad: { priority: 0 } });
  // @ts-expect-error misspelt
  fetch("https://api.github.com/user", { squad: { prioritty: 0 } });
});

test("a call's options are typed by squadRequest", () => {
  new Mine().request("GET /user", { request: { squad: squadRequest({ maxWaitMs: 0, cache: "bypass" }) } });
  // @ts-expect-error misspelt
  squadRequest({ maxWait: 0 });
});
