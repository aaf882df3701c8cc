import { cuts, type TextEdit } from "./json-edits.js";
import { endOfValue, skipSpace, skipSpaceBack } from "./json-ends.js";
import { memberNamed, membersOf, type Span } from "./json-text.js";

/** A member of an answer's `data`, and what to take out for the answer to read as if it were not there. */
export interface FoundInData {
  readonly value: Span;
  readonly cut: TextEdit;
}

const DATA_FIRST = /^[ \t\n\r]*\{[ \t\n\r]*"data"[ \t\n\r]*:[ \t\n\r]*\{/;
/** How long the end of an answer is in which our own selection stands, however it is indented. */
const TAIL = 600;

/** Where the braces of `data` open in an answer that begins with it, as most do. */
export function beginOfData(text: string): number | undefined {
  const match = DATA_FIRST.exec(text);
  return match === null ? undefined : match[0].length - 1;
}

/**
 * The last member of `data`, if its key is `key` and the answer is `{"data":{…}}` and no more: where our selection is in
 * nearly every answer, found without reading what is before it.
 */
export function lastInData(text: string, key: string): FoundInData | undefined {
  const quoted = `"${key}"`;
  // No string holds it: there, the quotes would be escaped.
  const start = text.indexOf(quoted, text.length - TAIL);
  const open = start === -1 ? undefined : beginOfData(text);
  if (open === undefined) return undefined;
  const colon = skipSpace(text, start + quoted.length);
  const valueStart = skipSpace(text, colon + 1);
  const valueEnd = text[colon] === ":" ? endOfValue(text, valueStart) : undefined;
  if (valueEnd === undefined) return undefined;
  const close = skipSpace(text, valueEnd);
  if (!closesAnswer(text, close)) return undefined;
  const before = skipSpaceBack(text, start) - 1;
  const value = { start: valueStart, end: valueEnd };
  if (before === open) return { value, cut: { start: open + 1, end: close, text: "" } };
  if (text[before] !== ",") return undefined;
  return { value, cut: { start: skipSpaceBack(text, before), end: valueEnd, text: "" } };
}

/** The member `key` of the object `data` that opens at `open`; the text between is read. */
export function anywhereInData(text: string, open: number, key: string): FoundInData | undefined {
  const data = membersOf(text, open);
  const member = data?.items.find((one) => one.key === key);
  if (data === undefined || member === undefined) return undefined;
  const [cut] = cuts(data, (one) => one === member);
  return cut && { value: member.value, cut };
}

/** Its value only, wherever it stands; what comes behind it is not read where that can be helped. */
export function valueInData(text: string, key: string): Span | undefined {
  if (!text.includes(`"${key}"`)) return undefined;
  const last = lastInData(text, key);
  if (last !== undefined) return last.value;
  const open = beginOfData(text) ?? memberNamed(text, skipSpace(text, 0), "data")?.value.start;
  return open === undefined ? undefined : memberNamed(text, open, key)?.value;
}

/**
 * Whether nothing but the end of `data` and of the answer is at `at`. `data` stands first, so that only another member
 * that is an object could end like this, and `extensions` is the only one that GraphQL knows.
 */
function closesAnswer(text: string, at: number): boolean {
  if (text[at] !== "}") return false;
  const outer = skipSpace(text, at + 1);
  return text[outer] === "}" && skipSpace(text, outer + 1) === text.length && !text.includes('"extensions"');
}
