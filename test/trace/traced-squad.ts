import type { SquadOptions } from "../../src/options.js";
import {
  createSimulatedGitHub,
  createVirtualClock,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
  type VirtualClock,
} from "../../src/sim/index.js";
import { createSquad, type Squad } from "../../src/squad.js";
import type { AttemptRecord, CallRecord, ReadingRecord, TraceRecord } from "../../src/trace/record.js";
import { SquadOctokit } from "../harness/octokit-in-squad.js";

/** A squad with a trace before a simulated GitHub, on one virtual clock. */
export interface TracedSquad {
  readonly clock: VirtualClock;
  readonly github: SimulatedGitHub;
  readonly squad: Squad;
  readonly octokit: InstanceType<typeof SquadOctokit>;
  readonly records: TraceRecord[];
  attempts(): AttemptRecord[];
  calls(): CallRecord[];
  readings(): ReadingRecord[];
}

/** With `mona`, her token `ghp_mona` and her repository `mona/hello` with three issues. */
export function setUpTracedSquad(options: SquadOptions = {}, simulated: SimulatedGitHubOptions = {}): TracedSquad {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, ...simulated });
  github.world.addToken("ghp_mona", "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  for (const title of ["one", "two", "three"]) {
    github.world.addIssue({ owner: "mona", repo: "hello", title });
  }
  const records: TraceRecord[] = [];
  const squad = createSquad({
    agent: "ralph",
    session: "morning",
    clock,
    random: () => 0.5,
    pacing: false,
    fetch: github.fetch,
    trace: (record) => void records.push(record),
    ...options,
  });
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const octokit = new SquadOctokit({ auth: "ghp_mona", squad, log, request: { fetch: github.fetch } });
  const ofKind = <Kind extends TraceRecord["kind"]>(kind: Kind) =>
    records.filter((record): record is Extract<TraceRecord, { kind: Kind }> => record.kind === kind);
  return {
    clock,
    github,
    squad,
    octokit,
    records,
    attempts: () => ofKind("attempt"),
    calls: () => ofKind("call"),
    readings: () => ofKind("reading"),
  };
}
