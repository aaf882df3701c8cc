import { edited } from "./json-edits.js";
import { skipSpace } from "./json-ends.js";
import { type JsonMember, membersOf, parsed } from "./json-text.js";

/**
 * The body of a GraphQL request with `document` in place of its `query`. All other bytes stay as they are: numbers that
 * JavaScript cannot hold, and `1.0`, reach GitHub as they were written.
 *
 * `undefined` if the body is no JSON object, or does not have `query` as its one top-level member of that name.
 *
 * @example
 * ```ts
 * replaceQueryInBody('{"query":"{a}","variables":{"n":1.0}}', "{a}", "{a b}"); // '{"query":"{a b}","variables":{"n":1.0}}'
 * ```
 */
export function replaceQueryInBody(body: string, query: string, document: string): string | undefined {
  const object = membersOf(body, skipSpace(body, 0));
  if (object === undefined || skipSpace(body, object.end) !== body.length) return undefined;
  const [member, another] = object.items.filter((one) => isQuery(one));
  if (member === undefined || another !== undefined || parsed(body, member.value) !== query) return undefined;
  return edited(body, [{ ...member.value, text: JSON.stringify(document) }]);
}

function isQuery({ key }: JsonMember): boolean {
  if (!key.includes("\\")) return key === "query";
  const quoted = `"${key}"`;
  return parsed(quoted, { start: 0, end: quoted.length }) === "query";
}
