import { count } from "../words/format.js";
import { escapeHtml } from "./escape.js";
import { type Scale, tickLabel } from "./scale.js";

/** A picture's size in its own units; on the page it takes the width that there is. */
export const CHART = { width: 960, height: 300, left: 64, right: 16, top: 14, bottom: 30 } as const;

/** The part in which things are drawn. */
export const PLOT: Readonly<Record<"left" | "right" | "top" | "bottom", number>> = {
  left: CHART.left,
  right: CHART.width - CHART.right,
  top: CHART.top,
  bottom: CHART.height - CHART.bottom,
};

/** Something to point at: a shape with words. */
export function told(shape: string, words: string): string {
  const tag = shape.slice(1, shape.search(/\s/));
  return `${shape.slice(0, -"/>".length)}><title>${escapeHtml(words)}</title></${tag}>`;
}

/** A chart with its name and what it shows, for whoever cannot see it as well. */
export function chart(id: string, title: string, about: string, body: string, height: number = CHART.height): string {
  return `<div class="scroll"><svg viewBox="0 0 ${CHART.width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${escapeHtml(title)}</title><desc id="${id}-d">${escapeHtml(about)}</desc>${body}</svg></div>`;
}

/** Horizontal lines with their values. */
export function valueAxis(scale: Scale): string {
  return scale.ticks
    .map((tick) => {
      const y = px(scale.at(tick));
      return `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y}" y2="${y}"/><text class="tick" x="${PLOT.left - 8}" y="${y}" dy="0.32em" text-anchor="end">${tick < 10 && tick % 1 !== 0 ? tick : count(tick)}</text>`;
    })
    .join("");
}

/** Times below the plot. */
export function timeAxis(scale: Scale, length: number): string {
  return scale.ticks
    .map((tick) => {
      const x = px(scale.at(tick));
      const anchor = x < PLOT.left + 20 ? "start" : x > PLOT.right - 20 ? "end" : "middle";
      return `<line class="axis" x1="${x}" x2="${x}" y1="${PLOT.bottom}" y2="${PLOT.bottom + 4}"/><text class="tick" x="${x}" y="${PLOT.bottom + 18}" text-anchor="${anchor}">${tickLabel(tick, length)}</text>`;
    })
    .join("");
}

/** A coordinate with as many digits as a screen can show. */
export function px(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Colours with their names. */
export function legend(entries: readonly { readonly colour: string; readonly name: string }[]): string {
  const items = entries.map(({ colour, name }) => `<li><i class="${colour}"></i><span>${escapeHtml(name)}</span></li>`);
  return `<ul class="legend">${items.join("")}</ul>`;
}
