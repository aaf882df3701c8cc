import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Where `.ci/run` reads how many tests ran; unset, there is no report. */
const report = process.env.VITEST_REPORT;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
    testTimeout: 20_000,
    // Many tests talk to real servers and processes, and wait for them more than they compute.
    maxWorkers: Math.max(3, availableParallelism()),
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/call/route-templates.ts"],
      reporter: ["text", "html", "json-summary"],
      reportsDirectory: "coverage",
    },
  },
});
