const QUOTE = 0x22;
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

/** Where the string that opens at `at` ends. */
export function endOfString(text: string, at: number): number | undefined {
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
