/** How a guarded value came about; see {@link Guarded.how}. */
export type GuardedHow = "produced" | "unchanged" | "shared" | "stale";

/** A guarded value, and how it came about. */
export interface Guarded<T> {
  /** A fresh copy for each caller, as JSON keeps it: a `Date` comes back as a string. */
  readonly value: T;
  /**
   * `produced`: by this call's `produce`. `unchanged`: it was there, and the reads still say what they said when it was
   * produced, which need not mean that this caller has seen it before. `shared`: another call, here or in another process,
   * produced it meanwhile. `stale`: the last value there is; whether it is still right is not known, and `cause` says why.
   */
  readonly how: GuardedHow;
  /** Milliseconds since it was produced. */
  readonly ageMs: number;
  /** Why it is stale: what a guarding read was refused or failed with, or that another agent took too long. */
  readonly cause?: unknown;
}

/** Options of one guard. */
export interface GuardOptions {
  /**
   * Names the value among all that agents of the principal guard, in place of the reads; 1 to 200 printable characters.
   * Needed where the same reads guard two different values, useful where the reads of one value change (as with the SHA of
   * a branch). Two values must never have one key: put into it whatever they are about, such as the repository.
   * @defaultValue none: the reads, with their parameters, name the value
   */
  readonly key?: string | undefined;
  /**
   * How old a value may be that is given instead of a new one, changed or not, in milliseconds from 0 to 365 days. 0 shares
   * only what is being produced.
   * @defaultValue 3,600,000 (an hour)
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * How long to wait for another call or another process that produces this value, in milliseconds from 0 to 600,000. After
   * that the last value is given as `stale`; without one the guard rejects if it is this process that produces, and produces
   * itself if it is another, of which nothing is known.
   * @defaultValue 30,000
   */
  readonly waitMs?: number | undefined;
}

/** A cheap read that tells whether something has changed: a route, always a GET, and its parameters. */
export type GuardRead = readonly [route: string, params?: object | undefined];

/** The guards of one Octokit. */
export interface Guards {
  /**
   * Runs `produce`, which is expensive, only when a read, which is cheap, says something new. The read goes out as this
   * Octokit's own `request` would send it; unchanged it is a free `304`, and the last value is returned. When it says
   * something new, one agent of the principal produces, and the others wait for its value.
   *
   * Fails closed: when the read is refused or fails, the last value is returned as `stale`, and nothing is produced. An
   * older answer that `maxStaleMs` allows in place of a failure does not count; one that `freshForMs` allows does.
   *
   * The value must be JSON. It is kept per principal, in this process's memory and, unless `cache: { store: false }` says
   * otherwise, in the store: whoever can read the store can read it, and whoever can write to the store can forge it, since
   * GitHub vouches for the reads but not for what was made of them. Values of more than 1.9 million characters, and those
   * of apps that speak for themselves and of callers without a token, stay in memory, which holds 16 MiB of them.
   *
   * `produce` is not told of aborts: others may wait for its value. An abort by `params.request.signal` ends only the wait
   * of its caller.
   *
   * @throws whatever the read was refused or failed with, when there is no value of at most `maxAgeMs`; what `produce`
   * threw, to all who wait for it in this process; the signal's reason when it aborts; SquadRateError `SQUAD_RATE_OPTIONS`
   * for wrong arguments, a value that is not JSON, or a second, different `produce` for the same reads without `key`.
   *
   * @example
   * ```ts
   * const { value, how } = await octokit.squad.guard("GET /repos/{owner}/{repo}/pulls", { owner, repo }, () =>
   *   octokit.graphql<Batch>(BATCH, { owner, repo }),
   * );
   * ```
   */
  guard<T>(
    route: string,
    params: object | undefined,
    produce: () => Promise<T> | T,
    options?: GuardOptions,
  ): Promise<Guarded<T>>;
  /**
   * The same with several reads, up to 100, which are made at once: `produce` runs when any of them says something new.
   *
   * @example
   * ```ts
   * const { value } = await octokit.squad.guards(
   *   [
   *     ["GET /repos/{owner}/{repo}/pulls", { owner, repo }],
   *     ["GET /repos/{owner}/{repo}/commits/{ref}/check-runs", { owner, repo, ref: sha }],
   *   ],
   *   () => octokit.graphql<Batch>(BATCH, { owner, repo }),
   *   { key: `batch of ${owner}/${repo}`, maxAgeMs: 15 * 60_000 },
   * );
   * ```
   */
  guards<T>(reads: readonly GuardRead[], produce: () => Promise<T> | T, options?: GuardOptions): Promise<Guarded<T>>;
}
