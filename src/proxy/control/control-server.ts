import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Clock } from "../../clock.js";
import { isSquadRateError } from "../../errors.js";
import { type Admission, type Admitted, PROTOCOL, PROTOCOL_HEADER, type Refused, readAdmission } from "./protocol.js";

/** A client that holds on to its admission. */
export interface Tenancy {
  readonly admitted: Admitted;
  /** The client is gone. */
  end(): Promise<void>;
}

/** What the control socket gives access to. */
export interface Controlled {
  /** Undefined when it is ending: whoever asks may start the next one. */
  admit(admission: Admission): Promise<Tenancy | undefined>;
  /** As JSON. */
  status(): object;
  /** Begins to end; resolves when nobody is served any more. */
  stop(): Promise<void>;
}

const MAX_BODY_BYTES = 65_536;
/** What is under way is answered to its end, but nobody may keep the proxy from ending. */
const CLOSE_MS = 1_000;

/**
 * Speaks HTTP to the commands of this user, on a socket that only they can open:
 * `POST /clients` admits a client for as long as its answer is read, `GET /status` tells how things are, `POST /stop` ends.
 */
export class ControlServer {
  readonly #controlled: Controlled;
  readonly #server: Server;
  /** Answers that go on. */
  readonly #leases = new Set<ServerResponse>();
  readonly #onLeases: (count: number) => void;

  readonly #clock: Clock;

  /** `onLeases` is told how many clients there are, whenever that changes. */
  constructor(controlled: Controlled, onLeases: (count: number) => void, clock: Clock) {
    this.#clock = clock;
    this.#controlled = controlled;
    this.#onLeases = onLeases;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("clientError", (_error, socket) => socket.destroy());
  }

  /** Resolves when it listens. `path` must not exist. */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(path, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
  }

  get leases(): number {
    return this.#leases.size;
  }

  /** Takes the socket away and ends all leases. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const lease of this.#leases) lease.end();
      this.#server.closeIdleConnections();
      this.#clock.timer(CLOSE_MS, () => this.#server.closeAllConnections(), { unref: true });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader(PROTOCOL_HEADER, PROTOCOL);
    response.on("error", () => {});
    try {
      switch (`${request.method} ${request.url}`) {
        case "POST /clients":
          return await this.#admit(request, response);
        case "GET /status":
          return sendJson(response, 200, this.#controlled.status());
        case "POST /stop":
          await this.#controlled.stop();
          return sendJson(response, 200, {});
        default:
          return refuse(response, 404, "The proxy knows no such request", "use the squad-rate of the same version");
      }
    } catch (error) {
      // Nothing of what was sent may come back in an answer: a token could be in it.
      if (isSquadRateError(error)) refuse(response, 400, error.message, error.remedy ?? "");
      else refuse(response, 500, `The proxy failed: ${(error as Error).message}`, "see its log");
    }
  }

  async #admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers[PROTOCOL_HEADER] !== String(PROTOCOL)) {
      return refuse(response, 409, "The proxy that runs is of another version", "end it with squad-rate proxy --stop");
    }
    const body = await readJson(request);
    if (body === undefined) return refuse(response, 400, "The request is no JSON of a sensible size", "send JSON");
    const tenancy = await this.#controlled.admit(readAdmission(body));
    if (tenancy === undefined) {
      response.destroy();
      return;
    }
    if (response.destroyed) return tenancy.end();
    this.#leases.add(response);
    this.#onLeases(this.#leases.size);
    response.once("close", () => {
      this.#leases.delete(response);
      this.#onLeases(this.#leases.size);
      void tenancy.end();
    });
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(`${JSON.stringify(tenancy.admitted)}\n`);
  }
}

/** Undefined for what is too long, broken off or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk as Buffer);
    }
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string, remedy: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refused: Refused = { message, remedy };
  sendJson(response, status, refused);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(`${JSON.stringify(body)}\n`);
}
