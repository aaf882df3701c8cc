import type { Check } from "./check.js";

const OLDEST = 20;

/** Whether this Node runs this package. `version` is as `process.version` has it. */
export function nodeCheck(version: string, oldest: number = OLDEST): Check {
  return {
    name: "node",
    look: async () => {
      const major = Number(/^v(\d+)/.exec(version)?.[1]);
      if (major >= oldest) return { state: "ok", found: version };
      return { state: "bad", found: version, remedy: `install Node.js ${oldest} or later` };
    },
  };
}
