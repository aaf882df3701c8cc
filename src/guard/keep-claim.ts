import type { Engine } from "../pipeline/engine.js";
import { HUNG_AFTER_MS } from "./flight.js";
import type { FlightPlan } from "./flight-plan.js";

/** A claim lasts ten seconds without a word. */
const RENEW_EVERY_MS = 3_000;

/** Says again and again that this process lives, so that others wait; returns what ends it. */
export function keepClaim(engine: Engine, plan: FlightPlan, id: string): () => void {
  const { clock } = engine;
  const endAt = clock.monotonic() + HUNG_AFTER_MS;
  let isOver = false;
  let cancel: () => void = () => undefined;
  const renew = async (): Promise<void> => {
    if (engine.closed || clock.monotonic() >= endAt) return;
    const isStillOurs = await plan.shared?.renew(plan, id, plan.now);
    if (isStillOurs !== false && !isOver) arm();
  };
  const arm = (): void => {
    cancel = clock.timer(RENEW_EVERY_MS, () => void renew(), { unref: true });
  };
  arm();
  return () => {
    isOver = true;
    cancel();
  };
}
