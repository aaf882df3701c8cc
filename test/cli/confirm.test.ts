import { describe, expect, it } from "vitest";
import type { CommandEnd } from "../../src/cli/command-end.js";
import { confirmed } from "../../src/cli/confirm.js";

const asked: string[] = [];
const answering = (answer: boolean) => async (question: string) => {
  asked.push(question);
  return answer;
};

describe("asking first", () => {
  it("goes on after a yes, spoken or by flag", async () => {
    await confirmed({ confirm: answering(true) }, "Clear it?", undefined);
    expect(asked.splice(0)).toEqual(["Clear it? [y/N] "]);
    await confirmed({ confirm: answering(false) }, "Clear it?", true);
    await confirmed({ confirm: undefined }, "Clear it?", true);
    expect(asked).toEqual([]);
  });

  it("ends with 77 after a no, and where nobody is there to be asked", async () => {
    await expect(confirmed({ confirm: answering(false) }, "Clear it?", false)).rejects.toMatchObject({
      exitCode: 77,
      message: "nothing was changed",
    } satisfies Partial<CommandEnd>);
    await expect(confirmed({ confirm: undefined }, "Clear it?", undefined)).rejects.toMatchObject({
      exitCode: 77,
      message: "nobody is here to be asked: Clear it?",
      remedy: "pass --yes if that is what you want",
    } satisfies Partial<CommandEnd>);
  });
});
