import type { SquadRequestOptions } from "../options.js";
import type { Call } from "../pipeline/call.js";

/**
 * What stands in `request.squad` of a request that this package makes for itself: the options of the call, and a sight of
 * the call, which tells whose quota it was. A class, because Octokit copies plain objects on their way.
 */
export class WatchedRequest {
  readonly options: SquadRequestOptions | undefined;
  /** A query that times out is divided by whoever made it, and not repeated as it is. */
  readonly dividesTimeouts: boolean;
  #call: Call | undefined;

  constructor(
    options: SquadRequestOptions | undefined,
    { dividesTimeouts = false }: { readonly dividesTimeouts?: boolean } = {},
  ) {
    this.options = options;
    this.dividesTimeouts = dividesTimeouts;
  }

  /** Undefined until the request has begun. */
  get call(): Call | undefined {
    return this.#call;
  }

  begun(call: Call): void {
    this.#call = call;
  }
}
