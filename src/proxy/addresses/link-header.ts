import { type AddressRoot, clientAddress } from "./address-root.js";

/**
 * A `Link` header whose targets are addresses as the client has to ask for them, so that whoever follows it from page to page
 * stays with the proxy. All but the targets is left as it is.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function clientLinks(link: string, requestUrl: string, roots: readonly AddressRoot[]): string {
  return link.replace(/<([^<>]*)>/g, (_, target: string) => `<${clientAddress(target, requestUrl, roots)}>`);
}
