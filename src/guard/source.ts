import type { LRUCache } from "lru-cache";
import { SquadRateError } from "../errors.js";
import type { CheckedGuard } from "./check-guard.js";
import { sourceId } from "./guard-key.js";

/**
 * Sees that the same reads do not guard two values that would be taken for each other. `sources` holds, by guard, the
 * source of its `produce`; functions whose sources are alike go unnoticed.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS`
 */
export function checkSource(
  sources: LRUCache<string, string>,
  guard: string,
  { key, reads }: CheckedGuard,
  produce: () => unknown,
): void {
  if (key !== undefined) return;
  const source = sourceId(produce);
  const known = sources.get(guard);
  if (known === undefined) sources.set(guard, source);
  if (known === undefined || known === source) return;
  throw new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    `${reads[0]?.route.split("?")[0]}: two guards with the same reads have different produce functions, and would take each other's value for their own.`,
    { remedy: "Give each of them a guard.key of its own." },
  );
}
