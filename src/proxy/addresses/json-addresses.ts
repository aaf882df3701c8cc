import type { AddressRoot } from "./address-root.js";

/** Longest name of a member, and longest space around its colon, at which an address is still found. */
const LONGEST = 80;

/** Rewrites a JSON text that comes in pieces: what `write` and `end` give, put together, is the whole. */
export interface JsonAddresses {
  /** What can be said after this piece. Up to a few hundred characters are kept back, and only where an address may begin. */
  write(piece: string): string;
  /** What was kept back. */
  end(): string;
}

/**
 * A JSON text in which the addresses that GitHub made begin with the client's root, for clients that follow addresses in
 * bodies. They are recognised by the names of their members: `url`, `…_url`, `href`, and `self` and `git` in `_links`, but not
 * `html_url`. What people wrote, such as the body of an issue, stays as it is even where it is such an address; so does every
 * other byte, also of a text that is no JSON.
 *
 * @example
 * ```ts
 * clientJson('{"url":"https://api.github.com/user","body":"https://api.github.com/user"}', roots);
 * // '{"url":"http://127.0.0.1:4100/SECRET/rooted/user","body":"https://api.github.com/user"}'
 * ```
 */
export function clientJson(text: string, roots: readonly AddressRoot[]): string {
  const addresses = createJsonAddresses(roots);
  return addresses.write(text) + addresses.end();
}

/** {@link clientJson} for a text that comes in pieces, cut anywhere. */
export function createJsonAddresses(roots: readonly AddressRoot[]): JsonAddresses {
  const spellings = new Map(roots.flatMap(bothSpellings));
  const longestRoot = Math.max(0, ...Array.from(spellings.keys(), ({ length }) => length));
  const addresses = addressesOf([...spellings.keys()]);
  const beginning = beginningOfAddress(longestRoot);
  // Whether a root ends where it seems to end may be seen from what is kept back.
  const rewritten = (text: string, end: number): string => {
    let result = "";
    let from = 0;
    for (const { 0: found, 1: member = "", 2: root = "", index } of text.matchAll(addresses)) {
      if (index >= end) break;
      result += text.slice(from, index) + member + spellings.get(root);
      from = index + found.length;
    }
    return result + text.slice(from, end);
  };
  let kept = "";
  return {
    write: (piece) => {
      const text = kept + piece;
      const tailAt = Math.max(0, text.length - 4 * LONGEST - longestRoot);
      const at = text.slice(tailAt).search(beginning);
      const end = at === -1 ? text.length : tailAt + at;
      kept = text.slice(end);
      return rewritten(text, end);
    },
    end: () => {
      const rest = rewritten(kept, kept.length);
      kept = "";
      return rest;
    },
  };
}

/** A slash in JSON may be written with a backslash; either way the rest of the string goes on as it began. */
function bothSpellings({ github, client }: AddressRoot): readonly (readonly [github: string, client: string])[] {
  return [
    [github, client],
    [github.replaceAll("/", "\\/"), client.replaceAll("/", "\\/")],
  ];
}

/**
 * A member that is an address, up to the end of its root. In JSON a quotation mark that a letter follows opens a string, unless
 * a backslash before it makes it a part of one.
 */
function addressesOf(spellings: readonly string[]): RegExp {
  const space = `\\s{0,${LONGEST}}`;
  const name = `(?!html_)(?:\\w{0,${LONGEST - 4}}_)?url|href|self|git`;
  const roots = spellings.map((root) => root.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`((?<!\\\\)"(?:${name})"${space}:${space}")(${roots.join("|")})(?=[/?#{"]|\\\\/)`, "g");
}

/** Where at the end of a text an address may have begun, or an escape. */
function beginningOfAddress(longestRoot: number): RegExp {
  const space = `\\s{0,${LONGEST}}`;
  const value = `"[^"]{0,${longestRoot + 1}}`;
  return new RegExp(`(?:(?<!\\\\)"\\w{0,${LONGEST}}(?:"${space}(?::${space}(?:${value})?)?)?|\\\\)$`);
}
