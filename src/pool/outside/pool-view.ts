import { type CooldownDocument, heldUntil } from "../../policy/cooldown.js";
import type { Light, Priority } from "../../policy/light.js";
import { identifyMember } from "./process-of.js";
import { type QuotaView, quotaView } from "./quota-view.js";
import type { PoolDocumentsSeen, Seen } from "./read-pool.js";

/** One agent of one process, as the list of members has it. Times are GitHub's, epoch milliseconds. */
export interface AgentView {
  readonly id: string;
  readonly agent: string;
  readonly process: string | undefined;
  readonly priority: Priority;
  readonly machine: string;
  /** 0: it has been silent for longer than its lease, and is listed until somebody writes the list anew. */
  readonly leaseLeftMs: number;
  readonly light: Light;
  readonly breakerOpen: boolean;
  /** Its calls are held until then; undefined when they are not. */
  readonly blockedUntil: number | undefined;
  readonly dependsOn: readonly string[];
}

/** Everybody holds back after a secondary refusal. */
export interface CooldownView {
  /** Epoch milliseconds, GitHub's time. */
  readonly until: number;
  readonly startedAt: number;
  readonly why: string;
  /** The agent that was refused. */
  readonly by: string;
  /** How many came before it, each soon after the last. */
  readonly repeats: number;
}

/** A document that is there and cannot be read. */
export interface UnreadableView {
  readonly document: "members" | "cooldown" | "content-writes" | "graphql-costs";
  readonly why: string;
}

/** A pool as its documents tell it: plain data, and nothing of it is a secret. */
export interface PoolView {
  readonly host: string;
  /** The name that joins several tokens, or whose quota it is. */
  readonly name: string;
  /** GitHub's time by which all this is told, epoch milliseconds: the later of this machine's and the newest document's. */
  readonly now: number;
  readonly quotas: readonly QuotaView[];
  readonly agents: readonly AgentView[];
  readonly cooldown: CooldownView | undefined;
  /** Requests that create content, of the last minute and the last hour. */
  readonly contentWrites: { readonly lastMinute: number; readonly lastHour: number } | undefined;
  /** How many GraphQL operations it knows the cost of. */
  readonly knownOperations: number;
  readonly unreadable: readonly UnreadableView[];
}

/** How a pool stands, by this machine's clock in epoch milliseconds. */
export function poolView(seen: PoolDocumentsSeen, machineNow: number): PoolView {
  const { pool, quotas, members, cooldown, contentWrites, operationCosts } = seen;
  // Whoever wrote a document knew at least so late a time.
  const now = Math.max(machineNow, ...[...quotas.values(), members, cooldown, contentWrites].map(updatedAt));
  return {
    ...pool,
    now,
    quotas: Array.from(quotas, ([resource, quota]) => quotaView(resource, quota, now)),
    agents: agentsOf(members, now),
    cooldown: cooldown.kind === "ok" ? cooldownView(cooldown.doc, now) : undefined,
    contentWrites:
      contentWrites.kind === "ok"
        ? {
            lastMinute: sentSince(contentWrites.doc.sent, now - 60_000),
            lastHour: sentSince(contentWrites.doc.sent, now - 3_600_000),
          }
        : undefined,
    knownOperations: operationCosts.kind === "ok" ? Object.keys(operationCosts.doc.costs).length : 0,
    unreadable: [
      ...unreadable("members", members),
      ...unreadable("cooldown", cooldown),
      ...unreadable("content-writes", contentWrites),
      ...unreadable("graphql-costs", operationCosts),
    ],
  };
}

/** The cooldown that a document tells of; undefined when it is over, or an operator has ended it. */
export function cooldownView(doc: CooldownDocument, now: number): CooldownView | undefined {
  const until = heldUntil(doc);
  if (until <= now) return undefined;
  const { startedAt, why, by, repeats } = doc;
  return { until, startedAt, why, by, repeats };
}

function agentsOf(members: PoolDocumentsSeen["members"], now: number): readonly AgentView[] {
  if (members.kind !== "ok") return [];
  return Object.entries(members.doc.members)
    .map(([id, member]) => ({
      id,
      agent: member.agent,
      process: identifyMember(id).process,
      priority: member.priority,
      machine: member.machine,
      leaseLeftMs: Math.max(0, member.leaseExpiry - now),
      light: member.light,
      breakerOpen: member.breakerOpen,
      blockedUntil: member.blockedUntil > now ? member.blockedUntil : undefined,
      dependsOn: member.dependsOn,
    }))
    .sort((a, b) => a.priority - b.priority || (a.agent < b.agent ? -1 : a.agent > b.agent ? 1 : a.id < b.id ? -1 : 1));
}

function sentSince(sent: readonly (readonly [at: number, writes: number])[], since: number): number {
  return sent.reduce((sum, [at, writes]) => (at > since ? sum + writes : sum), 0);
}

function updatedAt(seen: Seen<{ readonly updatedAt: number }>): number {
  return seen.kind === "ok" ? seen.doc.updatedAt : 0;
}

function unreadable(document: UnreadableView["document"], seen: Seen<unknown>): readonly UnreadableView[] {
  return seen.kind === "unreadable" ? [{ document, why: seen.why }] : [];
}
