import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endingOf } from "../../src/cli/error-line.js";
import { loadSettings } from "../../src/cli/settings.js";
import type { Flags } from "../../src/cli/shared-options.js";
import { type FakeContextOptions, fakeContext } from "./fake-context.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Made up here, so that no scanner of secrets finds it in the file. */
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

/** A home with a project in it, and in the project a folder two levels down. */
function project(config?: unknown): { home: string; root: string; deep: string } {
  const home = temporaryFolder();
  const root = join(home, "project");
  const deep = join(root, "src", "cli");
  mkdirSync(deep, { recursive: true });
  if (config !== undefined) {
    writeFileSync(join(root, "squad-rate.config.json"), typeof config === "string" ? config : JSON.stringify(config));
  }
  return { home, root, deep };
}

/** What the settings end with, as a user sees it. */
async function problem(options: FakeContextOptions, flags: Flags = {}): Promise<string> {
  const error = await loadSettings(fakeContext(options), flags).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeDefined();
  const { exitCode, line } = endingOf(error, "squad-rate --help");
  expect(exitCode).toBe(64);
  return line;
}

/** The same of a configuration file. */
async function problemOf(config: unknown): Promise<string> {
  const { home, root } = project(config);
  return problem({ cwd: root, home });
}

describe("where settings come from", () => {
  it("takes each from its flag, else the environment, else the file, and says which", async () => {
    const { home, root } = project({ agent: "of-file", session: "of-file", pool: "of-file" });
    const context = fakeContext({
      cwd: root,
      home,
      env: { SQUAD_RATE_AGENT: "of-environment", SQUAD_RATE_SESSION: "of-environment" },
    });
    expect(await loadSettings(context, { agent: "of-flag" })).toEqual({
      agent: "of-flag",
      session: "of-environment",
      pool: "of-file",
      configFile: join(root, "squad-rate.config.json"),
      origins: { agent: "--agent", session: "SQUAD_RATE_SESSION", pool: "squad-rate.config.json: pool" },
    });
  });

  it("is empty where nothing is said", async () => {
    expect(await loadSettings(fakeContext({ cwd: temporaryFolder() }))).toEqual({
      configFile: undefined,
      origins: {},
    });
  });

  it("counts an empty variable as unset", async () => {
    const { home, root } = project({ agent: "of-file" });
    const context = fakeContext({ cwd: root, home, env: { SQUAD_RATE_AGENT: "", SQUAD_RATE_CONFIG: "" } });
    expect((await loadSettings(context)).agent).toBe("of-file");
  });

  it("reads every variable", async () => {
    const env = {
      SQUAD_RATE_STORE: "memory:",
      SQUAD_RATE_AGENT: "data",
      SQUAD_RATE_PRIORITY: "p2",
      SQUAD_RATE_SESSION: "ta-51",
      SQUAD_RATE_TRACE: "/tmp/trace.jsonl",
      SQUAD_RATE_POOL: "crew",
      SQUAD_RATE_UPSTREAM: "http://127.0.0.1:8080",
      SQUAD_RATE_HOST: "github.example.com",
      SQUAD_RATE_ALSO_HOSTS: "a.example, *.b.example",
      SQUAD_RATE_MAX_WAIT_MS: "0",
    };
    expect(await loadSettings(fakeContext({ cwd: temporaryFolder(), env }))).toMatchObject({
      store: "memory:",
      agent: "data",
      priority: 2,
      session: "ta-51",
      trace: "/tmp/trace.jsonl",
      pool: "crew",
      upstream: "http://127.0.0.1:8080",
      host: "github.example.com",
      alsoHosts: ["a.example", "*.b.example"],
      maxWaitMs: 0,
    });
  });

  it("takes priorities by number and by name", async () => {
    const context = fakeContext({ cwd: temporaryFolder() });
    const priorities = await Promise.all(
      ["0", "P1", "p2"].map(async (priority) => (await loadSettings(context, { priority })).priority),
    );
    expect(priorities).toEqual([0, 1, 2]);
  });
});

