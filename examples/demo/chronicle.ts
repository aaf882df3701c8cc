import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { DecisionEvent, LightEvent } from "octokit-plugin-squad-rate";
import { seconds } from "./columns.js";

/** The same topic is told again only after a while: ten calls that wait for one reason are one piece of news. */
const QUIET_MS = 10_000;
/** The light may flicker while calls in flight count as spent and turn out to be free. */
const LIGHT_QUIET_MS = 2_000;

/** What has happened, in words. */
export class Chronicle {
  readonly #elapsedMs: () => number;
  readonly #onLine: (line: string) => void;
  readonly #toldAt = new Map<string, number>();
  readonly #first = new Map<string, string>();
  readonly #lines: string[] = [];

  constructor(elapsedMs: () => number, onLine: (line: string) => void) {
    this.#elapsedMs = elapsedMs;
    this.#onLine = onLine;
  }

  tell(topic: string, text: string, quietMs: number = QUIET_MS): void {
    const now = this.#elapsedMs();
    if (now - (this.#toldAt.get(topic) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    this.#toldAt.set(topic, now);
    const line = `${seconds(now).padStart(7)}  ${text}`;
    this.#lines.push(line);
    this.#onLine(line);
  }

  /** Keeps the first words of a kind for the summary. */
  keep(kind: string, text: string): void {
    if (!this.#first.has(kind)) this.#first.set(kind, text);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** What was kept of a kind. */
  kept(kind: string): string | undefined {
    return this.#first.get(kind);
  }

  /** Writes down what the squad publishes, until the returned function is called. */
  listen(): () => void {
    const onLight = (message: unknown): void => {
      const { resource, from, to, remaining, limit } = message as LightEvent;
      const text = `the light of ${resource} turns from ${from} to ${to}: ${remaining} of ${limit} units left`;
      this.tell("light", text, LIGHT_QUIET_MS);
    };
    const onDecision = (message: unknown): void => {
      const { agent, priority, decision, why } = message as DecisionEvent;
      const text = `${agent} ${decision === "wait" ? "waits" : "is refused"}: ${why}`;
      if (decision === "wait") this.keep("wait", text);
      this.tell(`${decision} P${priority}`, text);
    };
    subscribe("squad-rate:light", onLight);
    subscribe("squad-rate:decision", onDecision);
    return () => {
      unsubscribe("squad-rate:light", onLight);
      unsubscribe("squad-rate:decision", onDecision);
    };
  }
}
