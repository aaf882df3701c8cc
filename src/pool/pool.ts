import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.js";
import { publish } from "../events.js";
import type { ShareMode } from "../policy/share.js";
import type { Store } from "../store/store.js";
import { ContentWrites } from "./content-writes.js";
import { Cooldown } from "./cooldown.js";
import type { GitHubTime } from "./github-time.js";
import type { PoolIdentity } from "./keys.js";
import { Membership, type MembershipOptions } from "./membership.js";
import { OperationCosts } from "./operation-costs.js";
import { PoolMirror } from "./pool-mirror.js";
import { PrincipalPool } from "./principal-pool.js";
import { processesIn } from "./processes-in.js";
import { StoreDocuments, type StoreHealth } from "./store-documents.js";

/** What a {@link Pool} is made with. */
export interface PoolOptions {
  readonly open: () => Promise<Store>;
  /** The store's address as it may be shown. */
  readonly where: string;
  /** Joins principals; undefined: each has a pool of its own. */
  readonly name: string | undefined;
  readonly share: ShareMode;
  /** A file to write the core quota to. */
  readonly mirror: string | undefined;
  /** The squad's own agent, after which its spenders are named. */
  readonly agent: string;
  readonly machine: string;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly onMore: () => void;
  /** A list of members was read anew. */
  readonly onMembers: () => void;
  readonly report: (what: string, cause: unknown) => void;
  /** Whether whoever runs the program knows of this failure of the store already. */
  readonly isTold: (error: unknown) => boolean;
  /** For whoever runs the program. */
  readonly warn: (message: string) => void;
}

/** What the principals have in common that a name joins. */
interface Shared {
  readonly membership: Membership;
  readonly cooldown: Cooldown;
  readonly content: ContentWrites;
  readonly operationCosts: OperationCosts;
}

/** A quota that is an address's or an app's own, or of nobody known: there is nothing that other processes share. */
const UNSHARED: ReadonlySet<string> = new Set(["anonymous", "app", "unseen"]);

/** One squad's side of all the pools that it spends of. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #documents: StoreDocuments;
  readonly #mirror: PoolMirror | undefined;
  readonly #processId = randomBytes(6).toString("hex");
  readonly #open = new Set<PrincipalPool>();
  /** Of principals that were forgotten, until the store has answered. */
  readonly #goodbyes = new Set<Promise<void>>();
  readonly #shared = new Map<string, Shared>();
  #closing: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { open, where, clock, mirror, report } = options;
    this.#documents = new StoreDocuments({
      open,
      where,
      monotonic: () => clock.monotonic(),
      onHealth: (health, before) => this.#tellHealth(health, before),
    });
    this.#mirror = mirror === undefined ? undefined : new PoolMirror({ path: mirror, clock, report });
  }

  get health(): StoreHealth {
    return this.#documents.health;
  }

  /** A principal's place in its pool; undefined when its quota is nobody else's. */
  join(
    principal: string,
    host: string,
    time: GitHubTime,
    facts: MembershipOptions["facts"],
  ): PrincipalPool | undefined {
    if (UNSHARED.has(principal)) return undefined;
    const { name, agent, requestTimeoutMs, share, clock, onMore, report, warn } = this.#options;
    const identity: PoolIdentity = { host, name: name ?? principal };
    const { membership, cooldown, content, operationCosts } = this.#sharedBy(identity, time, facts);
    const pool = new PrincipalPool({
      documents: this.#documents,
      identity,
      principal,
      membership,
      cooldown,
      content,
      operationCosts,
      // Tells whoever looks at a document which process it is.
      newName: () => `${agent}~${this.#processId}-${randomBytes(4).toString("hex")}`,
      requestTimeoutMs,
      share,
      clock,
      time,
      onMore,
      onCore: (doc) => this.#mirror?.show(identity, doc),
      report,
      warn,
    });
    this.#open.add(pool);
    return pool;
  }

  /**
   * A principal is forgotten, once its calls are over: `left` is told, what it holds goes back, and its list is left unless
   * a name joins it with others.
   */
  leave(pool: PrincipalPool, left: () => void): void {
    pool.whenIdle(() => {
      left();
      const goodbye = this.#sayGoodbye(pool);
      this.#goodbyes.add(goodbye);
      void goodbye.then(() => this.#goodbyes.delete(goodbye));
    });
  }

  /** Gives everything back, ends the leases and takes this process's agents off the lists, as far as the store answers. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([
      ...this.#goodbyes,
      ...Array.from(this.#open, (pool) => pool.close()),
      ...Array.from(this.#shared.values(), (shared) => leave(shared)),
    ]);
    await this.#mirror?.flush();
  }

  async #sayGoodbye(pool: PrincipalPool): Promise<void> {
    const { membership, cooldown, content, operationCosts, identity } = pool;
    this.#open.delete(pool);
    const isLast = !Array.from(this.#open).some((other) => other.membership === membership);
    if (isLast) this.#shared.delete(keyOf(identity));
    await Promise.all([pool.close(), isLast ? leave({ membership, cooldown, content, operationCosts }) : undefined]);
  }

  /** Two principals that a name joins have one list of members and one cooldown, and learn from each other what queries cost. */
  #sharedBy(identity: PoolIdentity, time: GitHubTime, facts: MembershipOptions["facts"]): Shared {
    const key = keyOf(identity);
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      const { clock, machine, onMore, onMembers, report } = this.#options;
      const common = { documents: this.#documents, pool: identity, githubNow: () => time.now(), report };
      const cooldown: Cooldown = new Cooldown({
        ...common,
        clock,
        onChange: () => {
          const [until, why] = [cooldown.until(), cooldown.why()];
          if (until > 0) publish("squad-rate:cooldown", () => ({ ...identity, until, why }));
          onMore();
        },
      });
      const membership = new Membership({
        ...common,
        clock,
        clockKnown: () => time.known(),
        machine,
        processId: this.#processId,
        facts,
        onSeen: onMembers,
      });
      const content = new ContentWrites({
        ...common,
        clock,
        processId: this.#processId,
        clockKnown: () => time.known(),
        processes: () => processesIn(membership.members()),
        onChange: onMore,
      });
      const operationCosts = new OperationCosts({ ...common, clock, time, processId: this.#processId });
      shared = { membership, cooldown, content, operationCosts };
      this.#shared.set(key, shared);
    }
    return shared;
  }

  #tellHealth(health: StoreHealth, before: StoreHealth): void {
    const { where, clock, warn } = this.#options;
    if (health.kind === "lost") {
      const why = health.error.message;
      if (!this.#options.isTold(health.error)) {
        warn(`${why.replace(/\.$/, "")}. Until it answers, agents pace themselves by what GitHub shows.`);
      }
      publish("squad-rate:store", () => ({ store: where, kind: "lost", why }));
    } else if (before.kind === "lost") {
      const lostMs = Math.round(clock.monotonic() - before.sinceMono);
      publish("squad-rate:store", () => ({ store: where, kind: "back", lostMs }));
    }
  }
}

async function leave({ membership, cooldown, content, operationCosts }: Shared): Promise<void> {
  cooldown.close();
  await Promise.all([membership.leave(), content.close(), operationCosts.close()]);
}

function keyOf({ host, name }: PoolIdentity): string {
  return `${host} ${name}`;
}
