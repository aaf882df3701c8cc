import { isSquadRateError } from "../../src/errors.js";
import { difference, formOfAnswer } from "./answer-form.js";
import type { Play } from "./play.js";
import type { Call, Ending, Exchange } from "./record.js";
import { keyOf } from "./timeline.js";

/** How answers came about in plays, by `x-squad-rate`; says whether a property was worth its time. */
export type Tally = Record<string, number>;

/** What is wrong with a play, one sentence a fault; nothing when every call was answered as it had to be. */
export function faultsOf(play: Play, tally: Tally): string[] {
  const { log } = play.github.engine;
  const struck = new Map(log.exchanges.map((one) => [one.requestId, one.fault]));
  const faultOf = (exchange: Exchange): string | undefined =>
    exchange.requestId === undefined ? undefined : struck.get(exchange.requestId);
  const faults: string[] = [];
  play.recorder.calls.forEach((call, index) => {
    const fault = call.ending === undefined ? "never ended" : judge(play, call, call.ending, faultOf, tally);
    if (fault !== undefined) faults.push(`call ${index} (${describe(call)}): ${fault}`);
  });
  const dump = play.store.dump();
  for (const authorization of play.badges.scopes.keys()) {
    const token = authorization.split(" ")[1] as string;
    if (dump.includes(token)) faults.push(`the store holds the token ${token}`);
  }
  return faults;
}

/** Marks of answers whose Link may be from before the exchange. */
const REUSED: ReadonlySet<string> = new Set(["revalidated", "shared", "fresh", "stale"]);

type FaultOf = (exchange: Exchange) => string | undefined;

function judge(play: Play, call: Call, ending: Ending, faultOf: FaultOf, tally: Tally): string | undefined {
  if (ending.kind === "failed") return judgeFailure(play, call, ending.error, faultOf, tally);
  if (call.kind === "write") return undefined;
  return judgeHeaders(play, call, ending.headers) ?? judgeAnswer(play, call, ending, faultOf, tally);
}

function judgeFailure(play: Play, call: Call, error: unknown, faultOf: FaultOf, tally: Tally): string | undefined {
  const { abortReason } = call;
  if (abortReason !== undefined) {
    if (error === abortReason || (error as { cause?: unknown }).cause === abortReason) return count(tally, "aborted");
  }
  if (isSquadRateError(error)) {
    const { light, limit } = play.scenario.settings;
    const limited = play.github.engine.log.exchanges.some(({ refusedBy }) => refusedBy !== undefined);
    if (limited || (light && limit < 100)) return count(tally, "refused");
    return `refused without need: ${error.message}`;
  }
  const broken = call.exchanges.some(
    (exchange) => exchange.failure !== undefined || /truncate/.test(faultOf(exchange) ?? ""),
  );
  return broken ? count(tally, "broken") : `failed without cause: ${String(error)}`;
}

/** No header of one token's answers may reach another's. */
function judgeHeaders(play: Play, call: Call, headers: ReadonlyMap<string, string>): string | undefined {
  const { authorization } = call.view;
  const scopes = headers.get("x-oauth-scopes");
  if (scopes !== undefined && (authorization === undefined || scopes !== play.badges.scopes.get(authorization)))
    return `headers of another token: ${scopes}`;
  const requestId = headers.get("x-github-request-id");
  if (requestId === undefined) return undefined;
  const exchange = play.recorder.exchanges.find((one) => one.requestId === requestId);
  // The id of a redirected exchange is that of its last hop.
  if (exchange !== undefined && exchange.view.authorization !== authorization) return "the answer to another token";
  if (headers.has("set-cookie")) return "a header that GitHub never sent";
  return undefined;
}

