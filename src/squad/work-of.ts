import { publish } from "../events.js";
import type { Engine } from "../pipeline/engine.js";
import { ownHold } from "../pipeline/own-hold.js";
import { Work, type WorkPool } from "../pipeline/work.js";

/** Older word of those whom an agent depends on is asked for anew. */
const OLD_MS = 10_000;

/** What tells whether the squad's own agent may begin work; there once anybody asks. */
export function workOf(engine: Engine): Work {
  const { options, clock, changes } = engine;
  const { agent, dependsOn } = options;
  engine.work ??= new Work({
    clock,
    agent,
    dependsOn,
    own: () => ownHold(engine),
    pools: () => poolsOf(engine),
    refresh: () => refresh(engine),
    subscribe: (listener) => changes.subscribe(listener),
    onChange: (verdict) =>
      publish("squad-rate:pressure", () => ({
        agent,
        ok: verdict.ok,
        why: verdict.ok ? undefined : verdict.why,
        until: verdict.ok ? undefined : verdict.until,
      })),
  });
  return engine.work;
}

function* poolsOf({ quota }: Engine): Iterable<WorkPool> {
  for (const { pool, host } of quota.principals()) {
    if (pool !== undefined) yield { members: pool.membership.members(), githubNow: quota.clocks.now(host) };
  }
}

function refresh({ quota, options: { agent, priority, dependsOn } }: Engine): boolean {
  let isComing = false;
  for (const { pool } of quota.principals()) {
    pool?.membership.seen(agent, priority);
    if (dependsOn.length > 0 && pool?.membership.refreshIfOlder(OLD_MS) === true) isComing = true;
  }
  return isComing;
}
