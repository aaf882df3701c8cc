export { createReport } from "./create-report.js";
export { renderHtml } from "./html/render-html.js";
export type { Report } from "./report.js";
export { renderText } from "./text/render-text.js";
