import { editDistance } from "../../../options/nearest-key.js";

/** Names, those that are most like `wanted` first. */
export function nearestFirst(wanted: string, names: readonly string[]): readonly string[] {
  const edits = new Map(names.map((name) => [name, editDistance(wanted.toLowerCase(), name.toLowerCase())]));
  return [...names].sort((a, b) => (edits.get(a) ?? 0) - (edits.get(b) ?? 0) || (a < b ? -1 : 1));
}
