/** 1,234, or 3.2 where a tenth says something. */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return "without end";
  const digits = Math.abs(value) < 10 && !Number.isInteger(value) ? (Math.abs(value) < 1 ? 2 : 1) : 0;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return "more than all of it";
  if (share > 0 && share < 0.01) return "less than 1 %";
  return `${Math.round(100 * share).toLocaleString("en-US")} %`;
}

/** `1 agent`, `2 agents`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${amount(count)} ${count === 1 ? one : many}`;
}

/** Seconds of milliseconds: 66, 0.21. */
export function seconds(ms: number): string {
  const value = ms / 1_000;
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
