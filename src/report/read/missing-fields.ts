/** A field that lines of a foreign trace did not have, and what could not be told for that reason. */
export interface MissingField {
  readonly field: string;
  /** Lines without it, of the lines that should have it. */
  readonly lines: number;
  readonly of: number;
  readonly therefore: string;
}

type FieldName =
  | "agent"
  | "session"
  | "durationMs"
  | "httpStatus"
  | "rate"
  | "rateReset"
  | "rateLimit"
  | "principal"
  | "etag"
  | "graphqlCost"
  | "endpoint";

/** What each field is good for. */
const THEREFORE: Readonly<Record<FieldName, string>> = {
  agent: "who spent it cannot be told",
  session: "units by session cannot be told",
  durationMs: "no percentiles; identical reads in flight at once cannot be told",
  httpStatus: "neither cost nor failure nor refusal can be told",
  rate: "what GitHub says was used cannot be compared",
  rateReset: "windows, and with them hidden use, cannot be told",
  rateLimit: "the limit was taken to be GitHub's usual one",
  principal: "all of it was taken for one identity's quota on each host",
  etag: "whether a read had changed cannot be told",
  graphqlCost: "what queries cost cannot be told",
  endpoint: "routes, costs and repeated reads cannot be told",
};

/** Counts what the lines of foreign traces leave out. */
export class MissingFields {
  readonly #missing = new Map<FieldName, number>();
  readonly #asked = new Map<FieldName, number>();

  /** What one line tells; `""` where the line need not have it. */
  saw(line: Readonly<Record<FieldName, unknown>>): void {
    for (const field of Object.keys(THEREFORE) as FieldName[]) {
      const value = line[field];
      if (value === "") continue;
      this.#asked.set(field, (this.#asked.get(field) ?? 0) + 1);
      if (value === undefined) this.#missing.set(field, (this.#missing.get(field) ?? 0) + 1);
    }
  }

  list(): readonly MissingField[] {
    return [...this.#missing].map(([field, lines]) => ({
      field,
      lines,
      of: this.#asked.get(field) ?? 0,
      therefore: THEREFORE[field],
    }));
  }
}
