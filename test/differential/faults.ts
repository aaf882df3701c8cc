import type { FaultScript } from "../../src/sim/github/faults.js";

/** What may strike the next matching exchange. */
export const FAULTS: readonly FaultScript[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 502, body: "html" },
  { kind: "status", status: 503 },
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
  { kind: "truncate" },
  { kind: "html" },
  { kind: "slow", ms: 700 },
  { kind: "slow", ms: 1_500 },
  { kind: "malformed-headers" },
  { kind: "retry-after-date", seconds: 3 },
  { kind: "primary-limit" },
  { kind: "secondary-limit" },
  { kind: "malformed-headers", headers: { "content-type": null, vary: "*", "last-modified": "yesterday" } },
];
