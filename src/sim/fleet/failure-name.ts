const MAX_CHARACTERS = 60;

/** What a failure is called in a report: a squad's code, else GitHub's status, else what it says. */
export function failureName(error: unknown): string {
  const { code, status, message } = (error ?? {}) as { readonly [key in "code" | "status" | "message"]?: unknown };
  return String(code ?? status ?? message ?? error).slice(0, MAX_CHARACTERS);
}
