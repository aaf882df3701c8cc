#!/usr/bin/env node
import { EXIT } from "./exit-code.js";
import { processContext } from "./process-context.js";
import { run } from "./run.js";

// Whoever reads us may leave early, as `head` does: that is their right, and nothing to complain about.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`squad-rate: the result cannot be written (${error.code ?? error.message})\n`);
  process.exit(EXIT.cannotWrite);
});
process.stderr.on("error", () => {});

// Not process.exit(): what has been written may still be on its way into a pipe.
process.exitCode = await run(processContext(), process.argv.slice(2));
