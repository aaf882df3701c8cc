import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-code.js";
import { createProgram } from "../../src/cli/program.js";
import { fakeContext } from "./fake-context.js";

const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
const program = createProgram(fakeContext());

/** Commands that do something themselves, by the words that call them. */
function actions(parent: Command, words: readonly string[] = []): readonly (readonly [string, Command])[] {
  return parent.commands.flatMap((command) => {
    const name = [...words, command.name()];
    const own = command.commands.length === 0 || command.registeredArguments.length > 0;
    return [...(own ? [[name.join(" "), command] as const] : []), ...actions(command, name)];
  });
}

/** The part of the page under a heading, to the next one of any level. */
function section(heading: string): string {
  const [, after = ""] = page.split(new RegExp(`^#{2,3} ${heading}$`, "m"));
  return after.split(/^#{1,3} /m)[0] ?? "";
}

const shared = section("Settings") + section("What goes for all commands") + section("For operators");

describe("docs/cli.md", () => {
  it("has every command in its table", () => {
    const [table = ""] = page.split("## What goes for all commands");
    for (const [name] of actions(program)) expect(table).toContain(`[\`${name}\`](#${name.replace(" ", "-")})`);
  });

  it.each(actions(program))("explains every option of %s", (name, command) => {
    const text = section(name);
    expect(text).not.toBe("");
    for (const { long, hidden } of command.options) {
      if (!hidden) expect(text + shared).toContain(`${long}`);
    }
  });

  it("explains every exit code", () => {
    const table = section("What goes for all commands");
    for (const code of Object.values(EXIT)) {
      expect(table).toMatch(new RegExp(`^\\| (?:\\d+, )?${code}(?:, \\d+)? \\|`, "m"));
    }
  });

  it("has no heading of a command that is not there", () => {
    const names = actions(program).map(([name]) => name);
    const headings = [...page.matchAll(/^#{2,3} ([a-z][a-z ]*)$/gm)].map(([, heading]) => heading);
    expect([...headings].sort()).toEqual([...names].sort());
  });
});
