import { redact } from "../call/redact.js";
import type { CancelTimer, Clock } from "../clock.js";
import {
  type CooldownDocument,
  type CooldownRefusal,
  cooldownAfter,
  extendCooldown,
  heldUntil,
  isCleared,
  type RefusedRequest,
} from "../policy/cooldown.js";
import { changeCooldown } from "./cooldown-document.js";
import type { PoolDocuments } from "./documents.js";
import { cooldownKey, type PoolIdentity } from "./keys.js";
import { OutageReport } from "./outage-report.js";

/** What a {@link Cooldown} is made with. */
export interface CooldownOptions {
  /** Undefined: nobody else is told, and nobody tells. */
  readonly documents: PoolDocuments | undefined;
  readonly pool: PoolIdentity;
  /** GitHub's time, epoch milliseconds. */
  readonly githubNow: () => number;
  /** Times looks at the store while everybody holds back, in case an operator ends that; undefined: only who asks looks. */
  readonly clock?: Clock | undefined;
  /** `until()` has changed. Not called when it merely passes. */
  readonly onChange: () => void;
  /** Told once of each outage. */
  readonly report: (what: string, cause: unknown) => void;
}

/**
 * A refusal for sending too fast is followed by more of them, and by worse, for whoever goes on; so the rest of the fleet
 * should know within seconds. One small read in five seconds costs a process next to nothing.
 */
const CHECK_EVERY_MS = 5_000;

const HEARD_WHY = "GitHub refused a request of another agent by a secondary limit";

/** What the refused process knows of a refusal. */
export interface OwnRefusal extends RefusedRequest, Pick<CooldownRefusal, "why" | "by" | "unexplained"> {}

/**
 * Until when the whole pool holds back after a secondary refusal of GitHub, as far as this process knows: by its own
 * refusals at once, by others' since the last look at the store. Without the store it goes on by what it knows.
 *
 * @example
 * ```ts
 * cooldown.refresh(githubNow);
 * if (cooldown.until() > githubNow) return { kind: "wait", untilAt: cooldown.until(), why: cooldown.why() };
 * ```
 */
export class Cooldown {
  readonly #options: CooldownOptions;
  readonly #key: string;
  readonly #outage: OutageReport;
  #known: CooldownDocument | undefined;
  /** The longest of our own refusals that the store has not confirmed. */
  #unwritten: CooldownDocument | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #refreshing = false;
  readonly #listeners = new Set<(refusal: CooldownRefusal) => void>();
  /** The end of the latest cooldown that the listeners were told of. */
  #begunUntil = 0;
  /** When this process heard that an operator has ended what held it back; 0 when none has. */
  #clearedAt = 0;
  #cancelLook: CancelTimer | undefined;
  #closed = false;

  constructor(options: CooldownOptions) {
    this.#options = options;
    this.#key = cooldownKey(options.pool);
    this.#outage = new OutageReport(options.report);
  }

  /** Epoch milliseconds on GitHub's clock; 0 when nobody need hold back. */
  until(): number {
    return this.#running()?.until ?? 0;
  }

  /** What the refusal was; empty when nobody need hold back. */
  why(): string {
    return this.#running()?.why ?? "";
  }

