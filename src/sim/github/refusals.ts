import type { Principal } from "./world/credentials.js";

/** A refusal's body, before it is turned into bytes. */
export interface RefusalBody {
  readonly message: string;
  readonly documentation_url: string;
  readonly status?: string;
}

const DOCS = "https://docs.github.com";

/** GitHub's words when primary quota is exhausted: they differ by whose it is. */
function primaryMessage(principal: Principal, requestId: string, now: number): string {
  const support = `If you reach out to GitHub Support for help, please include the request ID ${requestId} and timestamp ${timestamp(now)}.`;
  switch (principal.kind) {
    case "address":
      return `API rate limit exceeded for ${principal.id}. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)`;
    case "user":
      return `API rate limit exceeded for user ID ${principal.id}. ${support}`;
    case "installation":
    case "app":
      return `API rate limit exceeded for installation ID ${principal.id}. ${support}`;
    case "actions":
      return `API rate limit exceeded for installation. ${support}`;
  }
}

/** The REST body of a primary refusal. */
export function primaryRefusal(principal: Principal, requestId: string, now: number): RefusalBody {
  return {
    message: primaryMessage(principal, requestId, now),
    documentation_url: `${DOCS}/rest/overview/rate-limits-for-the-rest-api`,
  };
}

/** The GraphQL body of a primary refusal, in the older or the newer of GitHub's two forms. Both come with status 200. */
export function graphqlPrimaryRefusal(
  form: "RATE_LIMITED" | "graphql_rate_limit",
  principal: Principal,
  requestId: string,
  now: number,
): { readonly errors: readonly Readonly<Record<string, string>>[] } {
  const whose = primaryMessage(principal, requestId, now);
  if (form === "RATE_LIMITED") return { errors: [{ type: "RATE_LIMITED", message: whose }] };
  const message = whose.replace("API rate limit exceeded", "API rate limit already exceeded");
  return { errors: [{ type: "RATE_LIMIT", code: "graphql_rate_limit", message }] };
}

/** The body of a secondary refusal. */
export function secondaryRefusal(content: boolean, requestId: string, now: number): RefusalBody {
  const words = content
    ? "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later."
    : "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  return {
    documentation_url: `${DOCS}/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits`,
    message: `${words} If you reach out to GitHub Support for help, please include the request ID ${requestId} and timestamp ${timestamp(now)}.`,
  };
}

function timestamp(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
