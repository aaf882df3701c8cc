import {
  answerer,
  ciDoctor,
  dashboard,
  indexer,
  mergeQueue,
  type Round,
  reviewer,
  triager,
  type Workplace,
} from "./rounds.js";

/** One agent: how often it has work, and what one round of it is. Nothing in a round knows about quota. */
export interface Agent {
  readonly name: string;
  readonly priority: 0 | 1 | 2;
  readonly everyMs: number;
  /** When its first round is due. */
  readonly startsAtMs: number;
  /** What its calls say for themselves beside name and priority. */
  readonly request?: { readonly maxWaitMs?: number };
  readonly round: Round;
}

/**
 * The agents of one squad. They look after the same pull requests, so that most of what one asks another has asked; only
 * the indexer reads what nobody has read before, and pays for it. `pace` 1 is for a simulated GitHub; a higher one slows
 * them down.
 */
export function createAgents(at: Workplace, pace: number): readonly Agent[] {
  const every = (ms: number) => ({ everyMs: ms * pace, startsAtMs: 0 });
  return [
    { name: "merge-queue", priority: 0, ...every(500), round: mergeQueue(at) },
    { name: "ci-doctor", priority: 0, ...every(1_000), round: ciDoctor(at) },
    { name: "reviewer", priority: 1, ...every(1_000), round: reviewer(at) },
    { name: "answerer", priority: 1, ...every(1_000), round: answerer(at) },
    // Rather hears at once that it has to wait.
    { name: "triager", priority: 2, ...every(1_000), request: { maxWaitMs: 1_000 }, round: triager(at) },
    { name: "dashboard", priority: 2, ...every(1_000), round: dashboard(at) },
    { name: "indexer", priority: 2, everyMs: 160 * pace, startsAtMs: 4_000, round: indexer(at) },
  ];
}
