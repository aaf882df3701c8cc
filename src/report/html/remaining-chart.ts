import type { Report } from "../report.js";
import { count, instant, principalOf } from "../words/format.js";
import { CHART, chart, legend, PLOT, px, timeAxis, told, valueAxis } from "./chart.js";
import { linearScale, timeScale } from "./scale.js";

/** Lines that can still be told apart when there are many. */
const MAX_RESETS = 80;

/** What was left of each quota, in parts of its limit, and the resets. */
export function remainingChart({ remaining, burn, span, windows }: Report): string {
  const first = burn.buckets[0]?.at;
  const last = burn.buckets.at(-1)?.at;
  if (first === undefined || last === undefined || span === undefined || remaining.length === 0) return "";
  const end = last + burn.widthMs;
  const x = timeScale(first, end, PLOT.left, PLOT.right);
  const y = linearScale(100, PLOT.bottom, PLOT.top, 4);
  const resets = windows.filter(({ resetAt }) => resetAt > first && resetAt < end);
  const marks = (resets.length > MAX_RESETS ? [] : resets).map(({ resetAt, resource, principal }) => {
    const at = px(x.at(resetAt));
    const line = `<line class="reset" x1="${at}" x2="${at}" y1="${PLOT.top}" y2="${PLOT.bottom}"/>`;
    return told(line, `${resource} of ${principalOf(principal)} resets at ${instant(resetAt)}`);
  });
  const several = new Set(remaining.map(({ principal }) => principal)).size > 1;
  const lines = remaining.map(({ points, limit, resource, principal }, index) => {
    const place = (at: number, left: number): string =>
      `${px(x.at(Math.min(end, at + burn.widthMs / 2)))},${px(y.at((100 * Math.min(left, limit)) / limit))}`;
    const path = points.map(({ at, remaining: left }) => place(at, left)).join(" ");
    const dots = points.map(({ at, remaining: left }) => {
      const [cx, cy] = place(at, left).split(",");
      const words = `${resource}: ${count(left)} of ${count(limit)} left, about ${instant(at)}`;
      // One point makes no line.
      const looks = points.length === 1 ? "dot alone" : "dot";
      return told(`<circle class="${looks} c${index}" cx="${cx}" cy="${cy}" r="3"/>`, words);
    });
    const name = `${resource} of ${count(limit)}${several ? `, ${principalOf(principal)}` : ""}`;
    return { svg: `<polyline class="line c${index}" points="${path}"/>${dots.join("")}`, colour: `c${index}`, name };
  });
  const body = `${valueAxis(y)}${marks.join("")}${lines.map(({ svg }) => svg).join("")}${timeAxis(x, end - first)}`;
  const about = `The least that headers showed as left, in percent of the limit, of ${remaining.length} quotas; vertical lines are resets.`;
  return `<p class="about">The least that headers showed as left, in percent of the limit; dashed lines are resets.</p>${chart("left", "Remaining quota over time", about, body, CHART.height)}${legend(lines)}`;
}
