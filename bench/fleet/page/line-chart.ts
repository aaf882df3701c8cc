import { CHART, chart, legend, PLOT, px, told, valueAxis } from "../../../src/report/html/chart.js";
import { escapeHtml } from "../../../src/report/html/escape.js";
import { linearScale } from "../../../src/report/html/scale.js";

/** One line of a chart, or one kind of bars. */
export interface Series {
  readonly name: string;
  /** A class of the page's style: `c0` to `c9`. */
  readonly colour: string;
  /** One for each label; undefined: there was no run. */
  readonly values: readonly (number | undefined)[];
}

/** What a chart shows. */
export interface ChartOf {
  readonly id: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** A value as it is told. */
  readonly words: (value: number) => string;
  /** Where the picture ends, so that one client that goes wrong does not flatten the others. */
  readonly most?: number;
}

/** Lines over labels that stand at even distances. */
export function lineChart({ id, title, labels, series, words, most }: ChartOf): string {
  const scale = scaleOf(series, most);
  const xOf = (index: number): number => PLOT.left + ((PLOT.right - PLOT.left) * (index + 0.5)) / labels.length;
  const lines = series.map(({ name, colour, values }) => {
    const points = values.flatMap((value, index) =>
      value === undefined ? [] : [{ x: px(xOf(index)), y: px(scale.at(Math.min(value, scale.top))), value, index }],
    );
    const dots = points.map(({ x, y, value, index }) =>
      told(`<circle class="${colour}" cx="${x}" cy="${y}" r="3.5"/>`, `${name}, ${labels[index]}: ${words(value)}`),
    );
    const path = points.map(({ x, y }) => `${x},${y}`).join(" ");
    return `<polyline class="line ${colour}" points="${path}"/>${dots.join("")}`;
  });
  const body = `${valueAxis(scale.scale)}${labelAxis(labels, xOf)}${lines.join("")}`;
  return withLegend(chart(id, title, aboutOf(series, labels, words), body), series);
}

/** Bars side by side, a group for each label. */
export function barChart({ id, title, labels, series, words, most }: ChartOf): string {
  const scale = scaleOf(series, most);
  const group = (PLOT.right - PLOT.left) / labels.length;
  const width = (0.8 * group) / series.length;
  const xOf = (index: number): number => PLOT.left + group * (index + 0.5);
  const bars = series.flatMap(({ name, colour, values }, place) =>
    values.flatMap((value, index) => {
      if (value === undefined) return [];
      const y = px(scale.at(Math.min(value, scale.top)));
      const x = px(xOf(index) - 0.4 * group + place * width);
      const shape = `<rect class="${colour}" x="${x}" y="${y}" width="${px(0.9 * width)}" height="${px(PLOT.bottom - y)}"/>`;
      return [told(shape, `${name}, ${labels[index]}: ${words(value)}`)];
    }),
  );
  const body = `${valueAxis(scale.scale)}${labelAxis(labels, xOf)}${bars.join("")}`;
  return withLegend(chart(id, title, aboutOf(series, labels, words), body), series);
}

function scaleOf(series: readonly Series[], most: number | undefined) {
  const values = series.flatMap((one) => one.values.flatMap((value) => value ?? []));
  const largest = Math.max(0, ...values);
  const scale = linearScale(most === undefined ? largest : Math.min(most, largest), PLOT.bottom, PLOT.top);
  return { scale, top: scale.ticks.at(-1) ?? 1, at: (value: number) => scale.at(value) };
}

function labelAxis(labels: readonly string[], xOf: (index: number) => number): string {
  const y = PLOT.bottom + 18;
  const texts = labels.map(
    (label, index) =>
      `<text class="tick" x="${px(xOf(index))}" y="${y}" text-anchor="middle">${escapeHtml(label)}</text>`,
  );
  return `<line class="axis" x1="${PLOT.left}" x2="${CHART.width - CHART.right}" y1="${PLOT.bottom}" y2="${PLOT.bottom}"/>${texts.join("")}`;
}

function aboutOf(series: readonly Series[], labels: readonly string[], words: (value: number) => string): string {
  return series
    .map(({ name, values }) => {
      const said = values.flatMap((value, index) => (value === undefined ? [] : [`${labels[index]} ${words(value)}`]));
      return `${name}: ${said.join(", ")}`;
    })
    .join("; ");
}

function withLegend(picture: string, series: readonly Series[]): string {
  return `${picture}${legend(series)}`;
}
