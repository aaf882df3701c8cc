import type { Clock } from "../clock.js";
import { isSquadRateError } from "../errors.js";
import { publish } from "../events.js";
import type { QuotaDocument } from "../policy/share/quota-document.js";
import type { ShareMode } from "../policy/share.js";
import type { ContentWrites } from "./content-writes.js";
import type { Cooldown } from "./cooldown.js";
import type { PoolDocuments } from "./documents.js";
import type { GitHubTime } from "./github-time.js";
import { type PoolIdentity, quotaKey } from "./keys.js";
import type { Membership } from "./membership.js";
import type { OperationCosts } from "./operation-costs.js";
import { OutageReport } from "./outage-report.js";
import { PoolSpender } from "./pool-spender.js";
import type { MadeUpdate } from "./pool-update.js";
import { SecondaryParts } from "./secondary-parts.js";

/** What a {@link PrincipalPool} is made with. */
export interface PrincipalPoolOptions {
  readonly documents: PoolDocuments;
  readonly identity: PoolIdentity;
  /** The principal's id, for events. */
  readonly principal: string;
  readonly membership: Membership;
  readonly cooldown: Cooldown;
  readonly content: ContentWrites;
  readonly operationCosts: OperationCosts;
  readonly newName: () => string;
  readonly requestTimeoutMs: number;
  readonly share: ShareMode;
  readonly clock: Clock;
  readonly time: GitHubTime;
  readonly onMore: () => void;
  /** The core quota's document has changed. */
  readonly onCore: (doc: QuotaDocument) => void;
  readonly report: (what: string, cause: unknown) => void;
  /** For whoever runs the program. */
  readonly warn: (message: string) => void;
}

/** A look is due every five seconds; who has sent as many calls since the last is sending more than one a second. */
const BUSY_CALLS = 5;

/** One principal's place in its pool: a spender for each resource that it uses. */
export class PrincipalPool {
  /** Its parts of the secondary limits. */
  readonly secondaryParts: SecondaryParts;
  readonly #options: PrincipalPoolOptions;
  readonly #spenders: PoolSpender[] = [];
  #callsSinceLook = 0;
  #closing: Promise<void> | undefined;

  constructor(options: PrincipalPoolOptions) {
    this.#options = options;
    const { documents, identity, newName, clock, time, onMore, report } = options;
    this.secondaryParts = new SecondaryParts({
      documents,
      pool: identity,
      clock,
      time,
      id: newName(),
      onChange: onMore,
      report,
    });
  }

  get identity(): PoolIdentity {
    return this.#options.identity;
  }

  get membership(): Membership {
    return this.#options.membership;
  }

  get cooldown(): Cooldown {
    return this.#options.cooldown;
  }

  get content(): ContentWrites {
    return this.#options.content;
  }

  get operationCosts(): OperationCosts {
    return this.#options.operationCosts;
  }

  /** A new spender of `resource`; `onDocument` sees what the pool knows of its quota. One per resource. */
  open(resource: string, windowMs: number, onDocument: (doc: QuotaDocument) => void): PoolSpender {
    const { documents, identity, newName, requestTimeoutMs, share, clock, time, cooldown, onMore, report, warn } =
      this.#options;
    const outage = new OutageReport(report);
    const unreadable = new OutageReport((_, error) => warn(unreadableWarning(error)));
    const spender = new PoolSpender({
      documents,
      key: quotaKey(identity, resource),
      resource,
      newName,
      windowMs,
      requestTimeoutMs,
      share,
      clock,
      time,
      blockedUntil: () => cooldown.until(),
      onMore,
      onUpdate: (update) => {
        if (update.kind === "failed") {
          const { of, error } = update.failure;
          const what = `the pool's ${resource} quota was not updated`;
          outage.failed(what, error);
          if (of === "document") unreadable.failed(what, error);
          return;
        }
        outage.over();
        unreadable.over();
        this.#tell(resource, spender, update);
        onDocument(update.doc);
      },
    });
    this.#spenders.push(spender);
    return spender;
  }

  /**
   * Asks the store whether somebody was refused, now and then: for calls that GitHub watches closely (`urgent`), and when
   * this process is busy. A call that has waited, and is asked `again`, makes nobody busy. Never waits for the answer.
   */
  lookForCooldown(githubNow: number, { urgent, again }: { readonly urgent: boolean; readonly again: boolean }): void {
    const { cooldown } = this.#options;
    if (!again) this.#callsSinceLook++;
    if ((!urgent && this.#callsSinceLook < BUSY_CALLS) || !cooldown.dueForCheck(githubNow)) return;
    this.#callsSinceLook = 0;
    cooldown.refresh(githubNow);
  }

  /** Calls back once, as soon as no call waits for units here or holds any; at once when that is so. */
  whenIdle(callback: () => void): void {
    const busy = this.#spenders.find((spender) => !spender.idle);
    if (busy === undefined) callback();
    else busy.whenIdle(() => this.whenIdle(callback));
  }

  /** It asks for nothing any more. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Gives back what all its spenders hold, and ends their leases. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([
      ...this.#spenders.map((spender) => spender.close()),
      this.secondaryParts.close(),
    ]).then(() => undefined);
    return this.#closing;
  }

  #tell(resource: string, { state: { spender } }: PoolSpender, update: MadeUpdate): void {
    const { principal, identity, cooldown, onCore } = this.#options;
    cooldown.heard(update.grant.blockedUntil);
    const facts = { principal, host: identity.host, resource, spender };
    const { units } = update.grant;
    if (units[0] + units[1] + units[2] > 0) publish("squad-rate:lease", () => ({ ...facts, kind: "granted", units }));
    for (const event of update.events) publish("squad-rate:lease", () => ({ ...facts, ...event }));
    if (resource === "core") onCore(update.doc);
  }
}

function unreadableWarning(error: unknown): string {
  const said = isSquadRateError(error) ? `${error.message} ${error.remedy ?? ""}` : String(error);
  return `${said} Until then agents pace themselves by what GitHub shows.`;
}
