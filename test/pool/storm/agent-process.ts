import { type Child, startChild } from "../../harness/child.js";
import type { CallOutcome, WorkerLine, WorkerTask } from "./worker-line.js";

export type Line<Kind extends WorkerLine["kind"]> = Extract<WorkerLine, { kind: Kind }>;

/** One agent of a storm, in a process of its own. */
export class AgentProcess {
  readonly task: WorkerTask;
  /** When it was killed, if it was. Epoch milliseconds. */
  killedAt: number | undefined;
  /** When it was stopped, and when it went on. */
  stoppedAt: number | undefined;
  continuedAt: number | undefined;
  readonly #child: Child;
  readonly #lines: WorkerLine[] = [];

  constructor(task: WorkerTask) {
    this.task = task;
    this.#child = startChild("pool/processes/agent-worker.ts", [JSON.stringify(task)]);
  }

  get name(): string {
    return this.task.agent;
  }

  /** What it has told so far. */
  get lines(): readonly WorkerLine[] {
    for (const text of this.#child.lines.slice(this.#lines.length)) this.#lines.push(JSON.parse(text) as WorkerLine);
    return this.#lines;
  }

  linesOf<Kind extends WorkerLine["kind"]>(kind: Kind): readonly Line<Kind>[] {
    return this.lines.filter((line): line is Line<Kind> => line.kind === kind);
  }

  /** The payloads of one channel, such as `lease`, that were published between two moments. */
  events(name: string, from = 0, to: number = Number.POSITIVE_INFINITY): readonly Line<"event">[] {
    return this.linesOf("event").filter((event) => event.name === name && event.at >= from && event.at <= to);
  }

  calls(outcome: CallOutcome): readonly Line<"call">[] {
    return this.linesOf("call").filter((call) => call.outcome === outcome);
  }

  async ready(): Promise<void> {
    await this.#child.line((line) => line.startsWith('{"kind":"ready"'));
  }

  go(): void {
    this.#child.tell("go");
  }

  async kill(): Promise<void> {
    this.#child.signal("SIGKILL");
    this.killedAt = Date.now();
    await this.#child.ended;
  }

  stop(): void {
    this.stoppedAt = Date.now();
    this.#child.signal("SIGSTOP");
  }

  continue(): void {
    this.continuedAt = Date.now();
    this.#child.signal("SIGCONT");
  }

  /** Lets it close its squad and end by itself; how it ended and what it said on stderr. */
  async end(): Promise<{ readonly how: string; readonly stderr: string }> {
    this.#child.endInput();
    return this.#child.ended;
  }

  /** Whatever has become of it: leaves no process behind. */
  async remove(): Promise<void> {
    this.#child.signal("SIGCONT");
    this.#child.signal("SIGKILL");
    await this.#child.ended;
  }
}