  /** Calls `listener` when somebody was refused, here or elsewhere, and a cooldown has begun, once for each, until it is taken off. */
  onBegin(listener: (refusal: CooldownRefusal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** When the latest cooldown ended or will, epoch milliseconds on GitHub's clock; 0 without one. */
  get lastUntil(): number {
    if (this.#known === undefined) return 0;
    return isCleared(this.#known, this.#known.cleared) ? this.#clearedAt : this.#known.until;
  }

  /** Holds this process back at once, and tells the others; if the store does not take it, again at the next refresh. */
  refused({ why, by, unexplained, ...request }: OwnRefusal): void {
    const now = this.#options.githubNow();
    const wait = cooldownAfter(this.#known, request, now);
    // Redacted before it is cut to length: half a credential is not recognised as one.
    const next = extendCooldown(this.#known, { ...wait, why: redact(why), by, unexplained }, now);
    if (next === this.#known) return;
    this.#unwritten = next;
    this.#hold(next);
    this.#look(now, () => {});
  }

  /** Another process was refused, and a document that this one read anyway says so. */
  heard(until: number): void {
    const now = this.#options.githubNow();
    if (!(until > Math.max(now, this.until()))) return;
    const hearsay = { until, why: HEARD_WHY, by: "", startedAt: now, repeats: 0, unexplained: false };
    this.#hold(extendCooldown(this.#known, hearsay, now));
  }

  /** Looks of itself no more. */
  close(): void {
    this.#closed = true;
    this.#cancelLook?.();
  }

  /** Looks at the store if that is due. `now` is GitHub's time. */
  refresh(now: number): void {
    if (!this.dueForCheck(now)) return;
    this.#refreshing = true;
    this.#look(now, () => {
      this.#refreshing = false;
    });
  }

  /** Whether the last look was five seconds ago or more and no refresh is on its way. `now` is GitHub's time. */
  dueForCheck(now: number): boolean {
    // The distance, because GitHub's clock may turn out to be behind what it was taken for.
    return (
      this.#options.documents !== undefined && !this.#refreshing && Math.abs(now - this.#lookedAt) >= CHECK_EVERY_MS
    );
  }

  #running(): CooldownDocument | undefined {
    return this.#known !== undefined && heldUntil(this.#known) > this.#options.githubNow() ? this.#known : undefined;
  }

  /** Reads what the store has, and writes what it does not have yet. A look that fails counts, or it would never end. */
  #look(now: number, answered: () => void): void {
    const { documents } = this.#options;
    if (documents === undefined) {
      answered();
      return;
    }
    this.#lookedAt = now;
    const refusal = this.#unwritten;
    documents.update(
      this.#key,
      (stored) => changeCooldown(this.#key, stored, refusal, this.#options.githubNow()),
      (outcome) => {
        answered();
        if (outcome.kind === "failed") {
          this.#outage.failed(
            "The pool's cooldown is not shared; this process goes on by what it knows",
            outcome.error,
          );
          return;
        }
        this.#outage.over();
        if (this.#unwritten === refusal) this.#unwritten = undefined;
        if (outcome.result !== undefined) this.#learn(outcome.result);
      },
    );
  }

  #learn(stored: CooldownDocument): void {
    const own = this.#known;
    if (own !== undefined && this.until() > 0 && isCleared(own, stored.cleared)) {
      this.#clearedAt = this.#options.githubNow();
      this.#begunUntil = this.#clearedAt;
      if (this.#unwritten !== undefined && isCleared(this.#unwritten, stored.cleared)) this.#unwritten = undefined;
      this.#hold(stored);
      return;
    }
    // Also one that ends when ours does: the reason may have been hearsay until now.
    if (heldUntil(stored) >= this.until()) this.#hold(stored);
  }

  /** While everybody holds back nobody need ask, and an operator may end it. */
  #lookLater(): void {
    const { clock, documents, githubNow } = this.#options;
    if (clock === undefined || documents === undefined) return;
    if (this.#closed || this.#cancelLook !== undefined || this.#running() === undefined) return;
    const sinceMs = this.#refreshing ? 0 : Math.abs(githubNow() - this.#lookedAt);
    const look = (): void => {
      this.#cancelLook = undefined;
      if (this.#running() !== undefined) this.refresh(githubNow());
      this.#lookLater();
    };
    this.#cancelLook = clock.timer(Math.max(0, CHECK_EVERY_MS - sinceMs), look, { unref: true });
  }

  #hold(next: CooldownDocument): void {
    const before = this.until();
    this.#known = next;
    this.#lookLater();
    // What was hearsay is told in full later, and of requests in flight each one prolongs it a little.
    if (next.by !== "" && !isCleared(next, next.cleared)) {
      const isNew = next.startedAt >= this.#begunUntil;
      this.#begunUntil = Math.max(this.#begunUntil, next.until);
      if (isNew) for (const listener of this.#listeners) listener(next);
    }
    if (this.until() !== before) this.#options.onChange();
  }
}
