import type { Eviction, EvictionOrder } from "../../../pool/outside/choose-evicted.js";
import type { Evicted } from "../../../pool/outside/evict-from-pool.js";
import type { PoolView } from "../../../pool/outside/pool-view.js";
import { identifySpender } from "../../../pool/outside/process-of.js";
import { printable } from "../../../report/printable.js";
import { count, some } from "../../../report/words/format.js";
import { roughly, timeOfDay, type Zone } from "../status/words.js";
import { shownName } from "./choose-pools.js";

/** What an operator is asked. */
export function evictionQuestion(pool: PoolView, { who, resource }: EvictionOrder, eviction: Eviction): string {
  const { members, spenders } = eviction;
  const leases = pool.quotas.flatMap((quota) =>
    quota.leases.filter(({ spender }) => spenders.get(quota.resource)?.has(spender) === true),
  );
  const held = leases.reduce((sum, lease) => sum + lease.heldUnits + lease.inFlightUnits, 0);
  const machines = [...new Set(members.map(({ machine }) => printable(machine)))];
  const on = machines.length === 0 ? "" : ` on ${machines.join(", ")}`;
  const of = resource === undefined ? "" : ` of ${printable(resource)}`;
  const what = [
    ...(members.length > 0 ? [`${some(members.length, "entry", "entries")} in the list${on}`] : []),
    `${some(leases.length, "lease")}${of} with ${some(Math.ceil(held), "unit")}`,
  ];
  return `Evict ${printable(who)} from pool ${printable(shownName(pool.name))} of ${printable(pool.host)} (${what.join(", ")})?`;
}

/** What was done, and when units come back. */
export function evictedLines(evicted: Evicted, { shared }: Eviction, now: number, zone: Zone = {}): readonly string[] {
  const { members, leases } = evicted;
  const lines: string[] = [];
  if (members > 0) lines.push(`Taken off the list: ${some(members, "entry", "entries")}.`);
  for (const { resource, spender, heldUnits, inFlightUnits, spentUnits, returnsAfter } of leases) {
    const whose = `${printable(resource)}: the lease of ${printable(identifySpender(spender).agent)}`;
    if (returnsAfter === 0) {
      lines.push(`${whose} is ended; it held nothing, and the ${count(spentUnits)} that it spent stay counted.`);
      continue;
    }
    const units = some(Math.ceil(heldUnits + inFlightUnits), "unit");
    const flying = inFlightUnits > 0 ? `, ${count(inFlightUnits)} of them in flight` : "";
    const when =
      returnsAfter <= now
        ? "come back with the next answer"
        : `come back with the first answer to a call after ${timeOfDay(returnsAfter, now, zone)}, in ${roughly(returnsAfter - now)}`;
    lines.push(`${whose} is ended; ${units}${flying} ${when}.`);
  }
  for (const { process, others } of shared) {
    const names = [...new Set(others)].map(printable).join(", ");
    lines.push(
      `Process ~${process.slice(0, 6)} also serves ${names}, so its leases stay; squad-rate pool evict ~${process.slice(0, 6)} ends them.`,
    );
  }
  if (leases.some(({ returnsAfter }) => returnsAfter > now)) {
    lines.push("Until then a process that is alive after all could spend them without asking.");
  }
  if (lines.length === 0) lines.push("Nothing was there to be ended.");
  return lines;
}
