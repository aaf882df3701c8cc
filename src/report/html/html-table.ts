import type { Column } from "../words/columns.js";
import { escapeHtml } from "./escape.js";

/** Longer names are cut to three lines; pointing at one shows all of it. */
const MAX_SHOWN = 80;

/** Rows under their columns. */
export function htmlTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], caption: string): string {
  const head = columns
    .map(
      ({ title, about, align }) =>
        `<th scope="col" class="${align}"${about === "" ? "" : ` title="${escapeHtml(about)}"`}>${escapeHtml(title)}</th>`,
    )
    .join("");
  const body = rows
    .map((row) => {
      const cells = columns.map((column, index) => {
        const text = escapeHtml(column.of(row));
        return index === 0
          ? `<th scope="row"><span${text.length > MAX_SHOWN ? ` title="${text}"` : ""}>${text}</span></th>`
          : `<td class="${column.align}">${text}</td>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    })
    .join("\n");
  return `<div class="scroll"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}
