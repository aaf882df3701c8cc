import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../../src/cli/run.js";
import { createReport, type Report } from "../../../src/report/index.js";
import { attempt, call } from "../../report/attempt.js";
import { type FakeContextOptions, fakeContext } from "../fake-context.js";
import { temporaryFolder } from "../temporary-folder.js";

const RECORDS = [
  attempt(0, { agent: "data" }),
  call(0, { agent: "data" }),
  attempt(3_600_000, { agent: "ralph" }),
  call(3_600_000, { agent: "ralph" }),
];
const TRACE = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join("");

async function reported(
  words: readonly string[],
  options: FakeContextOptions = {},
): Promise<{ code: number; out: string; err: string }> {
  const context = fakeContext(options);
  const code = await run(context, ["report", ...words]);
  return { code, out: context.written.out(), err: context.written.err() };
}

function withTrace(text = TRACE): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "trace.jsonl"), text);
  return cwd;
}

const agentsIn = (json: string): string[] =>
  (JSON.parse(json) as Report).spend.agents.rows.map(({ name }) => name ?? "");

describe("squad-rate report", () => {
  it("prints the report of a file as text", async () => {
    const { code, out, err } = await reported(["trace.jsonl"], { cwd: withTrace() });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Who spent it\n/);
    expect(out).toMatch(/\nBY AGENT\n(?:.*\n)*data /);
    expect(out).not.toContain("\u001b");
  });

  it("prints it as JSON, which is what createReport makes", async () => {
    const { out } = await reported(["trace.jsonl", "--json", "--title", "Mine"], { cwd: withTrace() });
    const made = await createReport({ records: RECORDS }, { title: "Mine" });
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(made)));
  });

  it("writes a page, and says so on standard error", async () => {
    const cwd = withTrace();
    expect(await reported(["trace.jsonl", "--html", "r.html"], { cwd })).toEqual({
      code: 0,
      out: "",
      err: "wrote r.html\n",
    });
    expect(readFileSync(join(cwd, "r.html"), "utf8")).toMatch(/^<!doctype html>/);
    expect((await reported(["trace.jsonl", "--html", "-"], { cwd })).out).toMatch(/^<!doctype html>/);
  });

  it("reads standard input", async () => {
    const { code, out } = await reported(["-", "--json"], { input: TRACE });
    expect(code).toBe(0);
    expect(agentsIn(out).sort()).toEqual(["data", "ralph"]);
  });

  it("reads several files and folders", async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "traces"));
    const [first = "", ...rest] = TRACE.split("\n");
    writeFileSync(join(cwd, "a.jsonl"), `${first}\n`);
    writeFileSync(join(cwd, "traces", "b.jsonl"), rest.join("\n"));
    const { out } = await reported(["a.jsonl", "traces", "--json"], { cwd });
    expect(JSON.parse(out)).toEqual(JSON.parse((await reported(["-", "--json"], { input: TRACE })).out));
  });

  it("reads the trace of the settings where no file is named", async () => {
    const cwd = withTrace();
    writeFileSync(join(cwd, "squad-rate.config.json"), JSON.stringify({ trace: "trace.jsonl" }));
    expect((await reported(["--json"], { cwd, home: cwd })).code).toBe(0);
    expect((await reported(["--json", "--no-config"], { cwd, home: cwd })).code).toBe(64);
    const env = { SQUAD_RATE_TRACE: join(cwd, "trace.jsonl") };
    expect((await reported(["--json"], { cwd: temporaryFolder(), env })).code).toBe(0);
  });

  it("takes a part of the time, by how long ago or by when", async () => {
    const cwd = withTrace();
    const base = RECORDS[0]?.at ?? 0;
    const clock = { now: () => base + 2 * 3_600_000, monotonic: () => 0, timer: () => () => {} };
    expect(agentsIn((await reported(["trace.jsonl", "--json", "--since", "90m"], { cwd, clock })).out)).toEqual([
      "ralph",
    ]);
    const middle = new Date(base + 1_800_000).toISOString();
    expect(agentsIn((await reported(["trace.jsonl", "--json", "--until", middle], { cwd })).out)).toEqual(["data"]);
  });

  it("goes on without a file that is not there, and says so", async () => {
    const { code, out, err } = await reported(["gone.jsonl", "trace.jsonl", "--json"], { cwd: withTrace() });
    expect(code).toBe(0);
    expect(agentsIn(out)).toHaveLength(2);
    expect(err).toBe("squad-rate: gone.jsonl cannot be read: there is no such file\n");
  });

  it("ends with 1 where nothing can be read", async () => {
    const { code, out, err } = await reported(["gone.jsonl"], { cwd: temporaryFolder() });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("there is no trace to read");
    expect(await reported(["trace.jsonl"], { cwd: withTrace("no trace\n") })).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(
        /1 of 1 line could not be used, the first at trace\.jsonl:1: not JSON.*\n.*there are no records in 1 line/,
      ),
    });
    expect((await reported(["-"], { input: "" })).code).toBe(1);
  });

  it("ends with 1 where nothing is in the time that was asked for", async () => {
    const { code, err } = await reported(["trace.jsonl", "--since", "2999-01-01"], { cwd: withTrace() });
    expect(code).toBe(1);
    expect(err).toContain("there are no records in 4 lines but for 4 outside the time asked for; give another --since");
  });

  it("tells of lines that could not be used, on standard error alone", async () => {
    const { code, out, err } = await reported(["trace.jsonl", "--json"], { cwd: withTrace(`{"torn\n${TRACE}`) });
    expect(code).toBe(0);
    expect(agentsIn(out)).toHaveLength(2);
    expect(err).toMatch(/^squad-rate: 1 of 5 lines could not be used, the first at trace\.jsonl:1: not JSON.*\n$/);
  });

  it.each([
    [["-", "trace.jsonl"], 64, "- (standard input) cannot be merged with files"],
    [["trace.jsonl", "--since", "yesterday"], 64, '--since takes a time, not "yesterday"'],
    [
      ["trace.jsonl", "--html", "no/such/folder/r.html"],
      73,
      "no/such/folder/r.html cannot be written: there is no such folder",
    ],
  ])("says what is wrong with %j", async (words, exitCode, message) => {
    const { code, out, err } = await reported(words, { cwd: withTrace() });
    expect({ code, out }).toEqual({ code: exitCode, out: "" });
    expect(err).toContain(`squad-rate: ${message}`);
  });

  it("has bold headings and the terminal's width on a terminal", async () => {
    const cwd = withTrace();
    const { out } = await reported(["trace.jsonl"], { cwd, isTerminal: true, columns: 80 });
    expect(out).toContain("\u001b[1mBY AGENT\u001b[22m\n");
    expect((await reported(["trace.jsonl", "--no-color"], { cwd, isTerminal: true })).out).not.toContain("\u001b");
  });
});
