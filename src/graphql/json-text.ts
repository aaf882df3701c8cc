import { endOfString, endOfValue, skipSpace } from "./json-ends.js";

/** A piece of a text, from `start` up to but without `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object, from its key to the end of its value. */
export interface JsonMember extends Span {
  /** As it is written between its quotes. */
  readonly key: string;
  readonly value: Span;
}

/** An object or array with its brackets, and what is in it. */
export interface JsonList<Item extends Span> extends Span {
  readonly items: readonly Item[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
/** In ASCII, a bracket closes this far behind the one that opens. */
const TO_CLOSE = 2;

/** The object at `at` and its members; `undefined` if it is none, or broken. */
export function membersOf(text: string, at: number): JsonList<JsonMember> | undefined {
  return listOf(text, at, OPEN_OBJECT, memberAt);
}

/** The array at `at` and its elements; `undefined` if it is none, or broken. */
export function elementsOf(text: string, at: number): JsonList<Span> | undefined {
  return listOf(text, at, OPEN_ARRAY, elementAt);
}

/** The first member of this key of the object at `at`; what comes behind it is not looked at. */
export function memberNamed(text: string, at: number, key: string): JsonMember | undefined {
  let found: JsonMember | undefined;
  walk(text, at, OPEN_OBJECT, memberAt, (member) => {
    if (member.key === key) found = member;
    return found === undefined;
  });
  return found;
}

/** Its value, if it is JSON. */
export function parsed(text: string, { start, end }: Span): unknown {
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    return undefined;
  }
}

type ItemAt<Item extends Span> = (text: string, at: number) => Item | undefined;

function listOf<Item extends Span>(
  text: string,
  at: number,
  open: number,
  itemAt: ItemAt<Item>,
): JsonList<Item> | undefined {
  const items: Item[] = [];
  const end = walk(text, at, open, itemAt, (item) => items.push(item) > 0);
  return end === undefined ? undefined : { start: at, end, items };
}

/** Goes through what is between the brackets for as long as `goesOn`; its end if it came there. */
function walk<Item extends Span>(
  text: string,
  at: number,
  open: number,
  itemAt: ItemAt<Item>,
  goesOn: (item: Item) => boolean,
): number | undefined {
  if (text.charCodeAt(at) !== open) return undefined;
  let next = skipSpace(text, at + 1);
  if (text.charCodeAt(next) === open + TO_CLOSE) return next + 1;
  for (;;) {
    const item = itemAt(text, next);
    if (item === undefined || !goesOn(item)) return undefined;
    next = skipSpace(text, item.end);
    const code = text.charCodeAt(next);
    if (code === open + TO_CLOSE) return next + 1;
    if (code !== COMMA) return undefined;
    next = skipSpace(text, next + 1);
  }
}

function memberAt(text: string, at: number): JsonMember | undefined {
  const keyEnd = text.charCodeAt(at) === QUOTE ? endOfString(text, at) : undefined;
  if (keyEnd === undefined) return undefined;
  const colon = skipSpace(text, keyEnd);
  if (text.charCodeAt(colon) !== COLON) return undefined;
  const value = elementAt(text, skipSpace(text, colon + 1));
  return value && { start: at, end: value.end, key: text.slice(at + 1, keyEnd - 1), value };
}

function elementAt(text: string, at: number): Span | undefined {
  const end = endOfValue(text, at);
  return end === undefined ? undefined : { start: at, end };
}
