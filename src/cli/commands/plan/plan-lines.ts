import type { Plan, PlanLimit } from "../../../sim/plan/plan-result.js";
import type { Output } from "../../context.js";
import { helpWidth } from "../../help.js";
import type { Paint } from "../../show/paint.js";
import { table, tableWidth } from "../../show/table.js";
import { wrap } from "../../show/wrap.js";

/** A plan for a reader: whether the agents fit, how many would, what binds, and why. */
export function planLines(plan: Plan, output: Output, paint: Paint): readonly string[] {
  const { agents, carries, binding, stopsAt, limits, explain } = plan;
  const full = `${percent(binding.share)} of ${binding.limit}, the fullest limit`;
  const fits = agents <= carries;
  const one = agents === 1;
  const verdict = fits ? paint.green(one ? "fits" : "fit") : paint.red(one ? "does not fit" : "do not fit");
  const most = Number.isFinite(carries)
    ? `At most ${number(carries)} such agents fit; one more would fill ${stopsAt} too far.`
    : "Any number of such agents fits: they use none of the limits.";
  const used = limits.filter(({ share }) => share > 0);
  const width = helpWidth(output.columns);
  return [
    ...wrap(
      paint.bold(`${number(agents)} ${one ? "agent" : "agents"} ${verdict}: ${one ? "it uses" : "they use"} ${full}.`),
      width,
    ),
    ...wrap(most, width),
    ...(used.length === 0 ? [] : ["", ...limitTable(used, binding, output, paint)]),
    "",
    ...explain.flatMap((sentence) => wrap(sentence, width)),
  ];
}

function limitTable(limits: readonly PlanLimit[], binding: PlanLimit, output: Output, paint: Paint): readonly string[] {
  const colour = ({ share }: PlanLimit): ((text: string) => string) => {
    if (share > 1) return paint.red;
    return share > NEARLY_FULL ? paint.yellow : paint.green;
  };
  return table(
    [
      { title: "limit", of: (one) => one.limit },
      { title: "used", align: "right", of: (one) => colour(one)(percent(one.share)) },
      { title: "", of: (one) => (one === binding ? paint.dim("binds") : "") },
    ],
    limits,
    { width: tableWidth(output), heading: paint.dim },
  );
}

const NEARLY_FULL = 0.8;

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function percent(share: number): string {
  if (!Number.isFinite(share)) return "more than all";
  if (share > 0 && share < 0.01) return "< 1 %";
  return `${number(Math.round(100 * share))} %`;
}
