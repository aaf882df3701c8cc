import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** Longer than clients keep a connection for their next request. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 30_000;
const MAX_HEADER_BYTES = 32_768;

/** A server whose own answers to what is no request are errors in JSON, to that connection alone. */
export function createHttpServer(handle: (incoming: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    // An upload takes as long as it takes.
    requestTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    // Answers say so themselves; HTTP/1.0 has no such header.
    requireHostHeader: false,
  });
  server.on("request", handle);
  server.on("connect", (_incoming, socket: Socket) => end(socket, 405, "This proxy opens no tunnels."));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else if (error.code === "HPE_HEADER_OVERFLOW") end(socket, 431, "The request's headers are too long.");
    else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") end(socket, 408, "The request's headers did not come in time.");
    else end(socket, 400, "This is no HTTP request that can be understood in one way.");
  });
  return server;
}

/** Nothing that follows on this connection can be trusted to begin where it seems to. */
function end(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
