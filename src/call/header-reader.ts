/** Headers by their lower-case name: a `Headers`, or a `Map` of what one held. */
export interface HeaderReader {
  get(name: string): string | null | undefined;
}
