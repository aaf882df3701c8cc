import { describe, expect, it } from "vitest";
import { childEnvironment, type Surroundings } from "../../../src/cli/exec/child-environment.js";
import { daemonProgram } from "../../../src/cli/exec/daemon-program.js";
import { hostOf, isEnterprise } from "../../../src/cli/exec/host.js";
import { injectedToken } from "../../../src/cli/exec/injected-token.js";
import { INJECTED_TOKEN } from "../../../src/proxy/options.js";

const SECRET = "s".repeat(43);
const ADMITTED = {
  id: "c1",
  secret: SECRET,
  socketPath: "/run/c.sock",
  apiUrl: `http://127.0.0.1:4000/${SECRET}`,
  graphqlUrl: `http://127.0.0.1:4000/${SECRET}/graphql`,
  rootedApiUrl: `http://127.0.0.1:4000/${SECRET}/rooted`,
};
const SURROUNDINGS: Surroundings = {
  admitted: ADMITTED,
  ghFolder: "/run/gh",
  agent: "data",
  priority: 1,
  session: undefined,
  settings: {},
  runtimeFolder: undefined,
  configFile: undefined,
  hasToken: false,
  enterpriseHost: undefined,
};

describe("what a command finds in its environment", () => {
  it("is the way to the proxy, beside all that was there", () => {
    expect(
      childEnvironment(
        { PATH: "/bin", GITHUB_API_URL: "https://api.github.com", GH_API_URL: "https://elsewhere", EMPTY: undefined },
        SURROUNDINGS,
      ),
    ).toEqual({
      PATH: "/bin",
      GH_CONFIG_DIR: "/run/gh",
      GITHUB_API_URL: ADMITTED.apiUrl,
      GITHUB_GRAPHQL_URL: ADMITTED.graphqlUrl,
      SQUAD_RATE_AGENT: "data",
      SQUAD_RATE_PRIORITY: "1",
      SQUAD_RATE_SOCKET: "/run/c.sock",
      SQUAD_RATE_API_URL: ADMITTED.apiUrl,
      SQUAD_RATE_ROOTED_API_URL: ADMITTED.rootedApiUrl,
    });
  });

  it("leads a command inside to the same proxy", () => {
    const settings = {
      store: "redis://u:p@c",
      pool: "team",
      trace: "/t",
      upstream: "http://127.0.0.1:1",
      host: "ghe.example",
      alsoHosts: ["a.example", "*.b.example"],
      maxWaitMs: 0,
    };
    expect(
      childEnvironment({}, { ...SURROUNDINGS, settings, session: "ta-51", configFile: "/c.json", runtimeFolder: "/r" }),
    ).toMatchObject({
      SQUAD_RATE_STORE: settings.store,
      SQUAD_RATE_POOL: "team",
      SQUAD_RATE_TRACE: "/t",
      SQUAD_RATE_UPSTREAM: settings.upstream,
      SQUAD_RATE_HOST: "ghe.example",
      SQUAD_RATE_ALSO_HOSTS: "a.example,*.b.example",
      SQUAD_RATE_MAX_WAIT_MS: "0",
      SQUAD_RATE_SESSION: "ta-51",
      SQUAD_RATE_CONFIG: "/c.json",
      SQUAD_RATE_RUNTIME_DIR: "/r",
    });
  });

  it("has nothing left of what a flag has overruled", () => {
    const env = { SQUAD_RATE_TRACE: "/old", SQUAD_RATE_SESSION: "old" };
    const child = childEnvironment(env, { ...SURROUNDINGS, settings: { trace: false } });
    expect(child).not.toHaveProperty("SQUAD_RATE_TRACE");
    expect(child).not.toHaveProperty("SQUAD_RATE_SESSION");
  });

  it("leaves tokens alone where the proxy adds none", () => {
    expect(childEnvironment({ GH_TOKEN: "a", GITHUB_TOKEN: "b" }, SURROUNDINGS)).toMatchObject({
      GH_TOKEN: "a",
      GITHUB_TOKEN: "b",
    });
  });

  it("has no token where the proxy adds it, and in its place a word, wherever a client looks for one", () => {
    const env = { GH_TOKEN: "t1", GITHUB_TOKEN: "t2", GH_ENTERPRISE_TOKEN: "t3", GITHUB_ENTERPRISE_TOKEN: "t4" };
    const cloud = childEnvironment(env, { ...SURROUNDINGS, hasToken: true });
    expect([cloud.GH_TOKEN, cloud.GITHUB_TOKEN]).toEqual([INJECTED_TOKEN, INJECTED_TOKEN]);
    expect(cloud).not.toHaveProperty("GH_ENTERPRISE_TOKEN");
    const server = childEnvironment(env, { ...SURROUNDINGS, hasToken: true, enterpriseHost: "ghe.example" });
    expect([server.GH_ENTERPRISE_TOKEN, server.GITHUB_ENTERPRISE_TOKEN]).toEqual([INJECTED_TOKEN, INJECTED_TOKEN]);
    expect(server).not.toHaveProperty("GITHUB_TOKEN");
    for (const child of [cloud, server]) expect(JSON.stringify(child)).not.toMatch(/"t[1-4]"/);
  });

  it("names the Enterprise Server to gh, unless the user has named one", () => {
    const at = { ...SURROUNDINGS, enterpriseHost: "ghe.example" };
    expect(childEnvironment({}, at).GH_HOST).toBe("ghe.example");
    expect(childEnvironment({ GH_HOST: "other.example" }, at).GH_HOST).toBe("other.example");
    expect(childEnvironment({}, SURROUNDINGS)).not.toHaveProperty("GH_HOST");
  });
});

