import { INJECTED_TOKEN } from "./options.js";
import type { Target } from "./target.js";

/** The Authorization header that a request is sent with, or that it has none where it needs one. */
export type Authorization =
  | { readonly kind: "found"; readonly value: string | undefined }
  | { readonly kind: "missing"; readonly message: string };

/**
 * The client's own, or the token that is kept for it. The placeholder for that token never leaves this machine, and the
 * token goes to the configured GitHub alone.
 */
export function authorizationFor(target: Target, own: string | undefined, kept: string | undefined): Authorization {
  const isPlaceholder = own !== undefined && PLACEHOLDER.test(own);
  if (own !== undefined && !isPlaceholder) return { kind: "found", value: own };
  if (!takesToken(target)) return { kind: "found", value: undefined };
  if (kept !== undefined) return { kind: "found", value: `token ${kept}` };
  return isPlaceholder ? { kind: "missing", message: UNDECIDED } : { kind: "found", value: undefined };
}

const PLACEHOLDER = new RegExp(`^(?:token|bearer)\\s+${INJECTED_TOKEN}\\s*$`, "i");
const UNDECIDED =
  "The client's token is a placeholder, and this squad-rate proxy was given none to put in its place. Set GH_TOKEN or GITHUB_TOKEN to a token of GitHub's, or start it with --inject-token.";

function takesToken(target: Target): boolean {
  return target.kind === "api" || (target.kind === "other" && (target.role === "site" || target.role === "own"));
}
