import { redact } from "../../call/redact.js";
import { createRouteLabel, type RouteLabel } from "../../call/route.js";
import { TRACE_VERSION } from "../../trace/record.js";
import type { Observed } from "../observed.js";
import { printable } from "../printable.js";
import { objectOf } from "./field.js";
import { foreignRecord } from "./foreign-record.js";
import { MissingFields } from "./missing-fields.js";
import { ownRecord } from "./own-record.js";
import { Skipped } from "./skipped.js";

/** Where a record stands, to name it. */
export interface Place {
  readonly source: string;
  readonly line: number;
}

/** Translates lines and records into {@link Observed}, once, at the edge; what it cannot use it counts. */
export class Translator {
  readonly skipped: Skipped = new Skipped();
  readonly missing: MissingFields = new MissingFields();
  readonly #label: RouteLabel = createRouteLabel();
  readonly #labels = new Map<string, string>();
  #lines = 0;
  #foreign = 0;

  /** Lines with something on them. */
  get lines(): number {
    return this.#lines;
  }

  get foreignLines(): number {
    return this.#foreign;
  }

  line(text: string, place: Place): Observed | undefined {
    const trimmed = text.trim();
    if (trimmed === "") return undefined;
    this.#lines++;
    let value: unknown;
    try {
      value = JSON.parse(trimmed);
    } catch {
      this.skipped.add("not JSON (torn, or no trace at all)", place.source, place.line, beginning(trimmed));
      return undefined;
    }
    return this.#value(value, place);
  }

  record(value: unknown, place: Place): Observed | undefined {
    this.#lines++;
    return this.#value(value, place);
  }

  tooLong(place: Place): void {
    this.#lines++;
    this.skipped.add("longer than a line may be", place.source, place.line, "");
  }

  #value(value: unknown, { source, line }: Place): Observed | undefined {
    const fields = objectOf(value);
    if (fields === undefined) {
      this.skipped.add("not a record of a call", source, line, beginning(JSON.stringify(value) ?? ""));
      return undefined;
    }
    if ("v" in fields && "kind" in fields) return this.#own(fields, source, line);
    const exchange = foreignRecord(fields, this.#labelled, this.missing);
    if (exchange === undefined) {
      const names = Object.keys(fields).slice(0, 6).join(", ");
      this.skipped.add("not a record of a call", source, line, beginning(`no time, or no endpoint: { ${names} }`));
    } else this.#foreign++;
    return exchange;
  }

  #own(fields: Readonly<Record<string, unknown>>, source: string, line: number): Observed | undefined {
    if (fields.v !== TRACE_VERSION) {
      this.skipped.add("of another version of the trace", source, line, beginning(`v is ${JSON.stringify(fields.v)}`));
      return undefined;
    }
    const observed = ownRecord(fields);
    if (observed === undefined) {
      this.skipped.add("of an unknown kind", source, line, beginning(`kind is ${JSON.stringify(fields.kind)}`));
      return undefined;
    }
    if (typeof observed !== "string") return observed;
    this.skipped.add("with values that cannot be", source, line, beginning(observed));
    return undefined;
  }

  /** Labels are few, and finding one takes as long as all else about a line. */
  readonly #labelled: RouteLabel = (method, path) => {
    const key = `${method} ${path}`;
    let label = this.#labels.get(key);
    if (label === undefined) {
      if (this.#labels.size >= MAX_LABELS) this.#labels.clear();
      label = this.#label(method, path);
      this.#labels.set(key, label);
    }
    return label;
  };
}

const MAX_LABELS = 10_000;
const MAX_SHOWN = 60;
const SECRET_MEMBER = /("[^"]*(?:token|secret|passw|authorization|cookie|key)[^"]*"\s*:\s*)"[^"]*"?/gi;

/** The beginning of a line, to find it again: without what a terminal would obey, and without credentials. */
function beginning(text: string): string {
  const head = printable(redact(text.slice(0, MAX_SHOWN)).replace(SECRET_MEMBER, '$1"***"'));
  return text.length > MAX_SHOWN ? `${head}…` : head;
}
