import type { Light } from "./light.js";
import { formatDuration } from "./words.js";

/** One agent of one process, as far as others depend on it. */
export interface PressureMember {
  /** Several may have one name; see {@link pressureOn}. */
  readonly name: string;
  /** Names of the agents whose work its own needs. */
  readonly dependsOn: readonly string[];
  /** Its calls are blocked until then, epoch milliseconds; 0: they are not. */
  readonly blockedUntil: number;
  readonly breakerOpen: boolean;
  readonly light: Light;
  /** Its lease has not ended. One that is dead blocks nobody: it will not be waited for either. */
  readonly alive: boolean;
}

/**
 * Whether an agent may begin new work, as far as those it depends on are concerned. `until` (epoch milliseconds, the
 * clock of `blockedUntil`) is when all that is known to hold it back is over; `undefined` when nobody has said.
 */
export type Pressure =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly until: number | undefined };

/** The live members of one name. They are held up together, by the one that is free first. */
interface Team {
  readonly name: string;
  /** Members not held up. */
  free: number;
  /** Whom each dependent's being held up follows from. */
  readonly dependents: Held[];
  /** The team for which its last free member is held up; `undefined` when that one is itself blocked. */
  heldBy: Team | undefined;
}

/** A live member on the way to being held up. */
interface Held {
  readonly member: PressureMember;
  readonly team: Team;
  held: boolean;
}

const NO_PRESSURE: Pressure = Object.freeze({ ok: true });

/** A longer chain is told by its beginning and its end. */
const MOST_NAMED = 4;

/**
 * Whether an agent is under pressure: what it depends on, at any depth, is blocked, so that new work of its own would
 * only pile up before a closed door. Circles are harmless; names that nobody alive has are ignored, and an agent that is
 * not in the list depends on nobody: put it in.
 *
 * - A member is blocked while its `blockedUntil` has not come, its breaker is open, or its light is red.
 * - A name is held up when every live member of it is, by being blocked or by what it depends on itself. One that is
 *   free can do the work, whichever it is, because `dependsOn` says names.
 * - An agent's own being blocked is no pressure, nor is it when it comes back to it through others: its calls' gates say
 *   so, and nobody else can end it.
 *
 * Of several who hold it up, the one that lasts longest is named, through the chain that leads to it. Takes time in
 * proportion to the members and the names they depend on, besides sorting those that are blocked.
 *
 * @param now Epoch milliseconds, on the clock of `blockedUntil`.
 *
 * @example
 * ```ts
 * pressureOn("ralph", members, now);
 * // { ok: false, why: "ralph waits: data, which it depends on, is blocked for another 2 min", until: now + 120_000 }
 * ```
 */
export function pressureOn(agent: string, members: readonly PressureMember[], now: number): Pressure {
  const { teams, everybody } = assemble(members);
  const asker = teams.get(agent);
  if (asker === undefined) return NO_PRESSURE;
  // Who is blocked longest comes first. Whoever is reached first is then held up by what lasts longest, and a team by
  // its last member, which is free soonest: each is settled the first time it is met.
  const blocked = everybody
    .filter(({ team, member }) => team !== asker && blockedUntil(member, now) > now)
    .sort((a, b) => blockedUntil(b.member, now) - blockedUntil(a.member, now));
  for (const source of blocked) {
    const reached: { readonly one: Held; readonly by: Team | undefined }[] = [{ one: source, by: undefined }];
    for (const { one, by } of reached) {
      if (one.held) continue;
      one.held = true;
      one.team.free--;
      if (one.team.free > 0) continue;
      one.team.heldBy = by;
      if (one.team === asker) return underPressure(asker, source.member, now);
      for (const dependent of one.team.dependents) reached.push({ one: dependent, by: one.team });
    }
  }
  return NO_PRESSURE;
}

function assemble(members: readonly PressureMember[]): {
  readonly teams: ReadonlyMap<string, Team>;
  readonly everybody: readonly Held[];
} {
  const teams = new Map<string, Team>();
  const everybody: Held[] = [];
  for (const member of members) {
    if (!member.alive) continue;
    const team = teams.get(member.name) ?? { name: member.name, free: 0, dependents: [], heldBy: undefined };
    teams.set(member.name, team);
    team.free++;
    everybody.push({ member, team, held: false });
  }
  for (const one of everybody) for (const name of one.member.dependsOn) teams.get(name)?.dependents.push(one);
  return { teams, everybody };
}

/** When a member will be free as far as it has said; `Infinity` when it has not. */
function blockedUntil(member: PressureMember, now: number): number {
  if (member.blockedUntil > now) return member.blockedUntil;
  return member.breakerOpen || member.light === "red" ? Number.POSITIVE_INFINITY : 0;
}

function underPressure(asker: Team, source: PressureMember, now: number): Pressure {
  const until = blockedUntil(source, now);
  const known = Number.isFinite(until);
  const state = known
    ? `is blocked for another ${formatDuration(until - now)}`
    : source.breakerOpen
      ? "has an open breaker"
      : "is at a red light";
  return { ok: false, why: `${asker.name} waits: ${chain(asker)} ${state}`, until: known ? until : undefined };
}

/** From the asker to the one that is blocked: "data, which it depends on," or "it depends on a, a on b; b". */
function chain(asker: Team): string {
  const names: string[] = [];
  for (let team = asker.heldBy; team !== undefined; team = team.heldBy) names.push(team.name);
  const last = names.at(-1) ?? "";
  if (names.length === 1) return `${last}, which it depends on,`;
  const links = names.slice(1, MOST_NAMED).map((name, index) => `${names[index]} on ${name}`);
  if (names.length > MOST_NAMED) links.push(`and so on, ${names.length} deep`);
  return `it depends on ${[names[0], ...links].join(", ")}; ${last}`;
}
