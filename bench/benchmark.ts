/** How much to measure. */
export interface Effort {
  /** A quick look, as in CI: fewer and shorter rounds, so less certain figures. */
  readonly short: boolean;
}

/** What a benchmark found out. */
export interface Findings {
  /** Lines for people to read. */
  readonly lines: readonly string[];
  /** The same and more, as plain JSON. */
  readonly data: unknown;
}

/** One question about cost, and how to answer it. */
export interface Benchmark {
  /** In kebab-case; names the file of its results too. */
  readonly name: string;
  readonly question: string;
  run(effort: Effort): Promise<Findings>;
}
