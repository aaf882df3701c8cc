import { checkAtLeast, checkOneOf } from "./check-input.js";

/** Which requests a fault strikes. */
export interface FaultMatch {
  readonly method?: string;
  /** A path without query that must be equal, or an expression that path and query must match. */
  readonly path?: string | RegExp;
}

/** What can go wrong. */
export type FaultKind =
  | {
      /** An error instead of the answer: JSON as GitHub's, or nginx's HTML. A GraphQL one may cost extra units. */
      readonly kind: "status";
      readonly status?: number;
      readonly body?: "json" | "html";
      /** Units charged on top: a GraphQL query that times out costs them. Default 0. */
      readonly extraUnits?: number;
    }
  /** The connection breaks; with `"before"`, before the request took effect. Default `"after"`. */
  | { readonly kind: "reset"; readonly when?: "before" | "after" }
  /** The body ends too early. */
  | { readonly kind: "truncate" }
  /** A 200 with an HTML page instead of JSON. */
  | { readonly kind: "html" }
  /** The answer takes this much longer. */
  | { readonly kind: "slow"; readonly ms: number }
  /** A secondary refusal whose Retry-After is an HTTP date, `seconds` (default 60) from now. */
  | { readonly kind: "retry-after-date"; readonly seconds?: number }
  /** A primary or secondary refusal out of turn; it does not block what follows. */
  | { readonly kind: "primary-limit" | "secondary-limit" }
  /** Nonsense in the rate headers, Date, Link and Content-Type; `headers` replaces single ones, `null` drops one. */
  | { readonly kind: "malformed-headers"; readonly headers?: Readonly<Record<string, string | null>> }
  /** A GraphQL answer with `RESOURCE_LIMITS_EXCEEDED` and a null for its first field. */
  | { readonly kind: "resource-limits" };

/** A scripted fault: what, which requests, how often. */
export type FaultScript = FaultKind & {
  /** Default: every request. */
  readonly match?: FaultMatch;
  /** Strikes this often, then never again. Default 1; `Infinity` for ever. */
  readonly times?: number;
  /** Strikes only every n-th matching request. Default 1. */
  readonly every?: number;
};

/** A fault that was scripted. */
export interface FaultHandle {
  /** How often it may still strike. */
  readonly remaining: number;
  cancel(): void;
}

/** A record, so that the compiler misses none. */
const FAULT_KINDS: Readonly<Record<FaultKind["kind"], true>> = {
  status: true,
  reset: true,
  truncate: true,
  html: true,
  slow: true,
  "retry-after-date": true,
  "primary-limit": true,
  "secondary-limit": true,
  "malformed-headers": true,
  "resource-limits": true,
};

interface Scripted {
  readonly script: FaultScript;
  seen: number;
  remaining: number;
}

/** The scripted faults, tried in the order in which they were added; one request suffers at most one. */
export class Faults {
  #scripted: Scripted[] = [];

  add(script: FaultScript): FaultHandle {
    checkOneOf<string>("fault", "kind", script.kind, Object.keys(FAULT_KINDS));
    if (script.kind === "slow") checkAtLeast("fault", "ms", script.ms, 0);
    checkAtLeast("fault", "every", script.every ?? 1, 1);
    const scripted: Scripted = { script, seen: 0, remaining: checkAtLeast("fault", "times", script.times ?? 1, 0) };
    this.#scripted.push(scripted);
    return {
      get remaining() {
        return scripted.remaining;
      },
      cancel: () => {
        scripted.remaining = 0;
      },
    };
  }

  strike(method: string, path: string, query: string): FaultScript | undefined {
    if (this.#scripted.length === 0) return undefined;
    this.#scripted = this.#scripted.filter((scripted) => scripted.remaining > 0);
    for (const scripted of this.#scripted) {
      if (!matches(scripted.script.match, method, path, query)) continue;
      if (++scripted.seen % (scripted.script.every ?? 1) !== 0) continue;
      scripted.remaining--;
      return scripted.script;
    }
    return undefined;
  }

  clear(): void {
    for (const scripted of this.#scripted) scripted.remaining = 0;
    this.#scripted = [];
  }
}

function matches(match: FaultMatch | undefined, method: string, path: string, query: string): boolean {
  if (match === undefined) return true;
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path === undefined) return true;
  return typeof match.path === "string" ? match.path === path : `${path}${query}`.search(match.path) >= 0;
}
