import type { Report } from "../report.js";
import { count, instant, nameOf, span } from "../words/format.js";
import { CHART, chart, legend, PLOT, px, timeAxis, told, valueAxis } from "./chart.js";
import { linearScale, timeScale } from "./scale.js";

/** Units over time, one on the other by agent, and what nobody in the trace explains on top. */
export function burnChart({ burn, span: time }: Report): string {
  const { buckets, agents, widthMs } = burn;
  const first = buckets[0]?.at;
  const last = buckets.at(-1)?.at;
  if (first === undefined || last === undefined || time === undefined) return "";
  const end = last + widthMs;
  const x = timeScale(first, end, PLOT.left, PLOT.right);
  const most = Math.max(...buckets.map((bucket) => sum(bucket.units) + bucket.otherUnits + bucket.hiddenUnits));
  if (most === 0) return "";
  const y = linearScale(most, PLOT.bottom, PLOT.top);
  const layers = [
    ...agents.map((name, index) => ({ colour: `c${index}`, name: nameOf(name) })),
    { colour: "cx", name: "others" },
    { colour: "ch", name: "unexplained" },
  ];
  const totals = layers.map(() => 0);
  const bars: string[] = [];
  for (const bucket of buckets) {
    const parts = [...bucket.units, bucket.otherUnits, bucket.hiddenUnits];
    const left = x.at(bucket.at);
    const width = Math.max(0.5, x.at(bucket.at + widthMs) - left - GAP);
    let below = 0;
    for (const [index, units] of parts.entries()) {
      if (units === 0) continue;
      totals[index] = (totals[index] ?? 0) + units;
      const top = y.at(below + units);
      const height = y.at(below) - top;
      below += units;
      const { colour, name } = layers[index] as (typeof layers)[number];
      bars.push(
        told(
          `<rect class="${colour}" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(Math.max(0.3, height))}"/>`,
          `${name}: ${count(units)} units in ${span(widthMs)} from ${instant(bucket.at)}`,
        ),
      );
    }
  }
  const shown = layers
    .map((layer, index) => ({
      ...layer,
      name: `${layer.name} (${count(totals[index] ?? 0)})`,
      total: totals[index] ?? 0,
    }))
    .filter(({ total }) => total > 0);
  const about = `Units of primary quota in parts of ${span(widthMs)}, by agent. The most in one part is ${count(most)}.`;
  const body = `${valueAxis(y)}${bars.join("")}${timeAxis(x, end - first)}`;
  return `<p class="about">Units in parts of ${span(widthMs)}; times in UTC.</p>${chart("burn", "Units over time by agent", about, body, CHART.height)}${legend(shown)}`;
}

/** Between bars. */
const GAP = 0.4;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
