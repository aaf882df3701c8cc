import type { RequestOptions } from "node:http";
import type { HostRole } from "./known-github.js";

/** Where requests go in GitHub's place. */
export type UpstreamAddress =
  | { readonly kind: "github" }
  /** A server that stands in for the API, by TLS unless it is on this machine. */
  | {
      readonly kind: "server";
      readonly secure: boolean;
      readonly hostname: string;
      readonly port: number;
      /** Its name in a Host header. */
      readonly host: string;
      readonly basePath: string;
      /** On this machine it plays all of GitHub, and reads in Host which part. */
      readonly isLocal: boolean;
    }
  | { readonly kind: "unix"; readonly socketPath: string };

/** Which server a request goes to, and what it is called there. */
export interface Destination {
  readonly connection: RequestOptions;
  readonly secure: boolean;
  readonly host: string;
  readonly basePath: string;
}

/** Where a request for one of GitHub's hosts, or a further one, goes. */
export function destinationOf(host: string, role: HostRole | "also", address: UpstreamAddress): Destination {
  const name = host.replace(/:\d+$/, "");
  const secure = !isLoopback(name);
  const itself: Destination = {
    connection: { host: name, port: portIn(host) ?? (secure ? 443 : 80) },
    secure,
    host,
    basePath: "",
  };
  if (address.kind === "github" || role === "also") return itself;
  if (address.kind === "unix")
    return { connection: { socketPath: address.socketPath }, secure: false, host, basePath: "" };
  const { hostname, port, isLocal, basePath } = address;
  if (!isLocal && role !== "api" && role !== "site") return itself;
  return {
    connection: { host: hostname, port },
    secure: address.secure,
    host: isLocal ? host : address.host,
    basePath,
  };
}

/** Whether a host is this machine by its name alone. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function portIn(host: string): number | undefined {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? undefined : Number(port);
}
