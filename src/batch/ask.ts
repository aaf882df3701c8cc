import { WatchedRequest } from "../adapter/watched-request.js";
import type { OutcomeKind } from "../call/outcome.js";
import type { Clock } from "../clock.js";
import type { RetryOutcome } from "../policy/retry.js";
import type { BatchRequestOptions } from "./check-options.js";
import type { Composed } from "./compose.js";
import { GraphqlItemError } from "./item-error.js";
import { outcomeOfError } from "./outcome-of-error.js";

/** An Octokit's own `graphql`. */
export type Graphql = (query: string, parameters: Record<string, unknown>) => Promise<unknown>;

/** What became of a query. */
export type Reply =
  /** GitHub answered, `tooMuch`: not all of it, because that took too long or too much. */
  | {
      readonly kind: "answered";
      readonly data: Readonly<Record<string, unknown>>;
      readonly errors: unknown;
      readonly tooMuch: boolean;
    }
  /** It took too long or too much, and a smaller one may not. */
  | { readonly kind: "too-much"; readonly error: Error }
  /** GitHub did not carry it out, because something in the document is wrong. */
  | { readonly kind: "turned-down"; readonly error: Error; readonly errors: unknown }
  /** It was not sent, or refused, or failed; that is nothing to do with what it asks for. */
  | { readonly kind: "failed"; readonly error: Error };

const TOO_MUCH: ReadonlySet<unknown> = new Set<OutcomeKind>(["graphql-timeout", "query-too-large"]);

/** Sends a query for several items. What went wrong is in the reply; it never rejects. */
export async function ask(
  graphql: Graphql,
  { document, variables, count }: Composed,
  request: BatchRequestOptions,
  clock: Clock,
): Promise<Reply> {
  // One that times out is sent once more if it cannot be divided; each try may cost units.
  const watched = new WatchedRequest(request.squad, { dividesTimeouts: count > 1 });
  try {
    const data = await graphql(document, { ...variables, request: { ...request, squad: watched } });
    if (isRecord(data)) return { kind: "answered", data, errors: undefined, tooMuch: false };
    return withoutData(watched.call?.ended?.outcome, new GraphqlItemError([{ message: UNREADABLE }]), undefined);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error("The query failed.", { cause: thrown });
    const outcome = watched.call?.ended?.outcome ?? outcomeOfError(error, clock.now());
    const { data, errors } = error as { readonly data?: unknown; readonly errors?: unknown };
    if (!Array.isArray(errors)) return withoutData(outcome, error, undefined);
    if (isRecord(data)) return { kind: "answered", data, errors, tooMuch: TOO_MUCH.has(outcome) };
    return withoutData(outcome, error, errors);
  }
}

const UNREADABLE = "GitHub's answer cannot be read.";

function withoutData(outcome: OutcomeKind | RetryOutcome | undefined, error: Error, errors: unknown): Reply {
  if (TOO_MUCH.has(outcome)) return { kind: "too-much", error };
  return outcome === "graphql-error" ? { kind: "turned-down", error, errors } : { kind: "failed", error };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
