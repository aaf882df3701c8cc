import { type PressureMember, pressureOn } from "../policy/pressure.js";
import { formatDuration } from "../policy/words.js";
import type { ListedMember } from "../pool/membership.js";

/**
 * Whether an agent may begin new work. `until` is when all that is known to hold it back is over, epoch milliseconds of
 * this machine's clock; `undefined` when nobody has said.
 */
export type WorkVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly until: number | undefined };

/** An agent's own calls would not be sent before `until`, epoch milliseconds of this machine's clock. */
export interface Held {
  readonly until: number;
  /** The gate's word, in plain English with numbers. */
  readonly why: string;
}

/** Who shares one quota with the agent, and the clock by which they tell their times. */
export interface WorkPool {
  readonly members: readonly ListedMember[];
  /** GitHub's time, epoch milliseconds. */
  readonly githubNow: number;
}

/** All that decides whether an agent may begin work. */
export interface WorkQuestion {
  readonly agent: string;
  /** Names of the agents whose work its own needs. */
  readonly dependsOn: readonly string[];
  /** Undefined when its own calls would be sent, or nobody knows when they would. */
  readonly own: Held | undefined;
  /** Of every quota that it spends of. */
  readonly pools: Iterable<WorkPool>;
  /** Epoch milliseconds of this machine's clock. */
  readonly now: number;
}

/** A verdict, and whether others hold the agent up, who may say something else at any time. */
export interface WorkJudgement {
  readonly verdict: WorkVerdict;
  readonly byOthers: boolean;
}

const MAY_BEGIN: WorkJudgement = Object.freeze({ verdict: Object.freeze({ ok: true }), byOthers: false });

/**
 * Whether an agent may begin work, from what is known now. It may not while its own calls would be held for a known time,
 * or while what it depends on is blocked in any of its pools (see `pressureOn`). Of several reasons the one that lasts
 * longest is told.
 *
 * @example
 * ```ts
 * judgeWork({ agent: "ralph", dependsOn: ["data"], own: undefined, pools, now });
 * // { verdict: { ok: false, why: "ralph waits: data, which it depends on, is blocked for another 2 min", until }, … }
 * ```
 */
export function judgeWork({ agent, dependsOn, own, pools, now }: WorkQuestion): WorkJudgement {
  let judgement = MAY_BEGIN;
  if (own !== undefined && own.until > now) {
    const why = `${agent} waits: its own calls are held for another ${formatDuration(own.until - now)} (${own.why})`;
    judgement = { verdict: { ok: false, why, until: own.until }, byOthers: false };
  }
  if (dependsOn.length === 0) return judgement;
  for (const { members, githubNow } of pools) {
    const pressure = pressureOn(agent, asPressure(agent, dependsOn, members), githubNow);
    if (pressure.ok) continue;
    // Rounded up: asked again a moment too early, it would be told the same.
    const until = pressure.until === undefined ? undefined : Math.ceil(pressure.until + now - githubNow);
    if (endOf({ ...pressure, until }) > endOf(judgement.verdict)) {
      judgement = { verdict: { ok: false, why: pressure.why, until }, byOthers: true };
    }
  }
  return judgement;
}

/** When a verdict turns by itself: never, if it is a no that nobody has set an end to. */
export function endOf(verdict: WorkVerdict): number {
  return verdict.ok ? Number.NEGATIVE_INFINITY : (verdict.until ?? Number.POSITIVE_INFINITY);
}

/** The agent is in its list once, with what it depends on: whoever has its name elsewhere does not work for it. */
function asPressure(
  agent: string,
  dependsOn: readonly string[],
  members: readonly ListedMember[],
): readonly PressureMember[] {
  const self = { name: agent, dependsOn, blockedUntil: 0, breakerOpen: false, light: "green", alive: true } as const;
  const others = members.filter((member) => member.agent !== agent).map(seenByOthers);
  return [self, ...others];
}

/** Who is in the list is alive, as far as anybody knows. */
function seenByOthers({ agent, dependsOn, blockedUntil, breakerOpen, light }: ListedMember): PressureMember {
  return { name: agent, dependsOn, blockedUntil, breakerOpen, light, alive: true };
}
