import type { SquadStatus } from "../pipeline/status.js";
import type { Squad } from "../squad.js";
import type { ProxyClient, ProxyClientOptions, ProxyClientStatus } from "./options.js";

/** What a proxy knows and has done, as plain JSON. */
export interface ProxyStatus {
  /** Where it listens, without anybody's secret. */
  readonly url: string;
  /** Which GitHub it speaks to. */
  readonly host: string;
  /** The server that stands in for it; undefined for GitHub itself. */
  readonly upstream: string | undefined;
  readonly clients: readonly ProxyClientStatus[];
  readonly squad: SquadStatus;
  /** Since it began, of every client, those that have left included. */
  readonly requests: number;
  readonly underWay: number;
}

/** A reverse proxy for GitHub's API, with the rules of one squad. */
export interface Proxy {
  /** The port on 127.0.0.1 that base URLs name. */
  readonly port: number;
  readonly squad: Squad;
  /**
   * Lets a client in: it gets a base URL of its own and, if it names one, a Unix socket.
   *
   * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a wrong or unknown option, a secret that somebody has, or a socket's
   * path that cannot be used; `SQUAD_RATE_CLOSED` after `close()`.
   */
  admit(client: ProxyClientOptions): Promise<ProxyClient>;
  status(): ProxyStatus;
  /**
   * Takes no more requests, gives those under way two seconds and cuts the rest; closes the squad if it was made here.
   * Called again it returns the same promise.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
