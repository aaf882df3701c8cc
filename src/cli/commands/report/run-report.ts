import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createReport, type Report, renderHtml, renderText } from "../../../report/index.js";
import { count, some } from "../../../report/words/format.js";
import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { fileProblem } from "../../file-problem.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { showProgress } from "../../show/progress.js";
import { timeOf } from "./time-of.js";
import { traceSource } from "./trace-source.js";

/** What the flags of `report` say. */
export interface ReportFlags {
  readonly html?: string;
  readonly json?: boolean;
  readonly title?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Reads, and prints or writes the report; ends with `EXIT.found` if nothing could be read. */
export async function runReport(
  context: CommandContext,
  files: readonly string[],
  options: ReportFlags,
  flags: Flags,
): Promise<void> {
  const now = context.clock.now();
  const { html, json = false, title, since, until } = options;
  const asked = {
    ...(title === undefined ? {} : { title }),
    ...(since === undefined ? {} : { since: timeOf("--since", since, now) }),
    ...(until === undefined ? {} : { until: timeOf("--until", until, now) }),
  };
  let read = 0;
  const source = await traceSource(context, files, flags, (bytes) => {
    read += bytes;
  });
  const progress = showProgress({
    output: context.err,
    clock: context.clock,
    text: () => `reading: ${(read / 1e6).toLocaleString("en-US", { maximumFractionDigits: 0 })} MB so far`,
    quiet: flags.quiet,
  });
  let report: Report;
  try {
    report = await createReport(source, asked);
  } catch (error) {
    throw fileProblem("read", "a trace", error);
  } finally {
    progress.end();
  }
  tellWhatIsMissing(context, report);
  if (html !== undefined) {
    await writePage(context, html, renderHtml(report));
    if (html !== "-" && flags.quiet !== true) context.err.write(`wrote ${html}\n`);
  }
  if (json) context.out.write(`${JSON.stringify(report)}\n`);
  else if (html === undefined) context.out.write(textOf(context, report, flags));
}

function tellWhatIsMissing({ err }: CommandContext, { read }: Report): void {
  const [most] = read.skipped;
  if (most !== undefined) {
    const place = most.first[0];
    const first = place === undefined ? "" : `, the first at ${place.source}:${place.line}`;
    err.write(
      `squad-rate: ${count(read.skippedLines)} of ${some(read.lines, "line")} could not be used${first}: ${most.why}\n`,
    );
  }
  if (read.calls + read.attempts + read.readings > 0) return;
  const outside = read.outsideTime > 0 ? ` but for ${count(read.outsideTime)} outside the time asked for` : "";
  throw new CommandEnd(EXIT.found, {
    message: `there are no records in ${some(read.lines, "line")}${outside}`,
    remedy: read.outsideTime > 0 ? "give another --since or --until" : "docs/trace.md says what a trace looks like",
  });
}

async function writePage({ cwd, out }: CommandContext, file: string, page: string): Promise<void> {
  if (file === "-") {
    out.write(page);
    return;
  }
  try {
    await writeFile(resolve(cwd, file), page);
  } catch (error) {
    throw fileProblem("write", file, error);
  }
}

/** Headings are the lines that shout. */
function textOf({ out, env }: CommandContext, report: Report, flags: Flags): string {
  const paint = paintFor(out, env, flags.color);
  const text = renderText(report, out.isTerminal ? { columns: out.columns } : {});
  return text.replace(/^[A-Z][A-Z -]+$/gm, (heading) => paint.bold(heading));
}
