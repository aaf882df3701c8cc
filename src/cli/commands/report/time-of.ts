import { CommandEnd } from "../../command-end.js";
import { EXIT } from "../../exit-code.js";

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Epoch milliseconds of `2h` (so long ago) or of a time by ISO 8601. */
export function timeOf(flag: string, text: string, now: number): number {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (count !== undefined && unitMs !== undefined) return now - Number(count) * unitMs;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new CommandEnd(EXIT.usage, {
    message: `${flag} takes a time, not "${text}"`,
    remedy: "say how long ago (30m, 2h, 1d), or when (2030-01-31 or 2030-01-31T12:00:00Z)",
  });
}
