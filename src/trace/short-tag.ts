const LENGTH = 16;

/**
 * The first characters of what an entity tag says, without `W/` and quotes: enough to tell one from the next. Of several it
 * is the first; undefined for what is none.
 */
export function shortTag(tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined;
  const start = tag.startsWith('W/"') ? 3 : tag.startsWith('"') ? 1 : -1;
  if (start === -1) return undefined;
  const end = tag.indexOf('"', start);
  return end === -1 ? undefined : tag.slice(start, Math.min(end, start + LENGTH));
}
