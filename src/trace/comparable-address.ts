/** What the names of parameters end with that carry credentials, without case and punctuation. */
const SECRET =
  /(?:token|secret|password|passwd|pwd|signature|credential|assertion|authorization|apikey|accesskey|privatekey|jwt|otp|devicecode|usercode|codeverifier)$|^(?:auth|code|sig)$/;
/** Whether there can be one: also where its name is escaped. */
const MAY_BE_SECRET = /[?&][^=&]*(?:%|token|secret|pass|pwd|sig|cred|assert|auth|key|jwt|otp|code)/i;

/**
 * An address without what is not sent or is secret, parameters sorted; equal names keep their order, which means something.
 * What carries credentials does not say what is asked for, and must not be guessable from a digest.
 */
export function comparableAddress(address: string): string {
  const hash = address.indexOf("#");
  const whole = withoutUser(hash === -1 ? address : address.slice(0, hash));
  const mark = whole.indexOf("?");
  if (mark === -1) return whole;
  if (!whole.includes("&", mark) && mark < whole.length - 1 && !MAY_BE_SECRET.test(whole)) return whole;
  const named = whole
    .slice(mark + 1)
    .split("&")
    .filter((parameter) => parameter !== "");
  const plain = MAY_BE_SECRET.test(whole) ? named.filter((one) => !isSecret(nameOf(one))) : named;
  if (plain.length === 0) return whole.slice(0, mark);
  plain.sort((a, b) => {
    const [nameA, nameB] = [nameOf(a), nameOf(b)];
    return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
  });
  return `${whole.slice(0, mark + 1)}${plain.join("&")}`;
}

/** The path of an address, or of what is a path already; without query and fragment. */
export function pathIn(address: string): string {
  const scheme = address.indexOf("://");
  const start = scheme === -1 ? 0 : address.indexOf("/", scheme + 3);
  if (start === -1) return "/";
  let end = address.indexOf("?", start);
  const hash = address.indexOf("#", start);
  if (hash !== -1 && (end === -1 || hash < end)) end = hash;
  return end === -1 ? address.slice(start) : address.slice(start, end);
}

function nameOf(parameter: string): string {
  const end = parameter.indexOf("=");
  return end === -1 ? parameter : parameter.slice(0, end);
}

/** `https://user:password@host/…` -> `https://host/…`. */
function withoutUser(address: string): string {
  return address.includes("@") ? address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1") : address;
}

function isSecret(name: string): boolean {
  return SECRET.test(
    decoded(name)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ""),
  );
}

/** Some escape twice. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(name));
  } catch {
    return name;
  }
}
