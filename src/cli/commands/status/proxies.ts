import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../clock.js";
import type { StoreStatus, WindowStatus } from "../../../pipeline/status.js";
import { askForStatus } from "../../../proxy/control/control-client.js";
import { readProcessFile } from "../../../proxy/control/process-file.js";
import { proxyFolderAt } from "../../../proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../../proxy/control/runtime-root.js";
import type { ProxyClientStatus } from "../../../proxy/options.js";
import type { CommandContext } from "../../context.js";
import type { ControlStatus } from "../../exec/status-text.js";

/** A proxy of this user that runs. */
export interface ProxyView {
  readonly kind: "running";
  readonly folder: string;
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  readonly startedAt: number;
  /** Which GitHub it speaks to. */
  readonly host: string;
  readonly upstream: string | undefined;
  readonly requests: number;
  readonly underWay: number;
  readonly clients: readonly ProxyClientStatus[];
  /** What it knows of each resource of each principal. `resetAt` is GitHub's time. */
  readonly windows: readonly ProxyWindow[];
  /** What it shares quota through, and why it cannot if that is so. */
  readonly store: Pick<StoreStatus, "uri" | "state" | "why"> | undefined;
  /** Per host: GitHub's clock minus this machine's. */
  readonly clockOffsetMs: Readonly<Record<string, number>>;
}

/** One resource's window, as a proxy's squad knows it. */
export interface ProxyWindow extends Pick<WindowStatus, "limit" | "used" | "remaining" | "resetAt" | "light"> {
  readonly resource: string;
  readonly principal: string;
}

/** A folder of which somebody says that he serves it, and nobody answers as a proxy of this version does. */
export interface DeadProxyView {
  readonly kind: "gone" | "silent" | "refused";
  readonly folder: string;
  readonly pid: number | undefined;
  readonly why: string | undefined;
}

/** Where proxies of this user have their folders, and who answers there. */
export interface ProxiesSeen {
  /** Undefined where there are none to be had. */
  readonly root: string | undefined;
  readonly running: readonly ProxyView[];
  readonly others: readonly DeadProxyView[];
}

/** Asks all proxies of this user how they are. Never rejects, and changes nothing. */
export async function seeProxies(env: CommandContext["env"], clock: Clock): Promise<ProxiesSeen> {
  const root = rootOf(env);
  if (root === undefined) return { root, running: [], others: [] };
  const seen = await Promise.all(foldersIn(root).map((folder) => see(folder, clock)));
  const views = seen.filter((one) => one !== undefined);
  return {
    root,
    running: views.filter((one) => one.kind === "running").sort((a, b) => a.startedAt - b.startedAt),
    others: views.filter((one) => one.kind !== "running"),
  };
}

async function see(path: string, clock: Clock): Promise<ProxyView | DeadProxyView | undefined> {
  const { controlSocket, processFile } = proxyFolderAt(path);
  const serving = readProcessFile(processFile);
  const gone = { folder: path, pid: serving?.pid, why: undefined };
  try {
    const answer = await askForStatus(controlSocket, clock);
    if (answer.kind === "done") return viewOf(path, answer.value as ControlStatus);
    if (answer.kind === "nobody") return serving && { ...gone, kind: "gone" };
    return answer.kind === "silent" ? { ...gone, kind: "silent" } : { ...gone, kind: "refused", why: answer.message };
  } catch {
    return { ...gone, kind: "refused", why: "it answers as no proxy of this version does" };
  }
}

function viewOf(folder: string, { pid, port, version, startedAt, proxy }: ControlStatus): ProxyView {
  const { host, upstream, requests, underWay, clients, squad } = proxy;
  const { clockOffsetMs, principals, store } = squad;
  const windows = principals.flatMap(({ id, windows: own }) =>
    Object.entries(own).map(([resource, { limit, used, remaining, resetAt, light }]) => ({
      resource,
      principal: id,
      limit,
      used,
      remaining,
      resetAt,
      light,
    })),
  );
  return {
    kind: "running",
    folder,
    pid,
    port,
    version,
    startedAt,
    host,
    upstream,
    requests,
    underWay,
    clients,
    windows,
    store: store && { uri: store.uri, state: store.state, why: store.why },
    clockOffsetMs,
  };
}

function rootOf(env: CommandContext["env"]): string | undefined {
  try {
    return runtimeRoot(env).path;
  } catch {
    return undefined;
  }
}

function foldersIn(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(root, name));
  } catch {
    return [];
  }
}
