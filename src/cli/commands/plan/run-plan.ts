import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { plan } from "../../../sim/plan/plan.js";
import type { PlanScenario } from "../../../sim/plan/scenario.js";
import { CommandEnd } from "../../command-end.js";
import { parseJson } from "../../config/parse-json.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { fileProblem } from "../../file-problem.js";
import type { Flags } from "../../shared-options.js";
import { paintFor } from "../../show/paint.js";
import { planLines } from "./plan-lines.js";
import { type PlanFlags, scenarioOf } from "./plan-scenario.js";

/** Prints the plan; ends with `EXIT.found` if the agents do not fit. */
export async function runPlan(context: CommandContext, options: PlanFlags, flags: Flags): Promise<void> {
  const { scenario: file, json = false } = options;
  const scenario = file === undefined ? scenarioOf(options) : await readScenario(file, context.cwd);
  const result = plan(scenario);
  const fits = result.agents <= result.carries;
  if (json) {
    context.out.write(`${JSON.stringify({ fits, ...result }, finite, 2)}\n`);
  } else {
    const paint = paintFor(context.out, context.env, flags.color);
    for (const line of planLines(result, context.out, paint)) context.out.write(`${line}\n`);
  }
  if (!fits) throw new CommandEnd(EXIT.found);
}

async function readScenario(file: string, cwd: string): Promise<PlanScenario> {
  try {
    return parseJson(file, await readFile(resolve(cwd, file), "utf8")) as PlanScenario;
  } catch (error) {
    throw fileProblem("read", file, error);
  }
}

/** JSON has no infinity; what has no end is null. */
function finite(_key: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? null : value;
}
