import { formatDuration } from "../../../policy/words.js";
import type { PoolView } from "../../../pool/outside/pool-view.js";
import type { QuotaView } from "../../../pool/outside/quota-view.js";
import { printable } from "../../../report/printable.js";
import { count, some } from "../../../report/words/format.js";

/** How times of day are said. `zone` is for tests; undefined: this machine's. */
export interface Zone {
  readonly timeZone?: string | undefined;
}

const DAY_MS = 86_400_000;

const MINUTE_MS = 60_000;

/** `14:20`; with the day where that is not within twelve hours. Rounded up where it is to come: nothing is promised too early. */
export function timeOfDay(moment: number, now: number, { timeZone }: Zone = {}): string {
  const at = moment > now ? Math.ceil(moment / MINUTE_MS) * MINUTE_MS : moment;
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(at);
  if (Math.abs(at - now) < DAY_MS / 2) return time;
  return `${new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone }).format(at)}, ${time}`;
}

/** A duration for people, who look now and then: minutes above a minute and a half. */
export function roughly(ms: number): string {
  return formatDuration(ms < 90_000 ? Math.ceil(ms / 1_000) * 1_000 : Math.ceil(ms / 60_000) * 60_000);
}

/** What matters now, in sentences: the urgent first. */
export function poolSentences(pool: PoolView, zone: Zone = {}): readonly string[] {
  const { cooldown, quotas, agents, unreadable, now } = pool;
  const sentences: string[] = [];
  if (cooldown !== undefined) {
    const { until, why, by } = cooldown;
    const whom = by === "" ? "" : ` ${printable(by)} was refused:`;
    sentences.push(
      `Everybody holds back until ${timeOfDay(until, now, zone)}, for another ${roughly(until - now)}:${whom} ${printable(why)}`,
    );
  }
  for (const { document, why } of unreadable) {
    sentences.push(`The document of ${document} cannot be read: ${printable(why)}`);
  }
  for (const quota of quotas) sentences.push(quotaSentence(quota, now, zone));
  const blocked = agents.filter(({ blockedUntil }) => blockedUntil !== undefined);
  if (blocked.length > 0) {
    const until = Math.max(...blocked.map(({ blockedUntil }) => blockedUntil ?? 0));
    sentences.push(
      `${some(blocked.length, "agent")} of ${count(agents.length)} ${are(blocked.length)} held, the last until ${timeOfDay(until, now, zone)}`,
    );
  }
  return sentences;
}

/** How one resource stands. */
export function quotaSentence(quota: QuotaView, now: number, zone: Zone = {}): string {
  const { resource, state, why, limit, remainingUnits, resetAt } = quota;
  const name = printable(resource);
  if (state === "unreadable") return `${name}: the document cannot be read: ${printable(why ?? "")}`;
  if (state === "unknown") return `${name}: no answer has told yet how much is left${waiting(quota)}`;
  if (state === "over") return `${name}: a new window, all ${count(limit)} are left${waiting(quota)}`;
  const reset = resetAt === undefined ? "" : timeOfDay(resetAt, now, zone);
  if (remainingUnits < 1) {
    const until = resetAt === undefined ? "" : ` until ${reset}, for another ${roughly(resetAt - now)}`;
    return `${name} is used up${until}${waiting(quota)}`;
  }
  const when = resetAt === undefined ? "" : `, resets in ${roughly(resetAt - now)} (${reset})`;
  return `${name}: ${count(remainingUnits)} of ${count(limit)} left${when}${lasting(quota, now)}${waiting(quota)}`;
}

function lasting({ forecast, resetAt }: QuotaView, now: number): string {
  if (forecast === undefined) return ", and nobody spends it";
  if (resetAt === undefined) return "";
  if (forecast.exhaustedInMs >= resetAt - now) return ", lasts until then";
  return `, is used up in ${roughly(forecast.exhaustedInMs)} at the pace that agents want`;
}

function waiting({ waitingUnits, waitingSpenders }: QuotaView): string {
  if (waitingUnits <= 0) return "";
  const verb = waitingSpenders === 1 ? "waits" : "wait";
  return `; ${some(waitingSpenders, "process", "processes")} ${verb} for ${some(Math.ceil(waitingUnits), "unit")}`;
}

function are(number: number): string {
  return number === 1 ? "is" : "are";
}
