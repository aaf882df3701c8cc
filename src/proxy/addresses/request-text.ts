import type { AddressRoot } from "./address-root.js";

/**
 * What a client sends, with GitHub's own root wherever the client's root stands, also in the midst of a text or a query. A
 * program that writes the `url` of an issue into a comment means GitHub's address, and would tell the world its secret otherwise.
 *
 * Given several roots of one client, the first is taken; of roots that begin alike (`…/SECRET` and `…/SECRET/rooted`) the longer.
 *
 * @example
 * ```ts
 * githubText('{"body":"see http://127.0.0.1:4100/SECRET/rooted/user"}', roots); // '{"body":"see https://api.github.com/user"}'
 * ```
 */
export function githubText(text: string, roots: readonly AddressRoot[]): string {
  return [...roots]
    .sort((one, other) => other.client.length - one.client.length)
    .reduce(
      (sent, { github, client }) =>
        sent
          .replaceAll(client, github)
          .replaceAll(client.replaceAll("/", "\\/"), github.replaceAll("/", "\\/"))
          .replaceAll(encodeURIComponent(client), encodeURIComponent(github)),
      text,
    );
}
