import type { SizeCondition, SizeField, SizeSelection, SizeSet } from "./size-plan.js";
import type { SizeValue } from "./size-values.js";

/** What one object is asked for. */
export interface CollectedSizes {
  /** Fields, each with its occurrences that are one; in the order in which they are met first. */
  readonly connections: readonly (readonly SizeField[])[];
  readonly tellsItems: boolean;
  readonly tellsCount: boolean;
  /** How many selections were looked at. */
  readonly visits: number;
}

/** An object has one field per response key; these are its occurrences, by the type that they are on. */
type Occurrences = Map<string, SizeField[]>;

/** The type of a field that is on none in particular: it is there whatever the object is. */
const ANY = "";

/**
 * Finds the fields in `sets`, through fragments. Occurrences of one response key are one field, unless they are on
 * different types (the innermost counts) and none is there whatever the type: then an object has one or the other, and
 * GitHub counts both.
 *
 * @param values - by place
 * @param maxVisits - gives up after so many selections, with what it has
 */
export function collectSizes(
  sets: readonly SizeSet[],
  values: readonly SizeValue[],
  maxVisits: number,
): CollectedSizes {
  const byKey = new Map<string, Occurrences>();
  const seen = new Set<string>();
  let [tellsItems, tellsCount, visits] = [false, false, 0];
  // A stack of its own: chains of fragments may be longer than the stack is deep.
  const open: { readonly selections: readonly SizeSelection[]; readonly on: string; next: number }[] = [];
  const enter = ({ id, selections }: SizeSet, on: string): void => {
    const entered = `${id} ${on}`;
    if (seen.has(entered)) return;
    seen.add(entered);
    open.push({ selections, on, next: 0 });
  };

  for (const set of sets) {
    enter(set, ANY);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const selection = top.selections[top.next++];
      if (selection === undefined) open.pop();
      else if (++visits > maxVisits) break;
      else if (isLeftOut(selection.when, values)) continue;
      else if (selection.kind === "fragment") enter(selection.set, selection.on ?? top.on);
      else {
        if (selection.tells === "items") tellsItems = true;
        if (selection.tells === "count") tellsCount = true;
        if (selection.set !== undefined) add(byKey, selection, top.on);
      }
    }
  }
  return { connections: [...byKey.values()].flatMap(together), tellsItems, tellsCount, visits };
}

function add(byKey: Map<string, Occurrences>, field: SizeField, on: string): void {
  let occurrences = byKey.get(field.key);
  if (occurrences === undefined) {
    occurrences = new Map();
    byKey.set(field.key, occurrences);
  }
  const there = occurrences.get(on);
  if (there === undefined) occurrences.set(on, [field]);
  else there.push(field);
}

function together(occurrences: Occurrences): readonly (readonly SizeField[])[] {
  const parts = [...occurrences.values()];
  return occurrences.has(ANY) ? [parts.flat()] : parts;
}

function isLeftOut(when: readonly SizeCondition[], values: readonly SizeValue[]): boolean {
  return when.length > 0 && when.some(({ place, unless }) => values[place] === unless);
}
