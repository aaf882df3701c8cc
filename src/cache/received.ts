/** An answer with its headers laid out as a map: they are read a dozen times, and a `Headers` is slow to read. */
export interface Received {
  readonly response: Response;
  readonly headers: Map<string, string>;
  /** A limit refused the request: it tells nothing of what was asked for. */
  readonly refused: boolean;
}
