import { defineConfig } from "vitest/config";
import everyday from "./vitest.config.js";

/**
 * Storms: many processes, fleets over virtual days, the packed tarball. Minutes, not seconds.
 */
export default defineConfig({
  test: {
    ...everyday.test,
    include: ["test/**/*.storm.ts"],
    typecheck: { enabled: false },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
