import type { Octokit } from "@octokit/core";
import { describe, expectTypeOf, it } from "vitest";
import type { Guarded, Guards } from "../../src/index.js";
import { SquadOctokit } from "../harness/octokit-in-squad.js";

describe("the guards of an Octokit", () => {
  const { guard, guards } = new SquadOctokit().squad;

  it("give what produce makes", () => {
    expectTypeOf(guard("GET /user", undefined, () => 1)).resolves.toEqualTypeOf<Guarded<number>>();
    expectTypeOf(guards([["GET /user"]], async () => ({ a: "b" }))).resolves.toEqualTypeOf<Guarded<{ a: string }>>();
    expectTypeOf<Guarded<number>["how"]>().toEqualTypeOf<"produced" | "unchanged" | "shared" | "stale">();
  });

  it("take the parameters of a request, and their options by name", () => {
    const reads: Parameters<Guards["guards"]>[0] = [
      ["GET /user"],
      ["GET /repos/{owner}/{repo}", { owner: "o", repo: "r" }],
    ];
    expectTypeOf(guards).toBeCallableWith(reads, () => 1, { key: "k", maxAgeMs: 1, waitMs: undefined });
    // @ts-expect-error: it is maxAgeMs
    guard("GET /user", {}, () => 1, { maxAge: 1 });
  });

  it("are not there without the plugin", () => {
    expectTypeOf<Octokit>().not.toHaveProperty("squad");
  });
});
