import { formatDuration } from "../../../policy/words.js";
import type { LeaseView } from "../../../pool/outside/lease-view.js";
import type { AgentView, PoolView } from "../../../pool/outside/pool-view.js";
import type { QuotaView } from "../../../pool/outside/quota-view.js";
import { printable } from "../../../report/printable.js";
import { count, some } from "../../../report/words/format.js";
import type { Paint } from "../../show/paint.js";
import { type TableColumn, table } from "../../show/table.js";
import { wrap } from "../../show/wrap.js";
import { shownName } from "../pool/choose-pools.js";
import type { ProxyView } from "./proxies.js";
import type { StatusSnapshot } from "./snapshot.js";
import { poolSentences, roughly, timeOfDay, type Zone } from "./words.js";

/** How it is to look. */
export interface StatusLook extends Zone {
  /** Columns; `Infinity` where nothing is to be cut. */
  readonly width: number;
  readonly paint: Paint;
  /** All agents and leases. Default: the first twenty of each. */
  readonly all?: boolean | undefined;
}

const FEW = 20;
/** Longer lines are hard to follow. */
const WIDEST_SENTENCE = 110;

/** A snapshot in lines. */
export function renderStatus(snapshot: StatusSnapshot, look: StatusLook): readonly string[] {
  const { store, pools, proxies, otherPools } = snapshot;
  const blocks: (readonly string[])[] = pools.map((pool) => poolLines(pool, look));
  if (store?.problem === null && store.complete && pools.length === 0) {
    const none = otherPools > 0 ? "No pool of that name lies" : "No pool lies";
    const more =
      otherPools > 0
        ? `, but ${some(otherPools, "other", "others")}: --all shows them`
        : " yet: no squad has sent a call";
    blocks.push(sentence(`${none} in ${store.uri}${more}.`, look));
  }
  if (store !== null && !store.complete && store.problem === null) {
    blocks.push(sentence(`There is too much in ${store.uri} to look at all of it; there may be more pools.`, look));
  }
  if (pools.length > 0 && otherPools > 0) {
    blocks.push(sentence(`${some(otherPools, "more pool")} in ${store?.uri}: --all shows them.`, look));
  }
  if (proxies.length > 0) blocks.push(proxyLines(proxies, snapshot.at, look));
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

function poolLines(pool: PoolView, look: StatusLook): readonly string[] {
  const { paint } = look;
  const name = printable(shownName(pool.name));
  const lines = [paint.bold(`Pool ${name} of ${printable(pool.host)}, ${timeOfDay(pool.now, pool.now, look)}`)];
  for (const words of poolSentences(pool, look)) lines.push(...sentence(words, look));
  const open = pool.quotas.filter(({ state }) => state === "open" || state === "over");
  if (open.length > 0) lines.push("", ...table(quotaColumns(open, pool.now, look), open, tableLook(look)));
  const leases = open.flatMap(({ resource, leases: own }) => own.map((lease) => ({ resource, ...lease })));
  if (pool.agents.length > 0) lines.push("", ...some20(pool.agents, agentColumns(pool.now, look), "agents", look));
  if (leases.length > 0) lines.push("", ...some20(leases, leaseColumns(leases, pool.now, look), "leases", look));
  const { contentWrites, knownOperations } = pool;
  const facts = [
    contentWrites !== undefined && contentWrites.lastHour > 0
      ? `${some(contentWrites.lastHour, "content write")} in the last hour, ${count(contentWrites.lastMinute)} in the last minute (GitHub takes 500 and 80)`
      : undefined,
    knownOperations > 0 ? `the cost of ${some(knownOperations, "GraphQL operation")} is known` : undefined,
  ].filter((fact) => fact !== undefined);
  if (facts.length > 0) lines.push("", ...sentence(capital(`${facts.join("; ")}.`), look));
  return lines;
}

function sentence(words: string, { width }: StatusLook): readonly string[] {
  return wrap(words, Math.min(width, WIDEST_SENTENCE), { first: "", rest: "  " });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function tableLook({ width, paint }: StatusLook): { readonly width: number; readonly heading: Paint["dim"] } {
  return { width, heading: paint.dim };
}

function some20<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  what: string,
  look: StatusLook,
): readonly string[] {
  const shown = look.all === true ? rows : rows.slice(0, FEW);
  const more = rows.length - shown.length;
  return [
    ...table(columns, shown, tableLook(look)),
    ...(more > 0 ? [look.paint.dim(`and ${count(more)} more ${what}: --all shows them`)] : []),
  ];
}

/** In colour, and in words for whoever sees none. */
function lightWord(light: QuotaView["light"], paint: Paint): string {
  const colour = light === "green" ? paint.green : light === "amber" ? paint.yellow : paint.red;
  return colour(light);
}

const WAITING: TableColumn<{ readonly waitingUnits: number }> = {
  title: "waiting",
  align: "right",
  of: ({ waitingUnits }) => count(waitingUnits),
};

function quotaColumns(
  quotas: readonly QuotaView[],
  now: number,
  { paint }: StatusLook,
): readonly TableColumn<QuotaView>[] {
  return [
    { title: "resource", of: ({ resource }) => printable(resource) },
    { title: "light", mayBeCut: false, of: ({ light }) => lightWord(light, paint) },
    { title: "left", align: "right", of: ({ remainingUnits }) => count(Math.floor(remainingUnits)) },
    { title: "used", align: "right", of: ({ usedUnits }) => count(usedUnits) },
    { title: "limit", align: "right", of: ({ limit }) => count(limit) },
    { title: "held", align: "right", of: ({ heldUnits }) => count(heldUnits) },
    { title: "flying", align: "right", of: ({ inFlightUnits }) => count(inFlightUnits) },
    ...(quotas.some(({ waitingUnits }) => waitingUnits > 0) ? [WAITING] : []),
    { title: "others", align: "right", of: ({ hiddenAtLeastUnits }) => count(hiddenAtLeastUnits) },
    {
      title: "resets in",
      align: "right",
      of: ({ resetAt }) => (resetAt === undefined ? "–" : roughly(resetAt - now)),
    },
    { title: "used up in", align: "right", of: (quota) => usedUpIn(quota, now, paint) },
  ];
}

function usedUpIn({ forecast, resetAt, remainingUnits }: QuotaView, now: number, paint: Paint): string {
  if (remainingUnits < 1) return paint.red("it is");
  if (forecast === undefined) return "–";
  const isSoon = resetAt !== undefined && forecast.exhaustedInMs < resetAt - now;
  if (!isSoon) return "not before";
  return paint.yellow(roughly(forecast.exhaustedInMs));
}

function agentColumns(now: number, look: StatusLook): readonly TableColumn<AgentView>[] {
  const { paint } = look;
  return [
    { title: "agent", of: ({ agent }) => printable(agent) },
    { title: "P", align: "right", of: ({ priority }) => `${priority}` },
    { title: "machine", of: ({ machine }) => printable(machine) },
    { title: "process", mayBeCut: false, of: ({ process }) => shownProcess(process) },
    { title: "core", mayBeCut: false, of: ({ light }) => lightWord(light, paint) },
    {
      title: "listed for",
      align: "right",
      of: ({ leaseLeftMs }) => (leaseLeftMs === 0 ? paint.dim("silent") : roughly(leaseLeftMs)),
    },
    { title: "held", of: (agent) => heldWord(agent, now, look) },
    { title: "depends on", of: ({ dependsOn }) => printable(dependsOn.join(", ")) },
  ];
}

function heldWord({ blockedUntil, breakerOpen }: AgentView, now: number, look: StatusLook): string {
  const until = blockedUntil === undefined ? [] : [`until ${timeOfDay(blockedUntil, now, look)}`];
  const words = [...until, ...(breakerOpen ? ["breaker open"] : [])];
  return words.length === 0 ? "" : look.paint.yellow(words.join(", "));
}

type LeaseRow = LeaseView & Pick<QuotaView, "resource">;

function leaseColumns(leases: readonly LeaseRow[], now: number, look: StatusLook): readonly TableColumn<LeaseRow>[] {
  return [
    { title: "lease of", of: ({ agent }) => printable(agent) },
    { title: "process", mayBeCut: false, of: ({ process }) => shownProcess(process) },
    { title: "on", of: ({ resource }) => printable(resource) },
    { title: "P", align: "right", of: ({ priority }) => `${priority}` },
    { title: "granted", align: "right", of: ({ allocatedUnits }) => count(allocatedUnits) },
    { title: "spent", align: "right", of: ({ spentUnits }) => count(spentUnits) },
    { title: "flying", align: "right", of: ({ inFlightUnits }) => count(inFlightUnits) },
    { title: "held", align: "right", of: ({ heldUnits }) => count(heldUnits) },
    ...(leases.some(({ waitingUnits }) => waitingUnits > 0) ? [WAITING] : []),
    { title: "lease ends in", mayBeCut: false, of: (lease) => leaseWord(lease, now, look) },
  ];
}

/** What a dead spender holds comes back some time after its lease. */
function leaseWord(lease: LeaseRow, now: number, look: StatusLook): string {
  const { state, leaseLeftMs, heldUnits, inFlightUnits, returnsAfter } = lease;
  if (state === "alive") return roughly(leaseLeftMs);
  const holds = heldUnits + inFlightUnits > 0;
  return look.paint.yellow(holds ? `${state}, back ${timeOfDay(Math.max(now, returnsAfter), now, look)}` : state);
}

function shownProcess(process: string | undefined): string {
  return process === undefined ? "" : `~${process.slice(0, 6)}`;
}

function proxyLines(proxies: readonly ProxyView[], at: number, look: StatusLook): readonly string[] {
  return proxies.flatMap((proxy, index) => {
    const { pid, host, upstream, startedAt, requests, underWay, clients, windows, store } = proxy;
    const where = upstream === undefined ? printable(host) : `${printable(host)} at ${printable(upstream)}`;
    const title = look.paint.bold(`Proxy ${pid} for ${where}, since ${timeOfDay(startedAt, at, look)}`);
    // Proxies of one GitHub differ by it as a rule.
    const through = store === undefined ? "" : `; store ${printable(store.uri)}`;
    const lines = [title, `${some(requests, "request")}, ${count(underWay)} under way${through}`];
    if (store?.state === "lost") {
      const why = `It goes on without its store: ${printable(store.why ?? "")}`;
      lines.push(...sentence(why, look).map(look.paint.yellow));
    }
    if (windows.length > 0) lines.push("", ...table(windowColumns(at, look.paint), windows, tableLook(look)));
    if (clients.length > 0) lines.push("", ...some20(clients, clientColumns(at), "clients", look));
    return index === 0 ? lines : ["", ...lines];
  });
}

type Window = ProxyView["windows"][number];

function windowColumns(at: number, paint: Paint): readonly TableColumn<Window>[] {
  const known = (units: number | undefined): string => (units === undefined ? "–" : count(units));
  return [
    { title: "resource", of: ({ resource }) => printable(resource) },
    { title: "of", mayBeCut: false, of: ({ principal }) => printable(shownName(principal)) },
    { title: "light", mayBeCut: false, of: ({ light }) => lightWord(light, paint) },
    { title: "left", align: "right", of: ({ remaining }) => known(remaining) },
    { title: "used", align: "right", of: ({ used }) => known(used) },
    { title: "limit", align: "right", of: ({ limit }) => known(limit) },
    {
      title: "resets in",
      align: "right",
      of: ({ resetAt }) => (resetAt === undefined ? "–" : roughly(Math.max(0, resetAt - at))),
    },
  ];
}

type Client = ProxyView["clients"][number];

function clientColumns(at: number): readonly TableColumn<Client>[] {
  return [
    { title: "agent", of: ({ agent }) => printable(agent) },
    { title: "P", align: "right", of: ({ priority }) => `${priority}` },
    { title: "session", of: ({ session }) => printable(session ?? "") },
    { title: "requests", align: "right", of: ({ requests }) => count(requests) },
    { title: "under way", align: "right", of: ({ underWay }) => count(underWay) },
    { title: "since", align: "right", of: ({ since }) => formatDuration(Math.max(0, at - since)) },
  ];
}
