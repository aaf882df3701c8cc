import type { Server, ServerResponse } from "node:http";
import type { ResolvedRequestOptions } from "../options.js";
import type { ProxyClientStatus } from "./options.js";

/** One client of a proxy, and what it has under way. */
export class Client {
  readonly id: string;
  /** The `squad` options of its calls. */
  readonly squad: object;
  /** The same with the squad's defaults. */
  readonly booked: ResolvedRequestOptions;
  /** In place of a token of its own. */
  readonly token: string | undefined;
  /** Of its Unix socket. */
  server: Server | undefined;
  requests = 0;
  readonly underWay: Set<ServerResponse> = new Set();
  readonly #since: number;

  constructor(id: string, squad: object, booked: ResolvedRequestOptions, token: string | undefined, since: number) {
    this.id = id;
    this.squad = squad;
    this.booked = booked;
    this.token = token;
    this.#since = since;
  }

  /** A request of its has come; it is under way until its answer has ended or it has left. */
  begin(response: ServerResponse): void {
    this.requests++;
    this.underWay.add(response);
    response.once("close", () => this.underWay.delete(response));
  }

  status(): ProxyClientStatus {
    const { agent, priority, session } = this.booked;
    const { id, requests, underWay } = this;
    return { id, agent, priority, session, requests, underWay: underWay.size, since: this.#since };
  }
}
