import { LRUCache } from "lru-cache";
import { WriteStamps } from "../../cache/write-stamps.js";
import { type Scope, writeScope } from "../../call/write-scope.js";
import { type Exchange, UNNAMED_PRINCIPAL } from "../observed.js";
import { ReplayedRead } from "./replayed-read.js";
import {
  ASKED_AGAIN,
  CANNOT_TELL,
  IRREDUCIBLE,
  QUERY_REPEATED,
  REFUSED,
  RETRIED_IN_VAIN,
  SENT_WHILE_BLOCKED,
  type Verdict,
} from "./verdict.js";

interface Target {
  read: ReplayedRead | undefined;
  /** The last word that it cannot be had, and the count of writes then. */
  failure: { readonly status: number; readonly afterWrite: number } | undefined;
  /** The last answer of a query. */
  answer: { readonly name: string; readonly afterWrite: number } | undefined;
}

const HOST: Scope = { kind: "host" };

/** Asking again for what is forbidden or gone gives the same until something is written. */
const FOR_GOOD: ReadonlySet<number> = new Set([403, 404, 410, 451]);

/**
 * Sends a trace's exchanges once more, as if all of them had come from one squad, whose cache never had to forget. Each is
 * judged by what came before it; see {@link Verdict}.
 */
export class Replay {
  readonly #writes = new WriteStamps();
  readonly #targets: LRUCache<string, Target>;
  /** By target: the credential that has last got an answer which can be kept. */
  readonly #answered: LRUCache<string, string>;
  #forgotten = 0;
  #ofOtherCredentials = { exchanges: 0, units: 0 };

  /** Remembers `maxTargets` of what is asked for; what falls out counts as never asked. */
  constructor(maxTargets: number) {
    // Bounded by size, not by number: the latter takes all of its memory at once.
    const bound = { maxSize: maxTargets, sizeCalculation: () => 1 };
    this.#answered = new LRUCache(bound);
    this.#targets = new LRUCache({
      ...bound,
      dispose: (_target, _key, reason) => {
        if (reason === "evict") this.#forgotten++;
      },
    });
  }

  /** Targets that were forgotten for want of room. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** First reads of a credential of what another one had read: free if both may see the very same, which no trace tells. */
  get ofOtherCredentials(): { readonly exchanges: number; readonly units: number } {
    return { ...this.#ofOtherCredentials };
  }

  /** Exchanges must come in the order in which they began. */
  began(exchange: Exchange, wasBlocked: boolean): Verdict {
    const { outcome, api, isWrite } = exchange;
    if (outcome === "primary-limit" || outcome === "secondary-limit") return wasBlocked ? SENT_WHILE_BLOCKED : REFUSED;
    if (exchange.attempt > 1 && hasFailed(exchange)) return RETRIED_IN_VAIN;
    if (isWrite) return IRREDUCIBLE;
    return api === "graphql" ? this.#query(exchange) : this.#read(exchange);
  }

  /** Its answer has come. */
  ended(exchange: Exchange): void {
    if (!exchange.isWrite) return;
    const wide = writeScope(exchange.api === "graphql" ? "/graphql" : pathOf(exchange));
    this.#writes.stamp(exchange.host, wide.kind === "nothing" ? wide : scopeOf(exchange));
  }

  #read(read: Exchange): Verdict {
    if (read.target === undefined) return CANNOT_TELL;
    const target = this.#target(read);
    const lastWrite = this.#writes.lastWrite(read.host, scopeOf(read));
    const { failure } = target;
    const { status } = read;
    target.failure =
      status !== undefined && FOR_GOOD.has(status) ? { status, afterWrite: this.#writes.count } : undefined;
    if (failure !== undefined && failure.status === status && failure.afterWrite >= lastWrite) return ASKED_AGAIN;
    if (read.method !== "GET") return IRREDUCIBLE;
    target.read ??= new ReplayedRead();
    const isFirst = !target.read.isKnown(read.at);
    const verdict = target.read.send(read, lastWrite, this.#writes.count);
    if (verdict === IRREDUCIBLE && read.etag !== undefined) this.#compareCredentials(read, isFirst);
    return verdict === IRREDUCIBLE && isEtagUntold(read) ? CANNOT_TELL : verdict;
  }

  #compareCredentials(read: Exchange, isFirst: boolean): void {
    const { credential = "", units = 0 } = read;
    const key = `${read.host} ${read.target}`;
    const other = this.#answered.get(key);
    this.#answered.set(key, credential);
    if (!isFirst || other === undefined || other === credential) return;
    this.#ofOtherCredentials.exchanges++;
    this.#ofOtherCredentials.units += units;
  }

  #query(query: Exchange): Verdict {
    const name = query.answer;
    if (query.status === undefined || query.status >= 400) return IRREDUCIBLE;
    if (query.target === undefined || name === undefined) return CANNOT_TELL;
    const target = this.#target(query);
    const before = target.answer;
    target.answer = { name, afterWrite: this.#writes.count };
    const isRepeated = before?.name === name && before.afterWrite >= this.#writes.lastWrite(query.host, HOST);
    return isRepeated ? QUERY_REPEATED : IRREDUCIBLE;
  }

  #target({ api, host, target, credential, principal }: Exchange): Target {
    // A guard's value belongs to a principal; a validator to a credential.
    const whose = (api === "graphql" ? principal : (credential ?? principal)) ?? UNNAMED_PRINCIPAL;
    const key = `${host} ${whose} ${target}`;
    let known = this.#targets.get(key);
    if (known === undefined) {
      known = { read: undefined, failure: undefined, answer: undefined };
      this.#targets.set(key, known);
    }
    return known;
  }
}

/** Without the repository's name, any write on its host may have changed what a read sees. */
function scopeOf({ scope }: Exchange): Scope {
  return scope === undefined ? HOST : { kind: "repository", name: scope };
}

function pathOf({ route }: Exchange): string {
  return route?.slice(route.indexOf(" ") + 1) ?? "/";
}

function hasFailed({ status, outcome }: Exchange): boolean {
  return status === undefined || status >= 400 || outcome === "graphql-timeout" || outcome === "server-error";
}

/** Foreign traces often leave it out; GitHub gives none for searches. */
function isEtagUntold({ origin, status, etag, resource, units }: Exchange): boolean {
  const hasNone = resource === "search" || resource === "code_search";
  return origin === "foreign" && status === 200 && etag === undefined && units !== 0 && !hasNone;
}
