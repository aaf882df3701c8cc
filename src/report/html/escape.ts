import { printable } from "../printable.js";

/** Text as it may stand between tags and in quoted attributes; nothing in a trace becomes markup. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"'`=]/g, (character) => `&#${character.charCodeAt(0)};`);
}
