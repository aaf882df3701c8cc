import type { VirtualClock } from "../../../src/sim/virtual-clock.js";
import { createStubGithub, type StubGithub } from "../../harness/stub-github.js";

/** What is asked for. `wrong 304`: GitHub confirms something that was not asked about, so that it is asked again. */
export const KINDS = [
  "plain",
  "kept",
  "kept",
  "kept",
  "wrong 304",
  "redirect",
  "head",
  "write",
  "upload",
  "search",
  "without headers",
  "exempt",
  "graphql",
] as const;
export type Kind = (typeof KINDS)[number];

/** What becomes of each request of a call. `throws`: fetch itself, at once. */
export interface Fate {
  readonly kind: Kind;
  readonly end: "answers" | "fails" | "throws" | "hangs" | "is late";
  readonly ms: number;
}

const API = "https://api.github.com";
const LATE_MS = 10_000;
const FOREVER_MS = 3e9;

const PATHS: Readonly<Record<Kind, string>> = {
  plain: "/plain",
  kept: "/kept",
  "wrong 304": "/wrong",
  redirect: "/redirect",
  head: "/plain",
  write: "/plain",
  upload: "/plain",
  search: "/search/issues",
  "without headers": "/failure",
  exempt: "/rate_limit",
  graphql: "/graphql",
};

/** A call's request; `headers` say whose it is and which plan it has. */
export function requestOf(kind: Kind, headers: Record<string, string>): { url: string; init: RequestInit } {
  const url = API + PATHS[kind];
  if (kind === "head") return { url, init: { headers, method: "HEAD" } };
  if (kind === "write") return { url, init: { headers, method: "POST", body: "{}" } };
  if (kind === "upload") return { url, init: { headers, method: "POST", body: new Uint8Array(3) } };
  if (kind === "graphql") return { url, init: { headers, method: "POST", body: '{"query":"{ viewer { login } }"}' } };
  return { url, init: { headers } };
}

/** A GitHub whose every answer is planned, and that counts what the pool is to book of `core`. */
export class BadGithub {
  /** Units charged for answers. */
  charged = 0;
  /** Units of requests that were never answered: a process that closes before a header tells takes them for charged. */
  doubtful = 0;
  readonly #clock: VirtualClock;
  readonly #stub: StubGithub;
  readonly #limit: number;
  readonly #plans = new Map<string, Fate>();
  #tokens = 0;
  #token = "";

  constructor(clock: VirtualClock, limit: number) {
    this.#clock = clock;
    this.#stub = createStubGithub({ clock });
    this.#limit = limit;
    this.rotate();
    let wrong = 0;
    const { route } = this.#stub;
    route("/plain", { json: {}, etag: "none" });
    route("/kept", { json: { id: 1 } });
    route("/wrong", ({ headers }) =>
      headers.has("if-none-match") && wrong++ % 2 === 0
        ? { status: 304, headers: { etag: '"other"' }, body: null }
        : { json: { id: 2 } },
    );
    route("/redirect", () => {
      this.#stub.quota(this.#token).used++;
      return { json: {}, etag: "none", redirectedTo: `${API}/elsewhere` };
    });
    route("/search/issues", { json: {}, etag: "none" });
    route("/failure", { status: 502, unlimited: true });
    route("/rate_limit", { json: {}, etag: "none" });
    route("/graphql", { json: { errors: [{ type: "RATE_LIMITED" }] } });
  }

  rotate(): void {
    this.#token = `token ghp_${this.#tokens++}`;
    this.#stub.quota(this.#token).limit = this.#limit;
  }

  /** How long the window of the newest token lasts from now on. */
  leftMs(): number {
    return Math.max(0, this.#stub.quota(this.#token).resetAt - this.#clock.now());
  }

  /** The headers by which a request's fate is found. */
  plan(fate: Fate): Record<string, string> {
    const id = `${this.#plans.size}`;
    this.#plans.set(id, fate);
    return { authorization: this.#token, "x-plan": id };
  }

  readonly fetch = ((input: string | URL | Request, init: RequestInit = {}) => {
    const plan = this.#plans.get(new Headers(init.headers).get("x-plan") ?? "") as Fate;
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    const unit = /^\/(search|graphql|rate_limit)/.test(pathname) ? 0 : 1;
    const answer = plan.end === "throws" ? Promise.reject(new Error("Fetch will not have it.")) : undefined;
    return (answer ?? this.#answer(plan, unit, input, init)).catch((error: unknown) => {
      this.doubtful += unit;
      throw error;
    });
  }) as typeof globalThis.fetch;

  async #answer(plan: Fate, unit: number, input: string | URL | Request, init: RequestInit): Promise<Response> {
    await this.#travel(plan, init.signal ?? undefined);
    if (plan.end === "fails") throw new TypeError("fetch failed");
    const response = await this.#stub.fetch(input, init);
    const isCounted = unit > 0 && response.headers.get("x-ratelimit-limit") !== null;
    if (isCounted) this.charged += (response.status === 304 ? 0 : 1) + (response.redirected ? 1 : 0);
    return response;
  }

  /** Uploads, calls without admission and second requests have no deadline of ours, so they are only late. */
  #travel({ kind, end, ms }: Fate, signal: AbortSignal | undefined): Promise<void> {
    const endless = end === "hangs" && kind !== "upload" && kind !== "exempt" && kind !== "wrong 304";
    const takesMs = endless ? FOREVER_MS : end === "hangs" || end === "is late" ? ms + LATE_MS : ms;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const cancel = this.#clock.timer(takesMs, resolve);
      const leave = (): void => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
