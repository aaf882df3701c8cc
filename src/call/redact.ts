/** Takes anything that may be a credential out of a text that other software wrote, such as a driver's error message. */
export function redact(text: string): string {
  return text
    .replace(/:\/\/[^@/\s]*@/g, "://***@")
    .replace(/\b(?:gh[a-z]_|github_pat_)\w+/g, "***")
    .replace(/\b(bearer|token|basic)\s+[\w.~+/=-]{8,}/gi, "$1 ***")
    .replace(/\b(password|passwd|pwd|secret|auth)=[^\s&;]+/gi, "$1=***");
}
