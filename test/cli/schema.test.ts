import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { SETTING_KEYS } from "../../src/cli/config/check-setting.js";
import { loadSettings } from "../../src/cli/settings.js";
import { fakeContext } from "./fake-context.js";
import { temporaryFolder } from "./temporary-folder.js";

interface Schema {
  readonly properties: Readonly<
    Record<string, { readonly description: string; readonly examples?: readonly unknown[] }>
  >;
}

const file = new URL("../../schema/squad-rate.config.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
const validate = new Ajv({ allErrors: true, strict: true }).compile(schema);

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

/** By key, values that are right and values that are not. */
const EXAMPLES: Readonly<Record<string, { readonly right: readonly unknown[]; readonly wrong: readonly unknown[] }>> = {
  store: {
    right: [
      "memory:",
      "memory://",
      "file:store",
      "file:~/.squad/store",
      "file:/var/lib/squad",
      "file:///var/lib/squad",
      "redis://localhost",
      "rediss://user@cache.example:6380/1",
      "postgres://localhost/squad",
      "postgresql://me@db.example/squad",
    ],
    wrong: [
      "",
      "memory:x",
      "file:",
      "file://elsewhere/x",
      "redis:localhost",
      "mysql://x",
      "store",
      7,
      null,
      false,
      "redis://u:p@h",
      "postgres://h/d?password=p",
      `file:${TOKEN}`,
    ],
  },
  agent: {
    right: ["data", "a b", "日本", "x".repeat(200)],
    wrong: ["", " ", "a\nb", "a\u2028b", "x".repeat(201), 7, null, TOKEN, "github_pat_11A", ["a"]],
  },
  priority: { right: [0, 1, 2, "P0", "P1", "P2"], wrong: [3, -1, 0.5, "0", "p0", "high", null, true] },
  session: { right: ["ta-51"], wrong: ["", "a\tb", 7, `x ${TOKEN}`] },
  trace: {
    right: [false, "trace.jsonl", "~/t.jsonl", "/tmp/a b.jsonl"],
    wrong: [true, "", 7, null, "a\0b", `/tmp/${TOKEN}`],
  },
  pool: { right: ["crew", "a.b_c-9", "x".repeat(64)], wrong: ["", "a b", "é", "x".repeat(65), 7, TOKEN] },
  maxWaitMs: { right: [0, 60_000, 86_400_000], wrong: [-1, 1.5, 86_400_001, "60000", null] },
  upstream: {
    right: [
      "https://github.example.com",
      "https://github.example.com:8443/api/v3",
      "http://127.0.0.1:8080",
      "http://localhost",
      "http://[::1]:9",
      "http+unix:///run/user/1000/sim.sock",
    ],
    wrong: [
      "",
      "github.example.com",
      "ftp://x",
      "http://github.example.com",
      "https://me@x",
      "https://me:pw@x",
      "https://x?a=b",
      "https://x#y",
      7,
    ],
  },
  host: {
    right: ["github.com", "octocorp.ghe.com", "GitHub.Example.com", "localhost:8080"],
    wrong: ["", "https://github.com", "a b", "a_b", "-a", "a..b", ".", 7, null],
  },
  alsoHosts: {
    right: [[], ["ghcr.io"], ["*.pkg.github.com", "a.b:8443"]],
    wrong: ["ghcr.io", [""], ["*"], ["a.*.b"], [7], null, {}],
  },
};

async function isAccepted(config: unknown): Promise<boolean> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "squad-rate.config.json"), JSON.stringify(config));
  return loadSettings(fakeContext({ cwd: folder, home: folder })).then(
    () => true,
    () => false,
  );
}

describe("the schema of squad-rate.config.json", () => {
  it("has an entry and examples for every setting, and no more", () => {
    expect(Object.keys(schema.properties).sort()).toEqual(["$schema", ...SETTING_KEYS].sort());
    expect(Object.keys(EXAMPLES).sort()).toEqual([...SETTING_KEYS].sort());
    for (const { description } of Object.values(schema.properties)) expect(description).toMatch(/\.$/);
  });

  it.each(Object.entries(EXAMPLES))(
    "accepts and rejects the same as the checker: %s",
    async (key, { right, wrong }) => {
      for (const [values, expected] of [
        [[...right, ...(schema.properties[key]?.examples ?? [])], true],
        [wrong, false],
      ] as const) {
        for (const value of values) {
          const config = { [key]: value };
          expect({ value, schema: validate(config), checker: await isAccepted(config) }).toEqual({
            value,
            schema: expected,
            checker: expected,
          });
        }
      }
    },
  );

  it.each([
    [{}, true],
    [{ $schema: "./node_modules/octokit-plugin-squad-rate/schema/squad-rate.config.schema.json" }, true],
    [{ agnet: "x" }, false],
    [[], false],
    ["x", false],
    [null, false],
  ])("accepts and rejects the same as the checker: %j", async (config, expected) => {
    expect(validate(config)).toBe(expected);
    expect(await isAccepted(config)).toBe(expected);
  });
});
