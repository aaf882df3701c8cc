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
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** In ASCII, a bracket closes this far behind the one that opens. */
const TO_CLOSE = 2;

/** Where the white space at `at` ends. */
export function skipSpace(text: string, at: number): number {
  let end = at;
  while (isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** Where the white space before `at` begins. */
export function skipSpaceBack(text: string, at: number): number {
  let start = at;
  while (isSpace(text.charCodeAt(start - 1))) start--;
  return start;
}

/**
 * Where the value at `at` ends; `undefined` if none is there, or if it does not end. It finds pieces and leaves it to
 * `JSON.parse` to say whether what is in them is JSON: brackets match and strings end, no more is sure.
 */
export function endOfValue(text: string, at: number): number | undefined {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return endOfString(text, at);
    case OPEN_OBJECT:
    case OPEN_ARRAY:
      return endOfNested(text, at);
    default:
      return endOfPlain(text, at);
  }
}

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

function endOfString(text: string, at: number): number | undefined {
  let close = text.indexOf('"', at + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? undefined : close + 1;
}

/** An even number of backslashes are all characters of their own. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

/** Without recursion: a text may be nested as deeply as it is long. */
function endOfNested(text: string, at: number): number | undefined {
  const closing: number[] = [];
  for (let here = at; here < text.length; here++) {
    const code = text.charCodeAt(here);
    if (code === QUOTE) {
      const end = endOfString(text, here);
      if (end === undefined) return undefined;
      here = end - 1;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      closing.push(code + TO_CLOSE);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (closing.pop() !== code) return undefined;
      if (closing.length === 0) return here + 1;
    }
  }
  return undefined;
}

const DELIMITERS = new Set([...'"[]{},: \t\n\r'].map((one) => one.charCodeAt(0)));

/** A number, `true`, `false` or `null`. */
function endOfPlain(text: string, at: number): number | undefined {
  let end = at;
  while (end < text.length && !DELIMITERS.has(text.charCodeAt(end))) end++;
  return end === at ? undefined : end;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
