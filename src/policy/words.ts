const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/**
 * A duration as a person would say it, in the two largest units that matter: `3 s`, `11 min 20 s`, `1 h 5 min`,
 * `2 d 3 h`. Rounded up, so that nothing is promised too early; `0 s` for anything that is over.
 */
export function formatDuration(ms: number): string {
  if (!(ms > 0)) return "0 s";
  if (ms === Number.POSITIVE_INFINITY) return "an unknown time";
  if (ms < 1_000) return `${Math.ceil(ms)} ms`;
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < HOUR_S) return pair(seconds, MINUTE_S, "min", 1, "s");
  const minutes = Math.ceil(seconds / MINUTE_S) * MINUTE_S;
  if (minutes < DAY_S) return pair(minutes, HOUR_S, "h", MINUTE_S, "min");
  return pair(Math.ceil(minutes / HOUR_S) * HOUR_S, DAY_S, "d", HOUR_S, "h");
}

function pair(seconds: number, largeS: number, large: string, smallS: number, small: string): string {
  const whole = Math.floor(seconds / largeS);
  const rest = (seconds % largeS) / smallS;
  if (whole === 0) return `${rest} ${small}`;
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}
