import type { PoolSpender } from "./pool-spender.js";

/** Units that calls of other processes wait for, by priority, as the pool's document told it last. */
export function waitingElsewhere({ newest, state }: PoolSpender): readonly [number, number, number] {
  const waiting: [number, number, number] = [0, 0, 0];
  for (const [spender, { classes }] of Object.entries(newest?.allocations ?? {})) {
    if (spender === state.spender) continue;
    waiting[0] += classes[0]?.waiting ?? 0;
    waiting[1] += classes[1]?.waiting ?? 0;
    waiting[2] += classes[2]?.waiting ?? 0;
  }
  return waiting;
}