describe("the configuration file", () => {
  it("is the nearest one above", async () => {
    const { home, root, deep } = project({ agent: "of-project" });
    writeFileSync(join(home, "squad-rate.config.json"), JSON.stringify({ agent: "of-home", session: "of-home" }));
    const settings = await loadSettings(fakeContext({ cwd: deep, home }));
    expect(settings).toMatchObject({ agent: "of-project", configFile: join(root, "squad-rate.config.json") });
    expect(settings.session).toBeUndefined();
  });

  it("is looked for up to the home folder, and not beyond", async () => {
    const { home, root, deep } = project({ agent: "of-project" });
    expect((await loadSettings(fakeContext({ cwd: deep, home: root }))).agent).toBe("of-project");
    expect((await loadSettings(fakeContext({ cwd: deep, home: join(root, "src") }))).configFile).toBeUndefined();
    writeFileSync(join(home, "squad-rate.config.json"), JSON.stringify({ agent: "of-home" }));
    expect((await loadSettings(fakeContext({ cwd: home, home }))).agent).toBe("of-home");
  });

  it("is passed over with --no-config", async () => {
    const { home, root } = project("broken");
    expect(await loadSettings(fakeContext({ cwd: root, home }), { config: false })).toMatchObject({
      configFile: undefined,
    });
  });

  it("may have another name, by flag before variable", async () => {
    const { home, root } = project({ agent: "not this" });
    writeFileSync(join(root, "one.json"), JSON.stringify({ agent: "one" }));
    writeFileSync(join(root, "two.json"), JSON.stringify({ agent: "two" }));
    const context = fakeContext({ cwd: root, home, env: { SQUAD_RATE_CONFIG: "one.json" } });
    expect((await loadSettings(context)).agent).toBe("one");
    expect((await loadSettings(context, { config: "two.json" })).agent).toBe("two");
    expect(await problem({ cwd: root, home }, { config: "three.json" })).toBe(
      "squad-rate: there is no configuration file three.json; give --config the path of one, or leave it out",
    );
  });

  it("has paths that are relative to itself; flags and variables are relative to where one is", async () => {
    const { home, root, deep } = project({ store: "file:.squad/store", trace: "trace.jsonl" });
    expect(await loadSettings(fakeContext({ cwd: deep, home }))).toMatchObject({
      store: `file:${root}/.squad/store`,
      trace: `${root}/trace.jsonl`,
    });
    const context = fakeContext({ cwd: deep, home, env: { SQUAD_RATE_STORE: "file:store" } });
    expect(await loadSettings(context, { trace: "t.jsonl" })).toMatchObject({
      store: `file:${deep}/store`,
      trace: `${deep}/t.jsonl`,
    });
  });

  it("leaves absolute paths and those from the home folder as they are", async () => {
    const { home, root } = project({ store: "file:~/.squad/store", trace: "/var/log/trace.jsonl" });
    expect(await loadSettings(fakeContext({ cwd: root, home }))).toMatchObject({
      store: "file:~/.squad/store",
      trace: "/var/log/trace.jsonl",
    });
  });

  it("can switch the trace off", async () => {
    const { home, root } = project({ trace: false });
    expect((await loadSettings(fakeContext({ cwd: root, home }))).trace).toBe(false);
  });

  it("may begin with a byte order mark", async () => {
    const { home, root } = project('\ufeff{ "agent": "data" }');
    expect((await loadSettings(fakeContext({ cwd: root, home }))).agent).toBe("data");
  });
});