function judgeAnswer(
  play: Play,
  call: Call,
  { status, data, headers }: Extract<Ending, { kind: "answered" }>,
  faultOf: FaultOf,
  tally: Tally,
): string | undefined {
  const how = headers.get("x-squad-rate");
  const sources = sourcesOf(play, call, how);
  if (typeof sources === "string") return `${how}: ${sources}`;
  const form = formOfAnswer(status, data, (name) => headers.get(name));
  const since = how === "stale" ? 0 : lastWriteSeenBy(play, call);
  let closest: string | undefined;
  for (const source of sources) {
    const fault = faultOf(source);
    if (how === undefined && source.status === status && (source.refused || replacesAnswer(fault)))
      return count(tally, "struck");
    const mangled = fault === "malformed-headers";
    // What only passes through is Octokit's to read, and it makes nothing of a body that ends too early.
    const isCut = fault === "truncate" || call.abortReason !== undefined;
    if (isCut && how === undefined && (form.text ?? form.bytes) === "") return count(tally, "cut short");
    const answers = play.timeline.during(
      call.view,
      Math.max(source.startedAt, since),
      source.endedAt,
      source.fires.length > 2,
    );
    if (answers.length === 0) closest ??= "known only from before a write that this squad had completed";
    for (const answer of answers) {
      const reason = mangled
        ? form.status === answer.status
          ? undefined
          : "another status"
        : difference(form, answer, call.view.url, REUSED.has(how ?? ""));
      if (reason === undefined) return count(tally, how ?? "passed");
      closest ??= reason;
    }
  }
  return `${how ?? "passed"}: ${closest ?? "no exchange it could have come from"}`;
}

/** The exchanges that an answer may have come from; all of them are of the call's own squad and token. */
function sourcesOf(
  { recorder: { exchanges }, scenario }: Play,
  call: Call,
  how: string | undefined,
): readonly Exchange[] | string {
  const { cache } = call;
  const mode = typeof cache === "string" ? cache : "use";
  const own = typeof cache === "object" ? cache : {};
  const confirmed = ({ status, view, squad }: Exchange): boolean =>
    (status === 200 || status === 304) && squad === call.squad && keyOf(view) === keyOf(call.view);
  const within = (maxAgeMs: number): readonly Exchange[] =>
    exchanges.filter(
      (one) => confirmed(one) && one.endedAt <= call.endedAt && one.startedMs > call.startedMs - maxAgeMs,
    );
  switch (how) {
    case undefined:
      return call.exchanges.slice(-1);
    case "miss":
    case "changed":
      return mode === "bypass"
        ? "the cache was to be bypassed"
        : call.exchanges.slice(-1).filter(({ status }) => status === 200);
    case "revalidated":
      return mode === "bypass"
        ? "the cache was to be bypassed"
        : call.exchanges.slice(-1).filter(({ status }) => status === 304);
    case "shared":
      return mode !== "use"
        ? `not what ${mode} means`
        : exchanges.filter(
            (one) =>
              confirmed(one) && one.call !== call && one.startedAt < call.endedAt && one.bodyEndedAt > call.startedAt,
          );
    case "fresh":
      return mode !== "use" ? `not what ${mode} means` : within(own.freshForMs ?? scenario.settings.freshForMs);
    case "stale":
      return mode !== "use" ? `not what ${mode} means` : within(own.maxStaleMs ?? scenario.settings.maxStaleMs);
    default:
      return "an unknown mark";
  }
}

/** The last moment at which a write that this squad had completed before the call changed what the call reads. */
function lastWriteSeenBy({ recorder: { exchanges }, timeline }: Play, call: Call): number {
  let last = 0;
  for (const write of exchanges) {
    if (write.call.kind !== "write" || write.squad !== call.squad || write.call.endedAt > call.startedAt) continue;
    for (const moment of write.fires) {
      if (moment < write.call.endedAt && timeline.changedAt(call.view, moment)) last = Math.max(last, moment);
    }
  }
  return last;
}

/** Faults that put something else in the place of GitHub's answer. */
function replacesAnswer(fault: string | undefined): boolean {
  return /^(?:status|html|retry-after-date|primary-limit|secondary-limit)$/.test(fault ?? "");
}

function count(tally: Tally, how: string): undefined {
  tally[how] = (tally[how] ?? 0) + 1;
}

function describe({ view, squad, cache }: Call): string {
  const { method, url, authorization, accept } = view;
  return `${method} ${url} as ${authorization} accepting ${accept} in ${squad}, cache ${JSON.stringify(cache)}`;
}