describe("the GitHub that is meant", () => {
  it.each([
    [{}, "github.com", false],
    [{ upstream: "http://127.0.0.1:8080" }, "github.com", false],
    [{ upstream: "http://localhost:8080", host: "ghe.example" }, "ghe.example", true],
    [{ upstream: "https://ghe.example:8443/api/v3" }, "ghe.example:8443", true],
    [{ upstream: "https://api.github.com" }, "github.com", false],
    [{ host: "octo.ghe.com" }, "octo.ghe.com", false],
    [{ host: "GHE.example" }, "ghe.example", true],
  ])("by %j is %s", (where, host, enterprise) => {
    expect([hostOf(where), isEnterprise(where)]).toEqual([host, enterprise]);
  });
});

describe("the token that the proxy is to add", () => {
  it("is looked for where gh looks for it", () => {
    expect(injectedToken({ GH_TOKEN: "a", GITHUB_TOKEN: "b" }, true, false)).toEqual({ kind: "token", token: "a" });
    expect(injectedToken({ GH_TOKEN: "", GITHUB_TOKEN: "b" }, true, false)).toEqual({ kind: "token", token: "b" });
    expect(injectedToken({ GH_TOKEN: "a", GITHUB_ENTERPRISE_TOKEN: "d" }, true, true)).toEqual({
      kind: "token",
      token: "d",
    });
  });

  it("is none unless it is asked for", () => {
    expect(injectedToken({ GH_TOKEN: "a" }, false, false)).toEqual({ kind: "none" });
  });

  it("must be there, for the very host it is for", () => {
    for (const [env, isEnterprise, names] of [
      [{}, false, /GH_TOKEN or GITHUB_TOKEN/],
      [{ GH_TOKEN: "a", GITHUB_TOKEN: "b" }, true, /GH_ENTERPRISE_TOKEN or GITHUB_ENTERPRISE_TOKEN/],
      [{ GH_ENTERPRISE_TOKEN: "c" }, false, /GH_TOKEN or GITHUB_TOKEN/],
    ] as const) {
      expect(() => injectedToken(env, true, isEnterprise)).toThrow(
        expect.objectContaining({ exitCode: 64, message: expect.stringMatching(names), remedy: expect.any(String) }),
      );
    }
  });

  it("is that of the command around this one where that has it", () => {
    const env = { GH_TOKEN: INJECTED_TOKEN, SQUAD_RATE_API_URL: `http://127.0.0.1:1/${SECRET}/api/v3` };
    for (const isWanted of [true, false]) {
      expect(injectedToken(env, isWanted, false)).toEqual({ kind: "outer", secret: SECRET });
    }
  });

  it("is never the word that stands for one", () => {
    expect(() => injectedToken({ GH_TOKEN: INJECTED_TOKEN }, true, false)).toThrow(/finds no token/);
  });
});

describe("the program that serves", () => {
  it("is told nothing on its command line, and inherits no token and no command's settings", () => {
    const { args, env } = daemonProgram({
      PATH: "/bin",
      HTTPS_PROXY: "http://proxy:1",
      GH_TOKEN: "a",
      GITHUB_TOKEN: "b",
      GH_CONFIG_DIR: "/gh",
      SQUAD_RATE_STORE: "redis://u:p@c",
      SQUAD_RATE_AGENT: "data",
    });
    expect(args.slice(-2)).toEqual(["proxy", "--daemon"]);
    expect(env).toEqual({ PATH: "/bin", HTTPS_PROXY: "http://proxy:1" });
  });
});