describe("what is wrong in the configuration file", () => {
  it.each([
    ["{", "1:2", "a name in double quotes"],
    ['{\n  "agent": "data",\n}', "3:1", "a name in double quotes"],
    ['{ "agent": "data" "pool": "x" }', "1:19", '"," or "}"'],
    ["{ 'agent': 1 }", "1:3", "a name in double quotes"],
    ['{ "agent" "data" }', "1:11", '":"'],
    ['{ "agent": data }', "1:12", "a value"],
    ['{ "agent": "da\nta" }', "1:15", 'the closing "'],
    ['{ "agent": "\\x" }', "1:13", "an escape such as \\n"],
    ['{ "alsoHosts": ["a" }', "1:21", '"," or "]"'],
    ["// mine\n{}", "1:1", "a value"],
    ['{ "maxWaitMs": 01 }', "1:17", '"," or "}"'],
    ["{} {}", "1:4", "the end"],
    ["", "1:1", "a value"],
  ])("names line and column of broken JSON: %j", async (text, place, expected) => {
    expect(await problemOf(text)).toBe(
      `squad-rate: squad-rate.config.json:${place}: this is not JSON; expected ${expected} here`,
    );
  });

  it.each([
    ["[]", "an array"],
    ["null", "null"],
    ['"x"', '"x"'],
  ])("wants an object, not %s", async (text, shown) => {
    expect(await problemOf(text)).toContain(`squad-rate.config.json must hold an object; it holds ${shown};`);
  });

  it("does not say twice what a value must be", async () => {
    expect(await problemOf({ maxWaitMs: "60" })).toBe(
      'squad-rate: squad-rate.config.json: maxWaitMs must be a whole number of milliseconds from 0 to 86400000; got "60"',
    );
  });

  it("suggests the key that was meant", async () => {
    expect(await problemOf({ agnet: "data" })).toBe(
      'squad-rate: squad-rate.config.json: there is no setting "agnet"; did you mean "agent"?',
    );
    expect(await problemOf({ colour: true })).toContain(
      'there is no setting "colour"; there are: store, agent, priority,',
    );
  });

  it.each([
    [{ priority: 3 }, "priority must be 0, 1 or 2 (or P0, P1, P2); got 3"],
    [{ priority: "0" }, 'priority must be 0, 1 or 2 (or P0, P1, P2); got "0"'],
    [{ agent: "" }, 'agent must be 1 to 200 printable characters; got ""'],
    [{ session: 5 }, "session must be 1 to 200 printable characters; got 5"],
    [{ pool: "a b" }, "pool must be 1 to 64 letters"],
    [{ maxWaitMs: 1.5 }, "maxWaitMs must be a whole number of milliseconds from 0 to 86400000; got 1.5"],
    [{ maxWaitMs: "60" }, 'maxWaitMs must be a whole number of milliseconds from 0 to 86400000; got "60"'],
    [{ trace: true }, "trace must be the path of a file"],
    [{ store: 7 }, "store must be the address of a store"],
    [{ store: "redis" }, "store: The address of a store must be memory:"],
    [{ upstream: "ftp://x" }, "upstream must be an address such as"],
    [{ upstream: "http://github.example.com" }, "upstream must begin with https:, or be on this machine"],
    [{ host: "https://x" }, "host must be a host's name"],
    [{ alsoHosts: "x" }, "alsoHosts must be an array of host names"],
    [{ alsoHosts: ["ok.example", "a b"] }, "alsoHosts[1] must be a host's name"],
  ])("names file, key, bound and value of %j", async (config, message) => {
    expect(await problemOf(config)).toContain(`squad-rate: squad-rate.config.json: ${message}`);
  });

  it.each([
    { agent: TOKEN },
    { token: TOKEN },
    { [TOKEN]: "x" },
    { session: `Bearer ${TOKEN}` },
    { trace: `/tmp/${TOKEN}` },
    { alsoHosts: ["x", TOKEN] },
    { store: "redis://user:hunter22@localhost" },
    { store: "postgres://localhost/db?password=hunter22" },
    { upstream: "https://me:hunter22@github.example.com" },
  ])("refuses what looks like a credential, and shows none of it", async (config) => {
    const line = await problemOf(config);
    expect(line).toContain("holds what looks like a credential, which belongs never in a file");
    expect(line).not.toContain("hunter22");
    expect(line).not.toContain(TOKEN);
  });

  it("never quotes the text around a fault", async () => {
    expect(await problemOf(`{ "store": "redis://u:hunter22@h" "x" }`)).not.toContain("hunter22");
  });
});

describe("what is wrong elsewhere", () => {
  it("names the flag or the variable", async () => {
    const cwd = temporaryFolder();
    expect(await problem({ cwd }, { priority: "urgent" })).toBe(
      'squad-rate: --priority must be 0, 1 or 2 (or P0, P1, P2); got "urgent"',
    );
    expect(await problem({ cwd, env: { SQUAD_RATE_HOST: "a b" } })).toBe(
      'squad-rate: SQUAD_RATE_HOST must be a host\'s name, such as github.example.com; got "a b"',
    );
  });

  it("takes no credential for a name, a path or a host", async () => {
    const cwd = temporaryFolder();
    for (const flag of ["agent", "session", "trace", "pool", "host", "upstream"] as const) {
      const line = await problem({ cwd }, { [flag]: TOKEN });
      expect(line).toContain(`--${flag}`);
      expect(line).not.toContain(TOKEN);
    }
  });

  it("shows no store's password", async () => {
    const line = await problem({ cwd: temporaryFolder() }, { store: "reddis://u:hunter22@h" });
    expect(line).toContain("--store: The address of a store must be");
    expect(line).not.toContain("hunter22");
  });
});
