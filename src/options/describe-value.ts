/** What is surely a credential: GitHub's token formats, JSON Web Tokens, private keys. */
// https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats
const CREDENTIAL = /gh[a-z]_[A-Za-z0-9_.-]{16}|github_pat_|eyJ[\w-]{8,}\.|-----BEGIN/;

/** What may be one: also bare hex (GitHub's tokens before 2021), `user:password@` in a URI, an authorization header. */
const MAYBE_CREDENTIAL = /^[0-9a-f]{32,}$|:\/\/[^/\s]*@|\b(?:bearer|token|basic)\s/i;

const MAX_QUOTED = 60;

/** Whether `text` is, as far as its form tells, a credential that must not be stored, traced or printed. */
export function isCredential(text: string): boolean {
  return CREDENTIAL.test(text);
}

/** Whether it may be one. */
export function mayBeCredential(text: string): boolean {
  return CREDENTIAL.test(text) || MAYBE_CREDENTIAL.test(text);
}

/** `value` as an error message may show it: short, on one line, never a secret, and never by running its own code. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return "a bigint";
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "an array" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

function quote(text: string): string {
  if (mayBeCredential(text)) {
    return `a string of ${text.length} characters, withheld because it may be a secret`;
  }
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return JSON.stringify(cut);
}
