import type { ProxyStatus } from "../../proxy/index.js";

/** What `GET /status` answers. */
export interface ControlStatus {
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Held by commands. */
  readonly clients: number;
  readonly proxy: ProxyStatus;
}

/** A few lines for people; `now` is epoch milliseconds. */
export function statusText({ pid, version, startedAt, proxy }: ControlStatus, now: number): string {
  const upstream = proxy.upstream === undefined ? "" : ` at ${proxy.upstream}`;
  const { store } = proxy.squad;
  const lines = [
    `Proxy ${pid} for ${proxy.host}${upstream}, version ${version}, since ${minutes(now - startedAt)}`,
    `${counted(proxy.requests, "request")}, ${proxy.underWay} under way, ${counted(proxy.clients.length, "client")}`,
    ...(store?.state === "lost" ? [`It goes on without its store: ${store.why ?? ""}`] : []),
    ...proxy.clients.map(({ agent, priority, session, requests, underWay, since }) => {
      const forWhat = session === undefined ? "" : ` for ${session}`;
      return `  ${agent} (P${priority})${forWhat}: ${counted(requests, "request")}, ${underWay} under way, since ${minutes(now - since)}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function minutes(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  return ms < 6_000_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
