import { UNNAMED_PRINCIPAL } from "../observed.js";
import { printable } from "../printable.js";

/** `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** `1 agent`, `3,000 agents`. */
export function some(number: number, one: string, many: string = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** `617`, `61.7` or `6.17`: three figures say enough of a rate. */
export function rate(value: number | undefined): string {
  if (value === undefined) return "–";
  if (value >= 100 || value === 0) return count(value);
  return value.toLocaleString("en-US", { maximumFractionDigits: value >= 10 ? 1 : 2 });
}

/** `12.3 %`; what is there at all is never shown as nothing, and what is not all never as all. */
export function share(value: number): string {
  const percent = 100 * value;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  if (percent < 100 && percent > 99.9) return "> 99.9 %";
  return `${percent.toLocaleString("en-US", { maximumFractionDigits: 1 })} %`;
}

/** `0 ms`, `746 ms`, `3.44 s`, `2 min 5 s`, `1 h 4 min`. */
export function span(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < 1) return ms === 0 ? "0 ms" : "< 1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toLocaleString("en-US", { maximumFractionDigits: ms < 10_000 ? 2 : 1 })} s`;
  if (ms < 3_600_000) return pair(Math.round(ms / 1_000), 60, "min", "s");
  if (ms < 48 * 3_600_000) return pair(Math.round(ms / 60_000), 60, "h", "min");
  return pair(Math.round(ms / 3_600_000), 24, "d", "h");
}

function pair(smallest: number, size: number, large: string, small: string): string {
  const rest = smallest % size;
  return `${Math.floor(smallest / size)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
}

/** `2030-01-01 00:00:00`, in UTC. */
export function instant(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** What is shown for a name; a missing one says so. */
export function nameOf(name: string | undefined): string {
  return name === undefined ? "(not told)" : printable(name);
}

/** A principal is a fingerprint: its beginning tells it from the others. */
export function principalOf(principal: string): string {
  const name = printable(principal);
  return /^[0-9a-f]{32}$/.test(name) ? name.slice(0, 8) : name.replace(UNNAMED_PRINCIPAL, "(not told)");
}
