export { createReport } from "./create-report.js";
