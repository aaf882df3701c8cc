import crypto from "node:crypto";

/** The request headers that GitHub's ETag covers, as they go over the wire; undefined when not sent. */
export interface EtagInputs {
  readonly accept: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

/**
 * The ETag that GitHub gives `body` when it is asked with these headers: the SHA-256 of each header's value and a colon,
 * then the body before compression. The rule is undocumented, so it is checked against every answer before it is relied
 * on (see {@link provesFormula}). A request that carries it and earns a 304 has GitHub's word that the body is current
 * for that very credential.
 */
export function githubEtag(inputs: EtagInputs, body: string): string {
  return `"${digest(inputs, body)}"`;
}

/** Whether this answer's ETag follows the formula, which makes its body shareable between credentials. */
export function provesFormula(etag: string, inputs: EtagInputs, body: string): boolean {
  const opaque = opaqueTag(etag);
  return opaque.length === 64 && opaque === digest(inputs, body);
}

/** Weak comparison (RFC 9110 §8.8.3.2), the one that If-None-Match uses. */
export function sameTag(a: string, b: string): boolean {
  return opaqueTag(a) === opaqueTag(b);
}

/** Whether a header value is a single entity tag that may be sent back. */
export function isEntityTag(value: string): boolean {
  return /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(value);
}

function opaqueTag(etag: string): string {
  const start = etag.startsWith("W/") ? 2 : 0;
  return etag.charCodeAt(start) === 34 && etag.endsWith('"') ? etag.slice(start + 1, -1) : etag;
}

function digest(inputs: EtagInputs, body: string): string {
  let prefix = "";
  if (inputs.accept !== undefined) prefix += `${inputs.accept}:`;
  if (inputs.authorization !== undefined) prefix += `${inputs.authorization}:`;
  if (inputs.cookie !== undefined) prefix += `${inputs.cookie}:`;
  // In one call where Node has it (from 20.12 on): a hash object costs more than hashing a small body.
  if (crypto.hash !== undefined) return crypto.hash("sha256", prefix + body, "hex");
  return crypto.createHash("sha256").update(prefix).update(body).digest("hex");
}
