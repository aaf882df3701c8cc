/** Parameters that carry credentials: they do not say what is asked for, and must not be guessable from a digest. */
const SECRET = /^(?:access_token|refresh_token|id_token|token|client_secret|code|password|otp|jwt|sig|signature)$/i;
/** Whether there can be one: also where its name is escaped. */
const MAY_BE_SECRET =
  /[?&](?:[^=&]*%|(?:access_token|refresh_token|id_token|token|client_secret|code|password|otp|jwt|sig|signature)(?:[=&]|$))/i;

/** An address without what is not sent or is secret, parameters sorted; equal names keep their order, which means something. */
export function comparableAddress(address: string): string {
  const hash = address.indexOf("#");
  const whole = hash === -1 ? address : address.slice(0, hash);
  const mark = whole.indexOf("?");
  if (mark === -1) return whole;
  if (!whole.includes("&", mark) && mark < whole.length - 1 && !MAY_BE_SECRET.test(whole)) return whole;
  const named = whole
    .slice(mark + 1)
    .split("&")
    .filter((parameter) => parameter !== "");
  const plain = MAY_BE_SECRET.test(whole) ? named.filter((one) => !SECRET.test(decoded(nameOf(one)))) : named;
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

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
