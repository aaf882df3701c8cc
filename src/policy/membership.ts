import type { Light, Priority } from "./light.js";
import { type ParsedDocument, parse, readHead } from "./share/parse-quota-document.js";
import { DOCUMENT_VERSION } from "./share/quota-document.js";
import { Reader, Unreadable } from "./share/read-json.js";

/** One agent of one process, as the others see it. Times are epoch milliseconds on GitHub's clock. */
export interface Member {
  /** Names may repeat, on one machine or several: they say whom work is booked to, not who it is. */
  readonly agent: string;
  readonly priority: Priority;
  readonly machine: string;
  readonly leaseStart: number;
  readonly leaseExpiry: number;
  /** Agents, by name, whose being blocked holds this one's new work up. */
  readonly dependsOn: readonly string[];
  readonly light: Light;
  /** The breaker of any of its resources is open. */
  readonly breakerOpen: boolean;
  /** Its calls are blocked until then; 0: they are not. */
  readonly blockedUntil: number;
}

/** Who shares a principal's quota: a document of its own, since it changes far less often than quota does. */
export interface MembershipDocument {
  readonly version: typeof DOCUMENT_VERSION;
  readonly revision: number;
  readonly updatedAt: number;
  /** Keyed by an id that is unique to process and agent. */
  readonly members: { readonly [id: string]: Member };
}

/** What an agent says of itself; its lease is the pool's to give. */
export type MemberReport = Omit<Member, "leaseStart" | "leaseExpiry">;

/** What becomes of one member in an update: `undefined` means that it leaves. */
export interface MemberChange {
  readonly id: string;
  readonly report: MemberReport | undefined;
  /** Only what it says of itself changes: it may be silent, so its lease runs on, and one that has ended is over. */
  readonly amends?: boolean;
}

const MINUTE_MS = 60_000;

/** Published by the systems that this answers to, for squads of ten: renewed every two minutes, gone after five. */
const SMALL_SQUAD = 10;
const RENEWAL_MS = 2 * MINUTE_MS;
/** Larger fleets renew less often, lest renewals be most of what the store does; but not less often than this. */
const LONGEST_RENEWAL_MS = 10 * MINUTE_MS;
const LEASE_RENEWALS = 2.5;

/** How often a member of a list of so many is to be renewed, in milliseconds: two minutes for up to ten, ten for fifty. */
export function memberRenewalMs(members: number): number {
  return Math.min(LONGEST_RENEWAL_MS, Math.max(1, members / SMALL_SQUAD) * RENEWAL_MS);
}

/** How long a member of a list of so many is listed without being renewed, in milliseconds. */
export function memberLeaseMs(members: number): number {
  return LEASE_RENEWALS * memberRenewalMs(members);
}

/** Ten times the largest fleet this is meant for; whoever comes on top goes unlisted, lest nobody could read the rest. */
const MAX_MEMBERS = 5_000;
const MAX_NAME = 256;
const MAX_DEPENDENCIES = 256;
/** The last moment that a `Date` can hold. */
const MAX_TIME_MS = 8.64e15;
const LIGHTS: readonly Light[] = ["green", "amber", "red"];

/**
 * Joins, renews, amends or takes off several members in one step, and drops those whose lease has ended. A lease never gets
 * shorter, a full document takes no more until somebody is gone, and what is longer than it may hold is cut. `now` is
 * GitHub's time, epoch milliseconds. A clock that nobody has set (`clockKnown` false) ends nobody's lease, and is no word on
 * when the document was written: one that is fast would hide everybody from those who know the time.
 */
