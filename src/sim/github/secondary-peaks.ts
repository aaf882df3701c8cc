import type { SecondaryLimitOptions } from "./secondary-options.js";

/** GitHub's secondary limits by name; times of answers are counted in milliseconds. */
export type SecondaryLimitName =
  | "concurrency"
  | "response-time"
  | "graphql-response-time"
  | "graphql-points"
  | "endpoint-points"
  | "content-per-minute"
  | "content-per-hour"
  | "tokens-per-hour";

/** How much of a limit was used when most of it was. */
export interface SecondaryPeak {
  readonly limit: SecondaryLimitName;
  /** Of points per endpoint: which endpoint. */
  readonly endpoint: string | undefined;
  readonly used: number;
  readonly allowed: number;
}

const ALLOWED: Readonly<Record<SecondaryLimitName, keyof SecondaryLimitOptions>> = {
  concurrency: "concurrency",
  "response-time": "cpuMsPerMinute",
  "graphql-response-time": "graphqlCpuMsPerMinute",
  "graphql-points": "graphqlPointsPerMinute",
  "endpoint-points": "pointsPerEndpointPerMinute",
  "content-per-minute": "contentPerMinute",
  "content-per-hour": "contentPerHour",
  "tokens-per-hour": "tokensPerHour",
};

/** Remembers how full the limits of one principal have been at their fullest. */
export class SecondaryPeaks {
  readonly #used = new Map<SecondaryLimitName, number>();
  #endpoint: string | undefined;

  note(limit: SecondaryLimitName, used: number): boolean {
    if (used <= (this.#used.get(limit) ?? 0)) return false;
    this.#used.set(limit, used);
    return true;
  }

  noteEndpoint(endpoint: string, used: number): void {
    if (this.note("endpoint-points", used)) this.#endpoint = endpoint;
  }

  /** Those that were touched at all. */
  against(options: SecondaryLimitOptions): readonly SecondaryPeak[] {
    return [...this.#used].map(([limit, used]) => ({
      limit,
      endpoint: limit === "endpoint-points" ? this.#endpoint : undefined,
      used,
      allowed: options[ALLOWED[limit]] as number,
    }));
  }
}
