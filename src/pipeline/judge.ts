import type { Call } from "./call.js";

/** What to do when an attempt has failed. */
export type Verdict = { readonly kind: "done" } | { readonly kind: "admit" };

/** An attempt that only lacked a permit is made again with one; any other failure is the caller's to know. */
export function judge(call: Call): Verdict {
  if (call.needs !== "permit") return { kind: "done" };
  return { kind: "admit" };
}
