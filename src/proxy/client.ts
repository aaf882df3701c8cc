import type { Server } from "node:http";
import type { ResolvedRequestOptions } from "../options.js";
import type { ClientRoots } from "./addresses-for.js";
import type { ProxyClientStatus } from "./options.js";
import type { Visit } from "./visit.js";

/** One client of a proxy, and what it has under way. */
export class Client {
  readonly id: string;
  /** The `squad` options of its calls. */
  readonly squad: object;
  /** The same with the squad's defaults. */
  readonly booked: ResolvedRequestOptions;
  /** In place of a token of its own. */
  readonly token: string | undefined;
  readonly roots: ClientRoots;
  /** Of its Unix socket. */
  server: Server | undefined;
  requests = 0;
  readonly underWay: Set<Visit> = new Set();
  readonly #since: number;

  constructor(its: Pick<Client, "id" | "squad" | "booked" | "token" | "roots">, since: number) {
    this.id = its.id;
    this.squad = its.squad;
    this.booked = its.booked;
    this.token = its.token;
    this.roots = its.roots;
    this.#since = since;
  }

  /** A request of its has come. */
  begin(visit: Visit): void {
    this.requests++;
    this.underWay.add(visit);
    visit.onEnd(() => this.underWay.delete(visit));
  }

  status(): ProxyClientStatus {
    const { agent, priority, session } = this.booked;
    const { id, requests, underWay } = this;
    return { id, agent, priority, session, requests, underWay: underWay.size, since: this.#since };
  }
}
