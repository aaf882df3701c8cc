import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SquadRateError } from "../errors.js";
import { resolveRequestOptions } from "../options.js";
import { NO_PLUGINS } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import type { Squad } from "../squad.js";
import { rootsOf } from "./addresses-for.js";
import { type BaseTarget, baseUrlsOf, newSecret, readBaseTarget, secretId } from "./base-url.js";
import { type CheckedOptions, checkClientOptions } from "./check-options.js";
import { Client } from "./client.js";
import type { Desk } from "./desk.js";
import { createHttpServer } from "./http-server.js";
import { KeptBytes } from "./kept-bytes.js";
import type { ProxyClient, ProxyClientOptions } from "./options.js";
import { failure, writeReply } from "./reply.js";
import { serve } from "./serve.js";
import { SlowClients } from "./slow-clients.js";
import type { ProxyStatus, Proxy as SquadProxy } from "./surface.js";
import { listenOnSocket } from "./unix-socket.js";
import { Upstream } from "./upstream.js";
import type { Visit } from "./visit.js";

const CLOSE_MS = 2_000;
/** `exec` comes back to a proxy within a second or two; a busy machine takes its time. */
const COME_BACK_MS = 10_000;

/** Its port, its clients and their sockets, from its beginning to its end. */
export class RunningProxy implements SquadProxy {
  readonly squad: Squad;
  readonly #options: CheckedOptions;
  readonly #closesSquad: boolean;
  readonly #desk: Desk;
  readonly #server: Server;
  readonly #servers = new Set<Server>();
  /** By the hash of each one's secret. */
  readonly #clients = new Map<string, Client>();
  #admitted = 0;
  #openedAtMono = 0;
  #port = 0;
  #requestsOfThoseWhoLeft = 0;
  #closing: Promise<void> | undefined;

  constructor(options: CheckedOptions, squad: Squad, engine: Engine, closesSquad: boolean) {
    const { github, upstream, isAlsoHost, onWarning } = options;
    this.squad = squad;
    this.#options = options;
    this.#closesSquad = closesSquad;
    const standIn = upstream.kind === "server" && upstream.isLocal ? upstream : undefined;
    this.#desk = {
      engine,
      source: {
        installation: undefined,
        inside: NO_PLUGINS,
        outside: NO_PLUGINS,
        log: { info: () => undefined, warn: onWarning },
      },
      reach: { github, standIn, isAlsoHost },
      upstream: new Upstream(upstream),
      slow: new SlowClients(engine.clock),
      kept: new KeptBytes(),
    };
    this.#server = createHttpServer((visit) => this.#atBaseUrl(visit));
  }

  get port(): number {
    return this.#port;
  }

  get #origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Opens the port; once. */
  async listen(): Promise<void> {
    const { port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ port, host: "127.0.0.1" }, resolve);
    }).catch((cause: unknown) => {
      throw new SquadRateError("SQUAD_RATE_OPTIONS", `proxy.port ${port} could not be listened on.`, {
        remedy: "Choose another port, or 0 for any free one.",
        cause,
      });
    });
    this.#servers.add(this.#server);
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#openedAtMono = this.#desk.engine.clock.monotonic();
  }

  async admit(options: ProxyClientOptions): Promise<ProxyClient> {
    const { engine } = this.#desk;
    const { squad, token, socketPath, secret = newSecret() } = checkClientOptions(options);
    const booked = resolveRequestOptions(squad, engine.requestDefaults, "client");
    if (this.#closing !== undefined) throw closedError();
    const key = secretId(secret);
    if (this.#clients.has(key)) {
      throw new SquadRateError("SQUAD_RATE_OPTIONS", "client.secret is another client's already.", {
        remedy: "Leave it out for a new one.",
      });
    }
    const urls = baseUrlsOf(this.#origin, secret, this.#options.github);
    const roots = rootsOf(this.#options, urls);
    const client = new Client({ id: `c${++this.#admitted}`, squad, booked, token, roots }, engine.clock.now());
    this.#clients.set(key, client);
    if (socketPath !== undefined) {
      const server = createHttpServer((visit) => this.#serve(client, visit, undefined));
      client.server = server;
      try {
        await listenOnSocket(server, socketPath);
      } catch (error) {
        this.#clients.delete(key);
        throw error;
      }
      this.#servers.add(server);
      // What has ended meanwhile does not know of it.
      if (this.#closing !== undefined) {
        await this.#dismiss(key, client);
        throw closedError();
      }
    }
    return {
      id: client.id,
      secret,
      socketPath,
      ...urls,
      close: () => this.#dismiss(key, client),
    };
  }

  status(): ProxyStatus {
    const clients = [...this.#clients.values()].map((client) => client.status());
    return {
      url: this.#origin,
      host: this.#options.github.host,
      upstream: this.#options.upstreamShown,
      clients,
      squad: this.squad.status(),
      requests: clients.reduce((sum, { requests }) => sum + requests, this.#requestsOfThoseWhoLeft),
      underWay: clients.reduce((sum, { underWay }) => sum + underWay, 0),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #atBaseUrl(visit: Visit): void {
    const base = readBaseTarget(visit.incoming.url ?? "");
    const client = base && this.#clients.get(secretId(base.secret));
    if (client !== undefined) this.#serve(client, visit, base);
    else writeReply(visit.response, base !== undefined && this.#isComingBack() ? NOT_YET : NOBODY);
  }

  /** Its port was asked for, as that of a proxy which died: whose addresses led there will be admitted in a moment. */
  #isComingBack(): boolean {
    return this.#options.port !== 0 && this.#desk.engine.clock.monotonic() - this.#openedAtMono < COME_BACK_MS;
  }

  #serve(client: Client, visit: Visit, base: BaseTarget | undefined): void {
    if (this.#closing !== undefined) visit.response.shouldKeepAlive = false;
    serve(this.#desk, client, visit, base).catch(() => visit.cut());
  }

  async #dismiss(key: string, client: Client): Promise<void> {
    if (!this.#clients.delete(key)) return;
    this.#requestsOfThoseWhoLeft += client.requests;
    for (const visit of client.underWay) visit.cut();
    const { server } = client;
    if (server !== undefined) {
      this.#servers.delete(server);
      await closed(server, true);
    }
    // Whoever ran the command may look at its trace next.
    this.#desk.engine.trace.flush();
  }

  async #close(): Promise<void> {
    const { engine, upstream } = this.#desk;
    const ended = [...this.#servers].map((server) => closed(server, false));
    const cancel = engine.clock.timer(CLOSE_MS, () => {
      for (const server of this.#servers) server.closeAllConnections();
    });
    for (const client of this.#clients.values()) {
      for (const visit of client.underWay) visit.onEnd(() => this.#closeIdle());
    }
    await Promise.all(ended);
    cancel();
    upstream.close();
    if (this.#closesSquad) await this.squad.close();
  }

  #closeIdle(): void {
    // In a moment, when the connection has become idle.
    setImmediate(() => {
      for (const server of this.#servers) server.closeIdleConnections();
    });
  }
}

const NOT_YET = failure(503, "This squad-rate proxy has just begun; whose address this is will be known in a moment.", {
  "retry-after": "1",
});
const NOBODY = failure(
  401,
  "This is a squad-rate proxy for GitHub. It serves programs that were started by `squad-rate exec`, at the address that each was given.",
);

function closedError(): SquadRateError {
  return new SquadRateError("SQUAD_RATE_CLOSED", "This proxy is closed.");
}

function closed(server: Server, atOnce: boolean): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if (atOnce) server.closeAllConnections();
  });
}
