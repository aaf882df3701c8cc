import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.js";
import { isHeard, publish } from "../events.js";
import { beginNotes, type CallNotes } from "./call-notes.js";
import type { TraceRecord } from "./record.js";
import type { TraceCounts, TraceSink } from "./sink.js";
import { TargetNames } from "./target.js";

/** What a {@link Trace} is made with. */
export interface TraceSettings {
  /** Undefined: records are made only while somebody listens to `squad-rate:trace`. */
  readonly sink: TraceSink | undefined;
  readonly clock: Clock;
  readonly machine: string;
  readonly pid: number;
}

/** Where the trace goes, and how much of it there is. */
export interface TraceStatus extends TraceCounts {
  /** The path of a file, or `function`. */
  readonly where: string;
}

/** Where records of calls go: to the sink, and to whoever listens. */
export class Trace {
  readonly machine: string;
  readonly pid: number;
  readonly targets: TargetNames = new TargetNames();
  readonly #sink: TraceSink | undefined;
  readonly #clock: Clock;
  /** Two squads of a process, and two processes with one number in two containers, must not name their calls alike. */
  readonly #name: string = randomBytes(6).toString("base64url");
  #calls = 0;

  constructor({ sink, clock, machine, pid }: TraceSettings) {
    this.#sink = sink;
    this.#clock = clock;
    this.machine = machine;
    this.pid = pid;
  }

  /** Notes for a call that begins; undefined when nobody wants its records. */
  begin(): CallNotes | undefined {
    if (this.#sink === undefined && !isHeard("squad-rate:trace")) return undefined;
    return beginNotes(`${this.#name}-${(++this.#calls).toString(36)}`, this.#clock.now());
  }

  write(record: TraceRecord): void {
    this.#sink?.write(record);
    publish("squad-rate:trace", () => record);
  }

  /** Writes what is held back for the next write, for somebody who wants to read it now. */
  flush(): void {
    this.#sink?.flush();
  }

  /** Undefined without a sink. */
  status(): TraceStatus | undefined {
    return this.#sink && { where: this.#sink.where, ...this.#sink.counts() };
  }

  async close(): Promise<void> {
    await this.#sink?.close();
  }
}
