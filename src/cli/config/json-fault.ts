/** Where a text stops being JSON, and what could stand there. */
export interface JsonFault {
  /** An index into the text. */
  readonly at: number;
  readonly expected: string;
}

/**
 * The first place at which `text`, which is not JSON, cannot be continued to JSON. Node 20 tells it for some faults only, and
 * quotes what stands around it.
 */
export function firstFault(text: string): JsonFault {
  try {
    const end = value(text, 0);
    return { at: space(text, end), expected: "the end" };
  } catch (fault) {
    if (fault instanceof Fault) return { at: fault.at, expected: fault.expected };
    throw fault;
  }
}

class Fault extends Error {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

/** Each of these takes where something begins, and returns where it has ended. */
function value(text: string, from: number): number {
  const at = space(text, from);
  switch (text[at]) {
    case "{":
      return members(text, at + 1, "}", (begin) => value(text, char(text, name(text, begin), ":")));
    case "[":
      return members(text, at + 1, "]", (begin) => value(text, begin));
    case '"':
      return string(text, at);
    default:
      return scalar(text, at);
  }
}

function members(text: string, from: number, close: string, member: (from: number) => number): number {
  let at = space(text, from);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = space(text, member(at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ",") throw new Fault(at, `"," or "${close}"`);
    at = space(text, at + 1);
  }
}

function name(text: string, at: number): number {
  if (text[at] !== '"') throw new Fault(at, "a name in double quotes");
  return string(text, at);
}

function char(text: string, from: number, wanted: string): number {
  const at = space(text, from);
  if (text[at] !== wanted) throw new Fault(at, `"${wanted}"`);
  return at + 1;
}

function string(text: string, at: number): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows no control characters in strings.
  const inside = match(/(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y, text, at + 1);
  if (text[inside] === '"') return inside + 1;
  throw new Fault(inside, text[inside] === "\\" ? "an escape such as \\n" : 'the closing "');
}

function scalar(text: string, at: number): number {
  const end = match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y, text, at);
  if (end === at) throw new Fault(at, "a value");
  return end;
}

function space(text: string, at: number): number {
  return match(/[ \t\r\n]*/y, text, at);
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
