/** A logger for Octokits that are refused now and then, as they should be. */
export const QUIET = { debug: ignore, info: ignore, warn: ignore, error: ignore } as const;

function ignore(): void {}
