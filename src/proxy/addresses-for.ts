import { type AddressRoot, addressRoots, clientAddress } from "./addresses/address-root.js";
import { clientLinks } from "./addresses/link-header.js";
import type { BaseUrls } from "./base-url.js";
import type { CheckedOptions } from "./check-options.js";

/** How an answer names what the client may ask for next; undefined where it asks GitHub by its own names. */
export interface Addresses {
  readonly roots: readonly AddressRoot[];
  /** Whether those in bodies are such too. */
  readonly inBodies: boolean;
  /** What GitHub was asked for. */
  readonly requestUrl: string;
}

/** The roots of one client's two base URLs. */
export interface ClientRoots {
  readonly plain: readonly AddressRoot[];
  readonly rooted: readonly AddressRoot[];
}

export function rootsOf({ github, upstreamShown }: CheckedOptions, { apiUrl, rootedApiUrl }: BaseUrls): ClientRoots {
  const names = [`https://${github.apiHost}${github.apiPrefix}`];
  // What stands in for GitHub may speak of itself.
  if (upstreamShown?.startsWith("http+unix:") === false) names.push(`${upstreamShown}${github.apiPrefix}`);
  return { plain: addressRoots(names, apiUrl), rooted: addressRoots(names, rootedApiUrl) };
}

/** The value of an answer's header, with addresses as its client has to ask for them. */
export function headerFor(name: string, value: string, { roots, requestUrl }: Addresses): string {
  switch (name.toLowerCase()) {
    case "link":
      return clientLinks(value, requestUrl, roots);
    case "location":
      return clientAddress(value, requestUrl, roots);
    default:
      return value;
  }
}

/** Whether a body is rewritten for it. */
export function rewritesBody(
  addresses: Addresses | undefined,
  type: string | null | undefined,
): addresses is Addresses {
  return (
    addresses?.inBodies === true &&
    type !== null &&
    type !== undefined &&
    /^application\/(?:[\w.+-]*\+)?json\b/i.test(type)
  );
}
