import * as http from "node:http";
import * as https from "node:https";
import { onAbort } from "../call/on-abort.js";
import { type Destination, destinationOf, type UpstreamAddress } from "./destination.js";
import type { HostRole } from "./known-github.js";
import { SecureAgents } from "./secure-agents.js";

/** A request's body: none, all of it, or what is still to come. */
export type OutgoingBody =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | {
      readonly kind: "stream";
      readonly begun: readonly Uint8Array[];
      readonly source: http.IncomingMessage;
      readonly length: string | undefined;
      /** To be called before it is read. */
      readonly begin: () => void;
    };

/** One request on its way to GitHub. */
export interface Outgoing {
  readonly method: string;
  readonly destination: Destination;
  readonly path: string;
  /** Name after value; without those that tell the body's length. */
  readonly headers: readonly string[];
  readonly body: OutgoingBody;
  readonly signal: AbortSignal | undefined;
}

const MAX_SOCKETS = 256;
/** Of an answer, whose links may be as long as what was asked for. */
const MAX_HEADER_BYTES = 65_536;
/** Shorter than servers keep a connection that nobody uses, so that few requests meet one that is being closed. */
const IDLE_MS = 30_000;

/** The connections to GitHub. */
export class Upstream {
  readonly #address: UpstreamAddress;
  readonly #plain = new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS });
  readonly #secure = new SecureAgents({ keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS });
  readonly #destinations = new Map<string, Destination>();

  constructor(address: UpstreamAddress) {
    this.#address = address;
  }

  destination(host: string, role: HostRole | "also"): Destination {
    const key = `${role} ${host}`;
    let destination = this.#destinations.get(key);
    if (destination === undefined) {
      destination = destinationOf(host, role, this.#address);
      // Further hosts may be of any number, by a pattern.
      if (role !== "also") this.#destinations.set(key, destination);
    }
    return destination;
  }

  /** Sends it and waits for the head of the answer. A redirect is an answer like any other. */
  async send(outgoing: Outgoing): Promise<http.IncomingMessage> {
    const lost: LostConnection = { wasUsed: false };
    try {
      return await this.#send(outgoing, lost);
    } catch (error) {
      if (!lost.wasUsed || !canBeRepeated(outgoing) || outgoing.signal?.aborted === true) throw error;
      // The server was about to close a connection that nobody used, and has read nothing (RFC 9112 §9.3.1).
      return await this.#send(outgoing, { wasUsed: false });
    }
  }

  #send(
    { method, destination, path, headers, body, signal }: Outgoing,
    lost: LostConnection,
  ): Promise<http.IncomingMessage> {
    const options: http.RequestOptions = {
      ...destination.connection,
      method,
      path: destination.basePath + path,
      headers: [...headers, ...lengthOf(method, body)],
      agent: destination.secure ? this.#secure.for(destination.connection.host ?? destination.host) : this.#plain,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
    };
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const request = destination.secure ? https.request(options) : http.request(options);
      const forget = signal && onAbort(signal, () => request.destroy(signal.reason));
      request.on("response", (answer) => {
        answer.once("end", () => endUnsent(request));
        resolve(answer);
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        lost.wasUsed = request.reusedSocket && error.code === "ECONNRESET";
        reject(error);
      });
      request.on("timeout", () => {
        if (request.socket?.connecting === true) request.destroy(connectTimeout(destination.host));
      });
      request.on("close", () => {
        forget?.();
        reject(new Error("The connection was closed without an answer."));
      });
      if (body.kind === "stream") pipeBody(body, request);
      else request.end(body.kind === "bytes" ? body.bytes : undefined);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

/** Whether a request failed because its connection, kept from an earlier one, had been closed. */
interface LostConnection {
  wasUsed: boolean;
}

function canBeRepeated({ method, body }: Outgoing): boolean {
  return (method === "GET" || method === "HEAD") && body.kind !== "stream";
}

/** How long the body is, as HTTP/1.1 wants it told. */
function lengthOf(method: string, body: OutgoingBody): string[] {
  if (body.kind === "bytes") return ["Content-Length", String(body.bytes.byteLength)];
  if (body.kind === "stream")
    return body.length === undefined ? ["Transfer-Encoding", "chunked"] : ["Content-Length", body.length];
  return method === "POST" || method === "PUT" || method === "PATCH" ? ["Content-Length", "0"] : [];
}

/**
 * Ends a request that was answered to the end before all of it was sent. Node no longer tells when its connection takes more,
 * nor that it has failed: the rest would wait for ever, or end the process.
 */
function endUnsent(request: http.ClientRequest): void {
  if (!request.writableFinished) request.destroy();
}

/** The client's connection outlives a request that fails, for it to be told. */
function pipeBody({ begun, source, begin }: OutgoingBody & { kind: "stream" }, request: http.ClientRequest): void {
  // The server may turn it down by its head alone.
  request.flushHeaders();
  begin();
  for (const chunk of begun) request.write(chunk);
  source.pipe(request);
  // What is left of a body that nobody wants is taken all the same: the client's next request lies behind it.
  request.once("close", () => source.unpipe(request).resume());
  source.once("close", () => {
    if (!source.complete) request.destroy(new Error("The client left before its request was complete."));
  });
}

function connectTimeout(host: string): Error {
  return Object.assign(new Error(`No connection to ${host} was made in ${IDLE_MS / 1_000} s.`), {
    code: "ETIMEDOUT",
    syscall: "connect",
  });
}
