import { SquadRateError } from "../errors.js";
import { checkInteger, checkRecord, hasMethods, optionError, readOwn } from "../options/check.js";
import { checkLabel } from "../options/check-name.js";
import { describeValue } from "../options/describe-value.js";
import type { SquadRequestOptions } from "../options.js";

/** A guarding read, checked and ready to be sent. */
export interface CheckedRead {
  readonly route: string;
  /** Without `request`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>>;
  readonly squad: SquadRequestOptions;
}

/** One call of a guard, checked and with everything filled in. */
export interface CheckedGuard {
  readonly reads: readonly CheckedRead[];
  readonly key: string | undefined;
  readonly maxAgeMs: number;
  readonly waitMs: number;
  /** By which the caller may abort. */
  readonly signals: readonly AbortSignal[];
}

const OPTIONS: readonly string[] = ["key", "maxAgeMs", "waitMs"];
const AGE = { min: 0, max: 365 * 24 * 3_600_000, unit: "milliseconds" };
const WAIT = { min: 0, max: 600_000, unit: "milliseconds" };
const DEFAULT_MAX_AGE_MS = 3_600_000;
const DEFAULT_WAIT_MS = 30_000;
/** GitHub answers so many requests of one user at a time. */
const MAX_READS = 100;
const CONDITIONS: readonly string[] = ["if-none-match", "if-modified-since"];

/** @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the argument, its bound and the value. */
export function checkGuard(reads: readonly CheckedRead[], produce: unknown, options: unknown): CheckedGuard {
  if (typeof produce !== "function") {
    throw optionError("guard.produce", "a function", produce, "Pass the function that makes the value.");
  }
  const given = options === undefined ? {} : checkRecord("guard", options, OPTIONS, "a plain object of options");
  const signals = new Set<AbortSignal>();
  for (const { request } of reads) if (isSignal(request.signal)) signals.add(request.signal);
  return {
    reads,
    key: checkLabel("guard.key", given.key, undefined),
    maxAgeMs: checkInteger("guard.maxAgeMs", given.maxAgeMs, AGE, DEFAULT_MAX_AGE_MS),
    waitMs: checkInteger("guard.waitMs", given.waitMs, WAIT, DEFAULT_WAIT_MS),
    signals: [...signals],
  };
}

/** @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the read and what is wrong with it. */
export function checkReads(reads: unknown): readonly CheckedRead[] {
  if (!Array.isArray(reads) || reads.length === 0 || reads.length > MAX_READS) {
    const rule = `a list of 1 to ${MAX_READS} reads, each [route, params]`;
    throw optionError("guard.reads", rule, reads, 'Write [["GET /repos/{owner}/{repo}/pulls", { owner, repo }]].');
  }
  return reads.map((read: unknown, index) => {
    const path = `guard.reads[${index}]`;
    if (!Array.isArray(read) || read.length > 2) throw optionError(path, "[route, params]", read);
    return checkRead(path, read[0], read[1]);
  });
}

/** @throws SquadRateError `SQUAD_RATE_OPTIONS` that says what is wrong with the read. */
export function checkRead(path: string, route: unknown, params: unknown): CheckedRead {
  if (typeof route !== "string" || !/^(?:GET )?\S+$/i.test(route)) {
    const remedy = "A guard is a read that GitHub can answer with 304.";
    throw optionError(`${path}.route`, 'a GET, such as "GET /repos/{owner}/{repo}/pulls"', route, remedy);
  }
  const { request: settings, ...rest } = params === undefined ? {} : readOwn(`${path}.params`, params, PLAIN);
  if (rest.method !== undefined && !/^GET$/i.test(String(rest.method))) {
    throw optionError(`${path}.params.method`, "GET", rest.method, "Leave it out.");
  }
  checkHeaders(`${path}.params.headers`, rest.headers);
  // The body is what is compared, so Octokit has to read it.
  const { squad, parseSuccessResponseBody, ...request } =
    settings === undefined ? {} : readOwn(`${path}.params.request`, settings, PLAIN);
  return { route, params: rest, request, squad: withoutStandIns(`${path}.params.request.squad`, squad) };
}

const PLAIN = "a plain object";

/** A guard that says by itself what it has seen would be told 304 where nobody has kept what that means. */
function checkHeaders(path: string, headers: unknown): void {
  if (headers === undefined) return;
  const own = readOwn(path, headers, PLAIN);
  const name = Object.keys(own).find((key) => CONDITIONS.includes(key.toLowerCase()) && own[key] !== undefined);
  if (name === undefined) return;
  throw new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    `${path} has ${describeValue(name)}, which guards send by themselves.`,
    {
      remedy: `Leave ${name} out.`,
    },
  );
}

/** An older answer in place of a refusal would look like one that says that nothing has changed. */
function withoutStandIns(path: string, squad: unknown): SquadRequestOptions {
  const own = squad === undefined ? {} : readOwn(path, squad, "a plain object of options");
  const { cache } = own;
  if (cache === undefined) return { ...own, cache: { maxStaleMs: 0 } };
  if (typeof cache !== "object" || cache === null) return own;
  return { ...own, cache: { ...readOwn(`${path}.cache`, cache, PLAIN), maxStaleMs: 0 } };
}

function isSignal(value: unknown): value is AbortSignal {
  return hasMethods(value, ["addEventListener", "removeEventListener", "throwIfAborted"]);
}
