import { createServer, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Visit } from "./visit.js";

/** Longer than clients keep a connection for their next request. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 30_000;
const MAX_HEADER_BYTES = 32_768;
/** A connection that asks for more before it is answered is cut: hardly anybody needs to, and each may hold a kept answer. */
const MAX_PIPELINED = 32;

/** A server of HTTP/1.1, which tells whoever sends no request what is wrong, and nobody else. */
export function createHttpServer(serve: (visit: Visit) => void): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    // A body takes as long as it takes.
    requestTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    // Whether there is one is looked at with the target, and answered in JSON.
    requireHostHeader: false,
  });
  // How many headers there may be is a matter of their size: of more than 2,000 Node would leave the last ones out.
  server.maxHeadersCount = 0;
  // Of a connection that could not be accepted, as where files run out: the others go on, and its client tries again.
  server.on("error", () => undefined);
  const connections = new WeakMap<Socket, Set<Visit>>();
  server.on("connection", (socket: Socket) => {
    const visits = new Set<Visit>();
    connections.set(socket, visits);
    // An answer that waits for earlier ones on its connection does not notice that the client has left.
    socket.once("close", () => {
      for (const visit of visits) visit.end();
    });
  });
  const hasVisits = (socket: Socket): boolean => (connections.get(socket)?.size ?? 0) > 0;
  const begin = (visit: Visit): void => {
    const { incoming, response } = visit;
    const visits = connections.get(incoming.socket);
    if (visits === undefined || visits.size >= MAX_PIPELINED) {
      visit.cut();
      return;
    }
    visits.add(visit);
    visit.onEnd(() => visits.delete(visit));
    response.once("close", () => visit.end());
    serve(visit);
  };
  server.on("request", (incoming, response) => begin(new Visit(incoming, response)));
  // The client is told to go on when its body is read.
  server.on("checkContinue", (incoming, response) => begin(new Visit(incoming, response)));
  server.on("connect", (_incoming, socket: Socket) => {
    // Node has let go of it: without a listener a client that resets it would end the process.
    socket.on("error", () => undefined);
    if (hasVisits(socket)) socket.destroy();
    else end(socket, 405, "This proxy opens no tunnels.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const [visit, ...more] = connections.get(socket) ?? [];
    const isItsBody = visit !== undefined && !visit.incoming.complete && !visit.response.headersSent;
    // Otherwise the answer would be taken for that to another request.
    const mayTell = visit === undefined || (isItsBody && more.length === 0);
    if (!socket.writable || error.code === "ECONNRESET" || !mayTell) socket.destroy();
    else end(socket, ...whatIsWrong(error.code));
  });
  return server;
}

function whatIsWrong(code: string | undefined): [number, string] {
  if (code === "HPE_HEADER_OVERFLOW") return [431, "The request's headers are too long."];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request's headers did not come in time."];
  return [400, "This is no HTTP request that can be understood in one way."];
}

/** Nothing that follows on this connection can be trusted to begin where it seems to. */
function end(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ message });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy());
}
