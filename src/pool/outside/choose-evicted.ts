import type { AgentView, PoolView } from "./pool-view.js";

/** Whom an operator means. */
export interface EvictionOrder {
  /** The agent's name, or `~` and the beginning of a process's id: then everything of that process. */
  readonly who: string;
  /** Only on this machine. */
  readonly machine?: string | undefined;
  /** Only leases of this resource, which leaves the list of agents as it is. */
  readonly resource?: string | undefined;
}

/** Who is to go, and who stays because somebody else is served by the same process. */
export interface Eviction {
  /** Ids to be taken off the list of agents. */
  readonly members: readonly AgentView[];
  /** Spenders whose leases are to be ended, by resource. */
  readonly spenders: ReadonlyMap<string, ReadonlySet<string>>;
  /** Processes that are left alone, and whom else they serve. */
  readonly shared: readonly { readonly process: string; readonly others: readonly string[] }[];
}

/**
 * What an order comes to. An agent is a name that calls are booked to; a lease is a process's, which may serve several. So a
 * process's leases are ended only when nobody else is listed for it: its leases are theirs too.
 *
 * Undefined when there is nobody of the name.
 */
export function chooseEvicted({ agents, quotas }: PoolView, order: EvictionOrder): Eviction | undefined {
  const { who, machine, resource } = order;
  const ofProcess = who.startsWith("~") ? who.slice(1) : undefined;
  const isMeant = ({ agent, process, machine: on }: AgentView): boolean =>
    (ofProcess === undefined ? agent === who : ofProcess !== "" && process?.startsWith(ofProcess) === true) &&
    (machine === undefined || on === machine);
  const members = agents.filter(isMeant);
  const alive = agents.filter(({ leaseLeftMs }) => leaseLeftMs > 0);
  const gone = new Set(members.map(({ id }) => id));
  const processes = new Set(members.flatMap(({ process }) => process ?? []));
  const leases = quotas.flatMap((quota) => quota.leases.map((lease) => ({ resource: quota.resource, ...lease })));
  for (const { agent, process } of leases) {
    if (process === undefined || alive.some((other) => other.process === process)) continue;
    // Its agents are off the list already, so that no list tells its machine.
    const isNamed = ofProcess === undefined ? agent === who : ofProcess !== "" && process.startsWith(ofProcess);
    if (isNamed && machine === undefined) processes.add(process);
  }
  const shared = Array.from(processes, (process) => ({
    process,
    others: alive.filter((other) => other.process === process && !gone.has(other.id)).map(({ agent }) => agent),
  })).filter(({ others }) => others.length > 0);
  const spenders = new Map<string, Set<string>>();
  for (const lease of leases) {
    if (resource !== undefined && lease.resource !== resource) continue;
    const isUnknown = lease.process === undefined && lease.agent === who && machine === undefined;
    const isTheirs = lease.process !== undefined && processes.has(lease.process);
    if (!isUnknown && (!isTheirs || shared.some(({ process }) => process === lease.process))) continue;
    spenders.set(lease.resource, (spenders.get(lease.resource) ?? new Set()).add(lease.spender));
  }
  if (members.length === 0 && spenders.size === 0 && processes.size === 0) return undefined;
  return { members: resource === undefined ? members : [], spenders, shared };
}

/** All names that an order may have. A process that serves listed agents goes by its id: its own name is none of theirs. */
export function evictableNames({ agents, quotas }: PoolView): readonly string[] {
  const serving = new Set(agents.filter(({ leaseLeftMs }) => leaseLeftMs > 0).map(({ process }) => process));
  const listed = new Set(agents.map(({ agent }) => agent));
  const spenders = quotas.flatMap(({ leases }) =>
    leases.map(({ agent, process }) =>
      process !== undefined && serving.has(process) && !listed.has(agent) ? `~${process.slice(0, 6)}` : agent,
    ),
  );
  return [...new Set([...listed, ...spenders])].sort();
}
