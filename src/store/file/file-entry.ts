/** One entry of the file store, as its file holds it. */
export interface FileEntry {
  readonly key: string;
  /** Epoch milliseconds; undefined: never. */
  readonly expiresAt: number | undefined;
  /** What Keyv gave to be kept, to the letter. */
  readonly text: string;
}

/** What the first bytes of a file tell: enough to sweep without reading bodies. */
export type FileHead = Pick<FileEntry, "key" | "expiresAt">;

/** A head is the first three lines; keys are a few hundred characters at most. */
export const HEAD_BYTES = 4_096;

/**
 * The file's content: indented JSON for whoever looks into it, `key` and `expires` first. Keyv's texts are
 * `{"value":…,"expires":…}` and are written out, provided that they can be had back to the letter; others (a serializer
 * of the user's own, numbers that JavaScript would round) stand in it as a string.
 */
export function formatEntry({ key, expiresAt, text }: FileEntry): string {
  const value = keyvValue(text);
  const head = { key, ...(expiresAt === undefined ? {} : { expires: expiresAt }) };
  const body = value === undefined || value.expires !== expiresAt ? { text } : { value: value.value };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

/** Reads what {@link formatEntry} wrote; undefined when the content is torn or somebody else's. */
export function parseEntry(content: string): FileEntry | undefined {
  const stored = parse(content);
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  const { key, expires, value, text } = stored as Record<string, unknown>;
  if (typeof key !== "string" || !(expires === undefined || Number.isFinite(expires))) return undefined;
  const expiresAt = expires as number | undefined;
  if (typeof text === "string") return { key, expiresAt, text };
  if (text !== undefined) return undefined;
  return { key, expiresAt, text: JSON.stringify({ value, expires: expiresAt }) };
}

/** Reads the head of a file from its first {@link HEAD_BYTES}; undefined when it takes the whole file to tell. */
export function parseHead(beginning: string): FileHead | undefined {
  const found = /^\{\n {2}"key": ("(?:[^"\\]|\\.)*")(?:,\n {2}"expires": (-?[\d.e+]+))?(?=,?\n)/.exec(beginning);
  if (found === null) return undefined;
  const key = parse(found[1] as string);
  const expiresAt = found[2] === undefined ? undefined : Number(found[2]);
  return typeof key === "string" ? { key, expiresAt } : undefined;
}

/** Expired entries are as good as absent ones. */
export function isExpired({ expiresAt }: FileHead, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function keyvValue(text: string): { readonly value?: unknown; readonly expires?: unknown } | undefined {
  const stored = parse(text);
  if (typeof stored !== "object" || stored === null) return undefined;
  const { value, expires } = stored as { value?: unknown; expires?: unknown };
  return JSON.stringify({ value, expires }) === text ? { value, expires } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
