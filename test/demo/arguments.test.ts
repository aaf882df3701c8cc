import { describe, expect, it } from "vitest";
import { readArguments } from "../../examples/demo/arguments.js";

const TOKEN = { GITHUB_TOKEN: "ghp_test" };

describe("readArguments", () => {
  it("simulates GitHub for half a minute when told nothing", () => {
    expect(readArguments([], {})).toEqual({ kind: "simulated", seconds: 30, seed: 1 });
  });

  it("simulates GitHub although there is a token, as long as no repository is named", () => {
    expect(readArguments([], TOKEN)).toMatchObject({ kind: "simulated" });
  });

  it("takes values after a space and after an equals sign", () => {
    expect(readArguments(["--seconds", "10", "--seed=7"], {})).toEqual({ kind: "simulated", seconds: 10, seed: 7 });
  });

  it("reads the real GitHub with a repository and a token", () => {
    expect(readArguments(["--repo", "octokit/core.js"], TOKEN)).toEqual({
      kind: "real",
      seconds: 30,
      owner: "octokit",
      repo: "core.js",
      token: "ghp_test",
      baseUrl: "https://api.github.com",
    });
  });

  it("asks another API where GITHUB_API_URL says so", () => {
    const environment = { ...TOKEN, GITHUB_API_URL: "https://github.example.com/api/v3/" };

    expect(readArguments(["--repo", "acme/engine"], environment)).toMatchObject({
      baseUrl: "https://github.example.com/api/v3",
    });
  });

  it.each([
    { words: ["--speed", "3"], environment: {}, says: /no argument "--speed"/ },
    { words: ["--repo"], environment: TOKEN, says: /--repo needs a value/ },
    { words: ["--repo", "acme"], environment: TOKEN, says: /owner\/name.*"acme"/ },
    { words: ["--repo", "https://github.com/acme/engine"], environment: TOKEN, says: /owner\/name/ },
    { words: ["--repo", "acme/engine"], environment: {}, says: /GITHUB_TOKEN/ },
    { words: ["--repo", "acme/engine"], environment: { GITHUB_TOKEN: " " }, says: /GITHUB_TOKEN/ },
    { words: ["--repo", "acme/engine"], environment: { ...TOKEN, GITHUB_API_URL: "ftp://x" }, says: /GITHUB_API_URL/ },
    { words: ["--seconds", "56"], environment: {}, says: /from 5 to 55, not "56"/ },
    { words: ["--seconds", "1e1"], environment: {}, says: /from 5 to 55, not "1e1"/ },
    { words: ["--seed", "-1"], environment: {}, says: /--seed must be .* not "-1"/ },
  ])("answers $words with one line", ({ words, environment, says }) => {
    const plan = readArguments(words, environment);

    expect(plan).toMatchObject({ kind: "wrong", message: expect.stringMatching(says) });
    expect(JSON.stringify(plan)).not.toMatch(/\\n|ghp_test/);
  });
});
