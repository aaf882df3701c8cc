import type { Engine, Exchange } from "./engine.js";
import type { Outcome } from "./outcome.js";
import { jsonReply } from "./refusal-replies.js";
import { rateHeaders } from "./reply-headers.js";
import type { WireRequest } from "./wire.js";

/** A GraphQL request, read but not yet run. */
export interface PreparedGraphQL {
  readonly isMutation: boolean;
  readonly rootFields: readonly string[];
}

/** Takes GraphQL requests. */
export class GraphQLDesk {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  prepare(_request: WireRequest): PreparedGraphQL {
    return { isMutation: false, rootFields: [] };
  }

  answer(exchange: Exchange, _prepared: PreparedGraphQL): Outcome {
    const engine = this.#engine;
    const reading = engine.windows.charge(exchange.quota, 1, engine.state.now(), exchange.region);
    return {
      reply: jsonReply(engine, exchange, 200, { data: null }, rateHeaders(reading)),
      units: 1,
      reading,
      refusedBy: undefined,
    };
  }
}
