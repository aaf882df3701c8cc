import type { Priority } from "../light.js";
import { type Allocation, type ClassAllocation, PRIORITIES, type QuotaDocument } from "./quota-document.js";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type ClassEntry = Writable<ClassAllocation>;

/** An allocation opened for change: all three classes are there. */
export interface Entry extends Writable<Omit<Allocation, "priority" | "allocated" | "used" | "classes">> {
  readonly classes: readonly [ClassEntry, ClassEntry, ClassEntry];
}

/** A quota document opened for change: a copy, so that the document that was read stays as it was. */
export interface Book extends Writable<Omit<QuotaDocument, "allocations" | "retired">> {
  readonly retired: [number, number, number];
  readonly entries: Map<string, Entry>;
}

export function openBook(doc: QuotaDocument): Book {
  const { allocations, retired, ...rest } = doc;
  const entries = new Map<string, Entry>();
  for (const [spender, allocation] of Object.entries(allocations)) {
    const { priority: _, allocated: __, used: ___, classes, ...facts } = allocation;
    entries.set(spender, {
      ...facts,
      classes: [{ ...(classes[0] ?? NOTHING) }, { ...(classes[1] ?? NOTHING) }, { ...(classes[2] ?? NOTHING) }],
    });
  }
  return { ...rest, retired: [...retired], entries };
}

/** The next revision of the document that the book was opened from. */
export function closeBook(book: Book, now: number): QuotaDocument {
  const { entries, ...rest } = book;
  const allocations = Object.fromEntries(Array.from(entries, ([spender, entry]) => [spender, closeEntry(entry)]));
  return { ...rest, revision: book.revision + 1, updatedAt: Math.max(book.updatedAt, now), allocations };
}

export function newEntry(): Entry {
  return {
    leaseExpiry: 0,
    spendUntil: 0,
    reportedAt: 0,
    stint: 0,
    limit: 0,
    requestTimeoutMs: 0,
    writtenOff: 0,
    classes: [{ ...NOTHING }, { ...NOTHING }, { ...NOTHING }],
  };
}

/** Whether a class of a spender counts when shares are divided. */
export function isPresent(entry: ClassEntry): boolean {
  return entry.allocated > 0 || entry.wantPerHour > 0 || entry.waiting > 0;
}

const NOTHING: ClassAllocation = { allocated: 0, used: 0, inFlight: 0, soon: 0, wantPerHour: 0, waiting: 0 };

function closeEntry({ classes, ...facts }: Entry): Allocation {
  const present = PRIORITIES.filter((priority) => isPresent(classes[priority]));
  const kept: { [P in Priority]?: ClassAllocation } = {};
  for (const priority of present) kept[priority] = classes[priority];
  return {
    priority: present[0] ?? 1,
    allocated: classes[0].allocated + classes[1].allocated + classes[2].allocated,
    used: classes[0].used + classes[1].used + classes[2].used,
    ...facts,
    classes: kept,
  };
}
