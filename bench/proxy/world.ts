/** What the client of this benchmark sends as its token. */
export const TOKEN = "ghp_benchmark";

/** So high that no call has to wait for quota; still counted. */
export const UNLIMITED = 100_000_000;
