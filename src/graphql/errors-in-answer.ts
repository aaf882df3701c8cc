import { cuts, type TextEdit } from "./json-edits.js";
import { elementsOf, type JsonList, type JsonMember, membersOf, parsed, type Span } from "./json-text.js";
import type { InsertedCapture } from "./operation.js";

/** The top-level errors of an answer, as they have to do with a selection that was put into the document. */
export interface ErrorsInAnswer {
  /** Whether one of them is about our selection. */
  readonly aboutOurs: boolean;
  /** Brings the places in the errors that are about the caller's document back to where the caller has them. */
  readonly moved: readonly TextEdit[];
  /** Takes the errors about our selection out. */
  readonly removed: readonly TextEdit[];
}

const NONE: ErrorsInAnswer = { aboutOurs: false, moved: [], removed: [] };
const INTEGER = /^\d{1,9}$/;

/** Reads the errors of the answer whose top-level members are `answer`. */
export function errorsInAnswer(text: string, answer: JsonList<JsonMember>, capture: InsertedCapture): ErrorsInAnswer {
  const member = answer.items.findLast(({ key }) => key === "errors");
  const errors = member && elementsOf(text, member.value.start);
  if (errors === undefined) return NONE;
  const ours = new Set<Span>();
  const moved: TextEdit[] = [];
  for (const error of errors.items) {
    const placed = placesIn(text, error, capture);
    if (placed === "ours") ours.add(error);
    else moved.push(...placed);
  }
  if (ours.size === 0) return { ...NONE, moved };
  const removed =
    ours.size === errors.items.length
      ? cuts(answer, (one) => one === member)
      : cuts(errors, (error) => ours.has(error));
  return { aboutOurs: true, moved, removed };
}

/** Whether an error is about our selection; if not, what is to be changed of its locations. */
function placesIn(text: string, error: Span, capture: InsertedCapture): "ours" | readonly TextEdit[] {
  const members = membersOf(text, error.start)?.items ?? [];
  const path = members.findLast(({ key }) => key === "path");
  if (path && leadsThrough(text, path.value, capture.key)) return "ours";
  const moved: TextEdit[] = [];
  const locations = members.findLast(({ key }) => key === "locations");
  for (const location of (locations && elementsOf(text, locations.value.start)?.items) ?? []) {
    const place = membersOf(text, location.start)?.items ?? [];
    const column = integerNamed(text, place, "column");
    if (column === undefined || integerNamed(text, place, "line")?.value !== capture.line) continue;
    const beyond = column.value - capture.column;
    if (beyond >= 0 && beyond < capture.columns) return "ours";
    if (beyond >= 0) moved.push({ ...column.span, text: String(column.value - capture.columns) });
  }
  return moved;
}

function leadsThrough(text: string, path: Span, key: string): boolean {
  return elementsOf(text, path.start)?.items.some((one) => parsed(text, one) === key) ?? false;
}

function integerNamed(
  text: string,
  members: readonly JsonMember[],
  key: string,
): { readonly value: number; readonly span: Span } | undefined {
  const span = members.findLast((one) => one.key === key)?.value;
  const digits = span && text.slice(span.start, span.end);
  return span && digits && INTEGER.test(digits) ? { value: Number(digits), span } : undefined;
}
