import { expect, it } from "vitest";
import { requireProgram } from "./require-program.js";

const wanted = { name: "Thing", remedy: "install thing", requiredBy: "REQUIRE_THING" };
const there = { ...wanted, program: process.execPath, probe: ["-e", ""] };

it("finds a program that runs with all that it needs", async () => {
  expect(await requireProgram(there)).toEqual({ program: process.execPath, missing: false, label: "Thing" });
});

it.each([
  ["is not there", { ...wanted, program: "no-such-program", probe: [] }],
  ["lacks something", { ...there, probe: ["-e", "process.exit(1)"] }],
])("has tests skipped by name where one %s, and fails where it is required", async (_, missing) => {
  expect(await requireProgram(missing, {})).toMatchObject({ missing: true, label: "Thing (skipped: install thing)" });
  await expect(requireProgram(missing, { REQUIRE_THING: "1" })).rejects.toThrow(
    "These tests need Thing (REQUIRE_THING=1); install thing.",
  );
});
