import type { Report } from "../report.js";
import { count, nameOf, share, span } from "../words/format.js";
import { CHART, chart, legend, px, told } from "./chart.js";
import { escapeHtml } from "./escape.js";

/** A bar is so high, with the space below it. */
const ROW = 22;
const LABEL_WIDTH = 400;
const VALUE_WIDTH = 150;
const MAX_ROUTES = 15;

/** Routes by what they cost; the darker part is what could have been spared. */
export function routeChart({ spend }: Report): string {
  const rows = spend.routes.rows.filter(({ units }) => units > 0).slice(0, MAX_ROUTES);
  const most = Math.max(0, ...rows.map(({ units }) => units));
  if (most === 0) return "";
  const room = CHART.width - LABEL_WIDTH - VALUE_WIDTH;
  const bars = rows.map(({ name, units, sparedUnits, share: part }, index) => {
    const y = index * ROW + 4;
    const width = Math.max(1, (room * units) / most);
    const spared = (room * sparedUnits) / most;
    const words = `${nameOf(name)}: ${count(units)} units, ${share(part)}; ${count(sparedUnits)} could have been spared`;
    return [
      label(nameOf(name), y),
      told(`<rect class="c0" x="${LABEL_WIDTH}" y="${y}" width="${px(width)}" height="${ROW - 8}"/>`, words),
      spared > 0
        ? told(`<rect class="c3" x="${LABEL_WIDTH}" y="${y}" width="${px(spared)}" height="${ROW - 8}"/>`, words)
        : "",
      value(`${count(units)} (${share(part)})`, LABEL_WIDTH + width, y),
    ].join("");
  });
  const key = legend([
    { colour: "c0", name: "needed" },
    { colour: "c3", name: "spared by squadRate with guards" },
  ]);
  const about = `The ${rows.length} routes that cost most; the first took ${share(rows[0]?.share ?? 0)} of all units.`;
  return `${chart("routes", "Routes by cost", about, bars.join(""), rows.length * ROW + 8)}${key}`;
}

/** How long calls waited, by priority. */
export function waitChart({ scorecard: { waits } }: Report): string {
  const rows = waits.flatMap(({ priority, wait, calls }) =>
    wait === undefined
      ? []
      : (["p50Ms", "p95Ms", "p99Ms"] as const).map((name, index) => ({
          name:
            index === 0 ? `${priority === undefined ? nameOf(undefined) : `P${priority}`}, ${count(calls)} calls` : "",
          percentile: name.slice(0, -2),
          colour: `c${index}`,
          ms: wait[name],
        })),
  );
  const most = Math.max(0, ...rows.map(({ ms }) => ms));
  if (most === 0) return "";
  const labels = 180;
  const room = CHART.width - labels - VALUE_WIDTH;
  const bars = rows.map(({ name, percentile, colour, ms }, index) => {
    const y = index * ROW + Math.floor(index / 3) * 8 + 4;
    const width = Math.max(1, (room * ms) / most);
    return [
      name === "" ? "" : label(name, y, labels),
      told(
        `<rect class="${colour}" x="${labels}" y="${y}" width="${px(width)}" height="${ROW - 8}"/>`,
        `${percentile}: ${span(ms)}`,
      ),
      value(`${percentile} ${span(ms)}`, labels + width, y),
    ].join("");
  });
  const about = rows.map(({ name, percentile, ms }) => `${name} ${percentile} ${span(ms)}`).join("; ");
  const height = rows.length * ROW + Math.floor((rows.length - 1) / 3) * 8 + 8;
  return chart("waits", "Wait by class", about, bars.join(""), height);
}

function label(text: string, y: number, width = LABEL_WIDTH): string {
  // What does not fit is cut; pointing at it shows all.
  const fits = Math.floor((width - 12) / 7.4);
  const shown = [...text].length > fits ? `${[...text].slice(0, fits - 1).join("")}…` : text;
  return `<text class="label" x="${width - 10}" y="${y + (ROW - 8) / 2}" dy="0.34em" text-anchor="end">${escapeHtml(shown)}<title>${escapeHtml(text)}</title></text>`;
}

function value(text: string, x: number, y: number): string {
  return `<text class="tick" x="${px(x + 8)}" y="${y + (ROW - 8) / 2}" dy="0.34em">${escapeHtml(text)}</text>`;
}
