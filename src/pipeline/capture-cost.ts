import type { Outcome } from "../call/outcome.js";
import type { CostCapture } from "../graphql/operation.js";
import type { RateLimitTold } from "../graphql/rate-limit.js";
import { readCostInAnswer } from "../graphql/read-cost-in-answer.js";
import { replaceQueryInBody } from "../graphql/replace-query-in-body.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import { TextResponse } from "./text-response.js";
import type { Wire } from "./wire.js";

/** How one request is made to tell its cost. */
export interface Capturing {
  readonly capture: CostCapture;
  /** The body to send in place of the request's own; undefined: that one. */
  readonly body: string | undefined;
}

/** An answer as the caller is to see it, and what it said of its cost. */
export interface ToldAnswer {
  readonly response: Response;
  readonly text: string | undefined;
  readonly told: RateLimitTold | undefined;
  /** The server turned the query down for what was added to it, so that it is to be sent as it is. */
  readonly spoiled: boolean;
}

/** How a call's request can be made to tell its cost; undefined when it is sent, and answered, as it is. */
export function capturingOf({ graphql: desk }: Engine, call: Call, wire: Wire): Capturing | undefined {
  const { graphql, facts } = call;
  if (desk === undefined || graphql === undefined) return undefined;
  const { capture } = graphql.operation;
  if (capture.kind === "present") return { capture, body: undefined };
  if (capture.kind === "none" || wire.body === undefined || !desk.capturesAt(facts.host)) return undefined;
  // A length or a coding that the caller has announced is the caller's to keep.
  if (wire.header("content-length") !== undefined || wire.header("content-encoding") !== undefined) return undefined;
  const body = replaceQueryInBody(wire.body, graphql.document, capture.document);
  return body === undefined ? undefined : { capture, body };
}

/** Reads the cost in an answer, and takes out of it what the caller did not ask for. */
export function readTold({ capture }: Capturing, text: string | undefined, response: Response): ToldAnswer {
  // Without a whole text there is nothing that could be cut out of it.
  if (text === undefined || !(response instanceof TextResponse)) {
    return { response, text, told: undefined, spoiled: false };
  }
  const { told, text: shown, spoiled } = readCostInAnswer(text, capture);
  return { response: shown === text ? response : response.withText(shown), text: shown, told, spoiled };
}

/**
 * What the server made of the addition. `spoiled`: it turned the query down for that. `doubtful`: it turned it down, and has
 * never answered such an addition; it may take only documents that it knows, each server saying so in words of its own.
 */
export type Addition = "fine" | "spoiled" | "doubtful";

export function additionIn(
  { graphql: desk }: Engine,
  { facts: { host } }: Call,
  capturing: Capturing | undefined,
  told: ToldAnswer | undefined,
  outcome: Outcome,
): Addition {
  if (desk === undefined || told === undefined || capturing?.body === undefined) return "fine";
  if (told.spoiled) return "spoiled";
  if (told.told !== undefined) desk.hasTold(host);
  return !desk.tellsAt(host) && isTurnedDown(outcome, told.text) ? "doubtful" : "fine";
}

/** Whether nothing of a query was carried out, for a reason that may be the document. */
function isTurnedDown(outcome: Outcome, text: string | undefined): boolean {
  if (outcome.kind === "client-error") return outcome.status !== 401;
  return outcome.kind === "graphql-error" && text !== undefined && !isAnswer(text);
}

function isAnswer(text: string): boolean {
  try {
    const { data, errors } = JSON.parse(text) as { readonly data?: unknown; readonly errors?: unknown };
    if (data !== undefined && data !== null) return true;
    // A null that has come up from a field within is an answer, and so is a reason that GitHub has a name for.
    return (
      Array.isArray(errors) && errors.some((error) => Array.isArray(error?.path) || typeof error?.type === "string")
    );
  } catch {
    return false;
  }
}
