import { isUpload, type Wire } from "../pipeline/wire.js";

/** What core passes to the fetch it was given. */
export interface OctokitFetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly redirect?: RequestRedirect | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request of core's as it is about to go over the wire, by the fetch that the caller chose. */
export function wireOf(base: typeof globalThis.fetch, url: string, init: OctokitFetchInit): Wire {
  const { headers, signal, redirect } = init;
  return {
    url,
    signal,
    plain: redirect === undefined || redirect === "follow",
    body: typeof init.body === "string" ? init.body : undefined,
    uploads: isUpload(init.body),
    header: (name) => headers[name],
    send: (validator, exchangeSignal, body) => {
      if (validator === undefined && body === undefined && exchangeSignal === signal) {
        return base(url, init as RequestInit);
      }
      const sent = validator === undefined ? headers : { ...headers, "if-none-match": validator };
      return base(url, { ...init, body: body ?? init.body, headers: sent, signal: exchangeSignal } as RequestInit);
    },
  };
}
