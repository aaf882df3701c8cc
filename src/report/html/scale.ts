/** Where on an axis a value stands, and which values are written at it. */
export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** From 0 to `max` or a little more, in steps of 1, 2 or 5 times a power of ten. */
export function linearScale(max: number, from: number, to: number, wanted = 4): Scale {
  const top = max > 0 ? max : 1;
  const rough = top / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const end = Math.ceil(top / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { ticks, at: (value) => from + ((to - from) * value) / end };
}

const STEPS_MS: readonly number[] = [
  1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 86_400_000,
  172_800_000, 604_800_000, 2_419_200_000, 7_257_600_000, 31_536_000_000, 157_680_000_000,
];

/** Between two instants, with ticks at round times (UTC). */
export function timeScale(first: number, last: number, from: number, to: number, wanted = 7): Scale {
  const length = Math.max(1, last - first);
  const step = STEPS_MS.find((each) => length / each <= wanted) ?? length;
  const ticks: number[] = [];
  for (let tick = Math.ceil(first / step) * step; tick <= last; tick += step) ticks.push(tick);
  return { ticks, at: (time) => from + ((to - from) * (time - first)) / length };
}

/** An instant as an axis says it: as much of it as its neighbours leave open. */
export function tickLabel(at: number, length: number): string {
  const iso = new Date(at).toISOString();
  if (length > 3 * 86_400_000) return iso.slice(0, 10);
  if (length > 86_400_000) return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
  return length > 600_000 ? iso.slice(11, 16) : iso.slice(11, 19);
}
