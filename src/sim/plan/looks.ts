/** So many pull requests are looked at by one query, for one unit: each is one request by GitHub's rule, of which 100 are a unit. */
export const LOOKS_PER_QUERY = 100;
