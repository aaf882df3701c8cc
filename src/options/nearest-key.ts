/** Longer names are not typing errors of ours, and comparing them would cost. */
const MAX_LENGTH = 40;

/** A shorter piece of a name stands in too many of them. */
const MIN_PIECE_LENGTH = 4;

/** The key in `known` that `key` was probably meant to be (misspelt, or a piece of it), or undefined when none is near. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_LENGTH) return undefined;
  const typed = key.toLowerCase();
  let nearest: string | undefined;
  let nearestEdits = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of known) {
    const edits = editDistance(typed, candidate.toLowerCase());
    if (edits < nearestEdits) [nearest, nearestEdits] = [candidate, edits];
  }
  if (nearest !== undefined || typed.length < MIN_PIECE_LENGTH) return nearest;
  return known.find((candidate) => candidate.toLowerCase().includes(typed));
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      }
      current.push(edits);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
