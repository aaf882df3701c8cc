import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { CommandEnd, EndedBySignal } from "../../src/cli/command-end.js";
import { endingOf } from "../../src/cli/error-line.js";
import { createProgram } from "../../src/cli/program.js";
import { run } from "../../src/cli/run.js";
import { SquadRateError } from "../../src/errors.js";
import { VERSION } from "../../src/version.js";
import { fakeContext } from "./fake-context.js";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

async function ran(words: readonly string[], columns = 80): Promise<{ code: number; out: string; err: string }> {
  const context = fakeContext({ columns });
  const code = await run(context, words);
  return { code, out: context.written.out(), err: context.written.err() };
}

describe("what is wrong on the command line", () => {
  it.each([
    [["plna"], "squad-rate: unknown command 'plna'; did you mean plan? squad-rate --help says what there is\n"],
    [
      ["plan", "--agnets", "5"],
      "squad-rate: unknown option '--agnets'; did you mean --agents? squad-rate plan --help says what there is\n",
    ],
    [
      ["plan", "--agents"],
      "squad-rate: option '--agents <count>' argument missing; squad-rate plan --help says what there is\n",
    ],
    [
      ["plan", "--agents", "many"],
      "squad-rate: option '--agents <count>' argument 'many' is invalid. It must be a whole number from 0 to 100000; squad-rate plan --help says what there is\n",
    ],
    [["simulate", "fleet", "--client", "x"], /^squad-rate: option .*squad-rate simulate fleet --help says what/],
    [["plan", "extra"], /^squad-rate: too many arguments/],
  ])("is one line with the remedy, and ends with 64: %j", async (words, line) => {
    const { code, out, err } = await ran(words);
    expect(err).toMatch(line instanceof RegExp ? line : /./);
    if (typeof line === "string") expect(err).toBe(line);
    expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 64, out: "", lines: 2 });
  });

  it("shows no token that was given in the wrong place", async () => {
    for (const words of [["plan", "--agents", TOKEN], [TOKEN], ["plan", `--${TOKEN}`], ["plan", "--polls", TOKEN]]) {
      const { code, err } = await ran(words);
      expect(code).toBe(64);
      expect(err).not.toContain(TOKEN);
    }
  });
});

describe("help", () => {
  it("is printed on standard error where a command is missing, which is an error", async () => {
    const { code, out, err } = await ran([]);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toMatch(/^Usage: squad-rate /);
    expect(err).not.toContain("squad-rate: ");
  });

  it("is printed on standard output where it was asked for", async () => {
    for (const words of [["--help"], ["help"], ["plan", "--help"], ["help", "plan"], ["simulate", "fleet", "-h"]]) {
      const { code, out, err } = await ran(words);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toMatch(/^Usage: squad-rate /);
    }
  });

  it("is that of a command below another too, and of none that there is not", async () => {
    expect(await ran(["help", "simulate", "fleet"])).toEqual(await ran(["simulate", "fleet", "--help"]));
    expect(await ran(["help", "simulate", "fleat"])).toEqual({
      code: 64,
      out: "",
      err: "squad-rate: unknown command 'fleat'; squad-rate simulate --help says what there is\n",
    });
  });

  it("says of the program what there is, how it is set and what it ends with", async () => {
    const { out } = await ran(["--help"]);
    for (const word of ["plan", "report", "simulate", "SQUAD_RATE_STORE", "Exit codes:", "Examples:", "docs/cli.md"])
      expect(out).toContain(word);
    // Commands come before options.
    expect(out.indexOf("  plan ")).toBeLessThan(out.indexOf("--version"));
  });

  it("has examples for every command, and keeps to the width of the terminal", async () => {
    const namesIn = (command: Command): string[][] =>
      command.commands.flatMap((one) => [
        ...(one.commands.length > 0 ? namesIn(one) : [[]]).map((rest) => [one.name(), ...rest]),
      ]);
    const all = namesIn(createProgram(fakeContext()));
    expect(all).toContainEqual(["simulate", "fleet"]);
    for (const words of [...all, ["simulate"]]) {
      const { code, out } = await ran([...words, "--help"], 80);
      expect(code).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}/);
      const generated = out.slice(0, out.indexOf("Everywhere:"));
      expect(Math.max(...generated.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }
    const wide = (await ran(["plan", "--help"], 200)).out;
    expect(Math.max(...wide.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
    expect(wide.split("\n").length).toBeLessThan((await ran(["plan", "--help"], 60)).out.split("\n").length);
  });
});

it("says its version", async () => {
  expect(await ran(["--version"])).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
});

it("takes what goes for all commands before the command too", async () => {
  const before = await ran(["--color", "plan"]);
  expect(before.out).toContain("\u001b[");
  expect((await ran(["plan", "--color"])).out).toBe(before.out);
  expect((await ran(["plan"])).out).not.toContain("\u001b[");
});

describe("what a command ends with", () => {
  const ending = (error: unknown): { readonly exitCode: number; readonly line: string } => endingOf(error, "help");

  it("is what it says, with one line if it says something", () => {
    expect(ending(new CommandEnd(1))).toEqual({ exitCode: 1, line: "" });
    expect(ending(new CommandEnd(69, { message: "no proxy answers", remedy: "start one" }))).toEqual({
      exitCode: 69,
      line: "squad-rate: no proxy answers; start one",
    });
    expect(ending(new EndedBySignal("SIGTERM"))).toEqual({ exitCode: 143, line: "" });
  });

  it("follows the code of our own errors, and shows their remedy", () => {
    const error = (code: "SQUAD_RATE_OPTIONS" | "SQUAD_RATE_STORE" | "SQUAD_RATE_POOL"): unknown =>
      new SquadRateError(code, "It is so.", { remedy: "Do this." });
    expect(ending(error("SQUAD_RATE_OPTIONS"))).toEqual({ exitCode: 64, line: "squad-rate: It is so; do this" });
    expect(ending(error("SQUAD_RATE_STORE")).exitCode).toBe(69);
    expect(ending(error("SQUAD_RATE_POOL")).exitCode).toBe(1);
  });

  it("says a rule once", () => {
    const remedy = "Give --host a value that is a name, or leave it out for the default.";
    expect(ending(new SquadRateError("SQUAD_RATE_OPTIONS", "--host must be a name; got 7.", { remedy })).line).toBe(
      "squad-rate: --host must be a name; got 7",
    );
  });

  it("is 70 for faults, on one line without what a terminal obeys or a secret", () => {
    const { exitCode, line } = ending(new Error(`boom\nat\u001b[2J redis://u:hunter22@h ${TOKEN}`));
    expect(exitCode).toBe(70);
    expect(line).toMatch(/^squad-rate: boom at\ufffd\[2J redis:\/\/\*\*\*@h \*\*\*; SQUAD_RATE_DEBUG=1 shows where/);
    expect(ending("thrown text").exitCode).toBe(70);
  });
});

it("shows where an error comes from only with SQUAD_RATE_DEBUG=1", async () => {
  const words = ["plan", "--scenario", "/nowhere/at/all.json"];
  expect((await ran(words)).err.split("\n")).toHaveLength(2);
  const context = fakeContext({ env: { SQUAD_RATE_DEBUG: "1" } });
  expect(await run(context, words)).toBe(64);
  expect(context.written.err()).toMatch(/^squad-rate: .*\n(?:.*\n)* +at .*file-problem/);
});
