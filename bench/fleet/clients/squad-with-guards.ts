import type { FleetAgent, FleetCall, FleetClient, FleetSeat } from "../../../src/sim/fleet/client.js";
import type { PollNeeds } from "../../../src/sim/fleet/needs.js";
import { guardReads } from "./guard-reads.js";
import { askStatus, type OwnReads, readList, readOwn } from "./reads.js";
import { byRepository, sessionOf, watchers } from "./sessions.js";
import { callThrough, type SquadOctokit, type SquadSettings, squadOctokit } from "./squad-octokit.js";
import { timedBy } from "./timed.js";

/**
 * squadRate with the reads that plain guards make: each pull request's status is guarded by the reads that its session makes
 * anyway, and a change costs the one unit of what has changed. Who polls is a process of its own: each session, as agents do
 * that know nothing of each other, or one for each repository, which reads the list once.
 */
export class SquadWithGuards implements FleetClient {
  readonly groups: readonly (readonly FleetAgent[])[];
  readonly #seat: FleetSeat;
  readonly #settings: SquadSettings;
  readonly #octokits = new Map<string, SquadOctokit>();
  /** The name of the process that polls for an agent. */
  readonly #pollers: ReadonlyMap<FleetAgent, string>;

  constructor(seat: FleetSeat, polls: "by-session" | "by-repository", settings: SquadSettings = {}) {
    const agents = watchers(seat.agents);
    this.#seat = seat;
    this.#settings = settings;
    this.groups = polls === "by-session" ? agents.map((agent) => [agent]) : byRepository(agents);
    const nameOf = (agent: FleetAgent): string =>
      polls === "by-session" ? agent.name : `poller-of-${sessionOf(agent).repo}`;
    this.#pollers = new Map(agents.map((agent) => [agent, nameOf(agent)]));
  }

  async poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
    const octokit = this.#octokitOf(group[0] as FleetAgent);
    const polling = timedBy(this.#seat, octokit);
    const { clock } = this.#seat;
    const startedAt = clock.monotonic();
    const list = await readList(polling, sessionOf(group[0] as FleetAgent));
    const own = new Map<FleetAgent, OwnReads>();
    for (const agent of group) own.set(agent, await readOwn(polling, sessionOf(agent)));
    const needs = new Map<FleetAgent, PollNeeds>();
    for (const [agent, reads] of own) {
      const session = sessionOf(agent);
      const { owner, repo, number } = session;
      const guards = guardReads(session, reads, 1 + Math.ceil(clock.monotonic() - startedAt));
      // The reads' own parameters change with each push.
      const key = `status of ${owner}/${repo}#${number}`;
      const { value: status } = await octokit.squad.guards(guards, () => askStatus(polling, session), { key });
      needs.set(agent, { list, ...reads, status });
    }
    return needs;
  }

  call(call: FleetCall): Promise<unknown> {
    return callThrough(this.#octokitOf(call.agent), call);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#octokits.values()].map(({ squad }) => squad.close()));
  }

  /** Agents that watch nothing share their process's. */
  #octokitOf(agent: FleetAgent): SquadOctokit {
    const name = this.#pollers.get(agent) ?? `process-${this.#seat.process}`;
    const agents = this.#seat.agents.filter((one) => this.#pollers.get(one) === this.#pollers.get(agent));
    const octokit = this.#octokits.get(name) ?? squadOctokit(name, agents, this.#seat, this.#settings);
    this.#octokits.set(name, octokit);
    return octokit;
  }
}
