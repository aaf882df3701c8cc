import { expect, it, onTestFinished, vi } from "vitest";
import { processContext } from "../../src/cli/process-context.js";

it("says that the current folder is gone only to whoever needs it", () => {
  const cwd = vi.spyOn(process, "cwd").mockImplementation(() => {
    throw Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), { code: "ENOENT" });
  });
  onTestFinished(() => cwd.mockRestore());
  const context = processContext();
  expect(() => context.cwd).toThrow(
    expect.objectContaining({ exitCode: 64, message: "the current folder is gone", remedy: "change to another" }),
  );
});
