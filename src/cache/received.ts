/** An answer with its headers laid out as a map: they are read a dozen times, and a `Headers` is slow to read. */
export interface Received {
  readonly response: Response;
  readonly headers: Map<string, string>;
}