export function updateMembership(
  doc: MembershipDocument | undefined,
  changes: readonly MemberChange[],
  now: number,
  clockKnown = true,
): MembershipDocument {
  const updatedAt = doc?.updatedAt ?? 0;
  const over = clockKnown ? now : updatedAt;
  const members = new Map(Object.entries(doc?.members ?? {}).filter(([, { leaseExpiry }]) => over < leaseExpiry));
  for (const { id, report, amends } of changes) {
    const known = members.get(id);
    if (report === undefined) members.delete(id);
    else if (amends === true) {
      if (known !== undefined) members.set(id, { ...known, ...readable(report) });
    } else if (known !== undefined || members.size < MAX_MEMBERS) {
      const leaseMs = memberLeaseMs(members.size + (known === undefined ? 1 : 0));
      members.set(id, withLease(report, known, now, leaseMs));
    }
  }
  return {
    version: DOCUMENT_VERSION,
    revision: (doc?.revision ?? 0) + 1,
    updatedAt: clockKnown ? Math.max(updatedAt, now) : updatedAt,
    members: Object.fromEntries(members),
  };
}

function withLease(report: MemberReport, known: Member | undefined, now: number, leaseMs: number): Member {
  return {
    ...readable(report),
    leaseStart: known?.leaseStart ?? now,
    leaseExpiry: Math.max(known?.leaseExpiry ?? 0, now + leaseMs),
  };
}

/** As others can read it: one member that they could not would hide all the others from them. */
function readable(report: MemberReport): MemberReport {
  const { agent, machine, dependsOn, blockedUntil } = report;
  return {
    ...report,
    agent: agent.slice(0, MAX_NAME),
    machine: machine.slice(0, MAX_NAME),
    dependsOn: dependsOn.slice(0, MAX_DEPENDENCIES).map((name) => name.slice(0, MAX_NAME)),
    blockedUntil: blockedUntil > 0 ? Math.min(blockedUntil, MAX_TIME_MS) : 0,
  };
}

/** Whether anybody who is listed waits for agents of this name. `now` is GitHub's time, epoch milliseconds. */
export function isDependedOn({ members }: Pick<MembershipDocument, "members">, agent: string, now: number): boolean {
  return Object.values(members).some(({ dependsOn, leaseExpiry }) => now < leaseExpiry && dependsOn.includes(agent));
}

/** Checks a value from the store, as `parseQuotaDocument` does. `now` is GitHub's time, epoch milliseconds. */
export function parseMembershipDocument(value: unknown, now: number): ParsedDocument<MembershipDocument> {
  return parse(() => {
    const reader = new Reader(value, "document");
    const head = readHead(reader, now);
    const entries = new Reader(reader.get("members"), "document.members").entries();
    if (entries.length > MAX_MEMBERS) throw new Unreadable(`document.members holds ${entries.length} members`);
    const members = entries.map(([id, of], index) => [id, readMember(of, `document.members[${index}]`)] as const);
    return { version: DOCUMENT_VERSION, ...head, members: Object.fromEntries(members) };
  });
}

function readMember(value: unknown, path: string): Member {
  const reader = new Reader(value, path);
  const dependsOn = reader.get("dependsOn");
  if (!Array.isArray(dependsOn) || dependsOn.length > MAX_DEPENDENCIES) {
    throw new Unreadable(`${path}.dependsOn is not a list of at most ${MAX_DEPENDENCIES} names`);
  }
  const names = new Reader({ ...dependsOn }, `${path}.dependsOn`);
  const light = LIGHTS.find((one) => one === reader.get("light"));
  if (light === undefined) throw new Unreadable(`${path}.light is none of ${LIGHTS.join(", ")}`);
  const breakerOpen = reader.get("breakerOpen");
  if (typeof breakerOpen !== "boolean") throw new Unreadable(`${path}.breakerOpen is neither true nor false`);
  return {
    agent: reader.text("agent", MAX_NAME),
    priority: reader.whole("priority", 2) as Priority,
    machine: reader.text("machine", MAX_NAME),
    leaseStart: reader.time("leaseStart"),
    leaseExpiry: reader.time("leaseExpiry"),
    dependsOn: dependsOn.map((_, index) => names.text(`${index}`, MAX_NAME)),
    light,
    breakerOpen,
    blockedUntil: reader.time("blockedUntil"),
  };
}
