import type { AnswerDesk, Exchange, Outcome } from "./exchange.js";
import { loadGraphQL } from "./graphql/load-graphql.js";
import { type GitHubError, type QueryBody, QueryRunner } from "./graphql/run-query.js";
import type { PreparedGraphQL } from "./prepared-graphql.js";
import { jsonReply } from "./refusal-replies.js";
import { rateHeaders, scopeHeaders } from "./reply-headers.js";
import { iso } from "./rest/render-values.js";
import type { WireRequest } from "./wire.js";
import { actorOf } from "./world/visibility.js";

/** Mutations that count as creating content. */
const CREATES_CONTENT = new Set(["createIssue", "createPullRequest", "addComment", "addPullRequestReview"]);
const UNREADABLE: PreparedGraphQL = {
  isMutation: false,
  createsContent: false,
  rootFields: [],
  body: undefined,
  query: undefined,
};

/** Takes GraphQL requests: reads, charges, runs. */
export class GraphQLDesk {
  readonly #desk: AnswerDesk;
  #runner: QueryRunner | undefined;

  constructor(desk: AnswerDesk) {
    this.#desk = desk;
  }

  /** Reads a request, as far as the secondary limits and the charge need it. */
  prepare(request: WireRequest): PreparedGraphQL {
    const body = readBody(request.body);
    if (body === undefined) return UNREADABLE;
    this.#runner ??= new QueryRunner(loadGraphQL());
    const query = this.#runner.read(body);
    if (query.kind === "broken") return { ...UNREADABLE, body, query };
    const fields = query.operation.selectionSet.selections.flatMap((one) => (one.kind === "Field" ? [one] : []));
    return {
      isMutation: query.operation.operation === "mutation",
      createsContent:
        query.operation.operation === "mutation" && fields.some((one) => CREATES_CONTENT.has(one.name.value)),
      rootFields: fields.map((one) => one.alias?.value ?? one.name.value),
      body,
      query,
    };
  }

  answer(exchange: Exchange, { body, query, isMutation, rootFields }: PreparedGraphQL): Outcome {
    const { identity } = exchange;
    if (identity.problem !== undefined)
      return this.#reply(exchange, 1, 401, {
        message: identity.problem,
        documentation_url: "https://docs.github.com/graphql",
        status: "401",
      });
    const viewer = actorOf(identity.credential);
    if (viewer === undefined)
      return this.#reply(exchange, 1, 401, {
        message: "This endpoint requires you to be authenticated.",
        documentation_url:
          "https://docs.github.com/graphql/guides/forming-calls-with-graphql#authenticating-with-graphql",
        status: "401",
      });
    if (body === undefined || query === undefined)
      return this.#reply(exchange, 1, 400, {
        message: "Problems parsing JSON",
        documentation_url: "https://docs.github.com/graphql",
        status: "400",
      });
    if (query.kind === "broken") return this.#reply(exchange, 1, 200, { errors: query.errors });
    const [problem] = query.cost.problems;
    if (problem !== undefined) return this.#reply(exchange, 1, 200, { errors: query.cost.problems });
    const units = isMutation ? 1 : query.cost.units;
    const charged = query.dryRun ? 0 : units;
    const reading = this.#charge(exchange, charged);
    const { limit, used, remaining, resetAt } = reading;
    // Where limits are switched off there is nothing to tell.
    const rateLimit = this.#desk.isMetered(exchange)
      ? { cost: units, limit, nodeCount: query.cost.nodes, remaining, resetAt: iso(resetAt), used }
      : null;
    const { state } = this.#desk;
    const context = { state, credential: identity.credential, viewer, origins: exchange.request.origins, rateLimit };
    const result = (this.#runner as QueryRunner).run(query, context, body.variables);
    const shown = exchange.fault?.kind === "resource-limits" ? resourceLimits(result, rootFields) : result;
    return this.#finish(exchange, charged, 200, shown, reading);
  }

  #charge(exchange: Exchange, units: number): Outcome["reading"] {
    const { windows, state } = this.#desk;
    return windows.charge(exchange.quota, this.#desk.isMetered(exchange) ? units : 0, state.now(), exchange.region);
  }

  #reply(exchange: Exchange, units: number, status: number, body: unknown): Outcome {
    return this.#finish(exchange, units, status, body, this.#charge(exchange, units));
  }

  #finish(exchange: Exchange, units: number, status: number, body: unknown, reading: Outcome["reading"]): Outcome {
    const metered = this.#desk.isMetered(exchange);
    const rate = metered ? rateHeaders(this.#desk.windows.jittered(reading)) : [];
    const reply = jsonReply(this.#desk, exchange, status, body, [
      ...scopeHeaders(exchange.identity.credential),
      ...rate,
    ]);
    return { reply, units: metered ? units : 0, reading, refusedBy: undefined };
  }
}

/** What GitHub has done since September 2025 with queries that take too much: a part of the answer is null. */
function resourceLimits(
  result: { readonly data: unknown; readonly errors?: readonly GitHubError[] },
  rootFields: readonly string[],
): unknown {
  const lost = rootFields.find((name) => name !== "rateLimit");
  const error = {
    type: "RESOURCE_LIMITS_EXCEEDED",
    ...(lost === undefined ? {} : { path: [lost] }),
    message: "Resource limits for this query exceeded.",
  };
  const data = { ...(result.data as object), ...(lost === undefined ? {} : { [lost]: null }) };
  return { data, errors: [...(result.errors ?? []), error] };
}

function readBody(body: string | Uint8Array | undefined): QueryBody | undefined {
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    if (typeof value !== "object" || value === null) return undefined;
    const { query, variables, operationName } = value as Readonly<Record<string, unknown>>;
    if (typeof query !== "string") return undefined;
    return {
      query,
      variables: typeof variables === "object" && variables !== null ? (variables as Record<string, unknown>) : {},
      operationName: typeof operationName === "string" ? operationName : undefined,
    };
  } catch {
    return undefined;
  }
}
