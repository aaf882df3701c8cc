import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ControlApi } from "./control-api.js";
import type { Engine } from "./engine.js";
import type { Listening, ListenOptions } from "./listening.js";
import type { GitHubHost, Origins, WireReply } from "./wire.js";

/**
 * Serves the engine over HTTP/1.1 with keep-alive. On ports, downloads have one of their own, which makes them another
 * origin. A Unix socket stands for all of GitHub: clients that send everything through one, as gh does, say in `Host` whom
 * they mean.
 */
export async function listen(
  engine: Engine,
  control: ControlApi,
  inProcess: Origins,
  options: ListenOptions,
): Promise<Listening> {
  const http = await import("node:http");
  const { gzipSync } = await import("node:zlib");
  const host = options.host ?? "127.0.0.1";
  let origins = inProcess;

  const serve =
    (playing: (host: string | undefined) => GitHubHost) => (incoming: IncomingMessage, response: ServerResponse) => {
      void handle(incoming, response, playing(incoming.headers.host)).catch((error: unknown) =>
        response.destroy(error as Error),
      );
    };
  const handle = async (incoming: IncomingMessage, response: ServerResponse, playing: GitHubHost): Promise<void> => {
    const body = await readBody(incoming);
    const url = new URL(incoming.url ?? "/", new URL(origins.api).origin);
    if (options.control === true && url.pathname.startsWith("/__sim/")) {
      const answer = control(incoming.method ?? "GET", url, body);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.value));
      return;
    }
    const headers = headersOf(incoming);
    if (!headers.has("user-agent")) {
      response.writeHead(403, { "content-type": "text/html" }).end(NO_USER_AGENT);
      return;
    }
    const method = incoming.method ?? "GET";
    const address = incoming.socket.remoteAddress ?? "127.0.0.1";
    send(
      response,
      method,
      await engine.answer({ method, url, headers, body, address, origins, host: playing }),
      gzipSync,
    );
  };

  if (options.socketPath !== undefined) {
    const all = http.createServer({ keepAlive: true }, serve(hostsOf(origins)));
    const sockets = trackSockets(all);
    await started(all, { path: options.socketPath });
    return { url: origins.api, close: () => stopped([all], sockets) };
  }
  const main = http.createServer(
    { keepAlive: true },
    serve(() => "api"),
  );
  const sockets = trackSockets(main);
  const downloads = http.createServer(
    { keepAlive: true },
    serve(() => "codeload"),
  );
  const moreSockets = trackSockets(downloads);
  await started(main, { port: options.port ?? 0, host });
  await started(downloads, { port: 0, host });
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${portOf(main)}`;
  const api = engine.options.ghes ? `${origin}/api/v3` : origin;
  const codeload = `http://${host.includes(":") ? `[${host}]` : host}:${portOf(downloads)}`;
  origins = { api, html: origin, uploads: `${origin}/-uploads`, codeload, raw: `${origin}/-raw` };
  return {
    url: api,
    close: () => stopped([main, downloads], new Set([...sockets, ...moreSockets])),
  };
}

const NO_USER_AGENT =
  "\r\nRequest forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). Check https://developer.github.com for other possible causes.\r\n";

/** Which of GitHub's hosts a `Host` header means; the API where it means none. */
function hostsOf(origins: Origins): (host: string | undefined) => GitHubHost {
  // The API comes last: where several share a host, as on Enterprise Server, paths tell them apart.
  const known = new Map<string, GitHubHost>(
    (["codeload", "raw", "uploads", "api"] as const).map((name) => [new URL(origins[name]).hostname, name]),
  );
  return (host = "") => known.get(host.toLowerCase().replace(/:\d+$/, "")) ?? "api";
}

function send(
  response: ServerResponse,
  method: string,
  reply: WireReply,
  gzip: (bytes: string | Uint8Array) => Buffer,
): void {
  if (reply.breakage === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const plain = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
  const body = plain === undefined || !reply.gzip ? plain : gzip(plain);
  const headers = reply.headers.flatMap(([name, value]) => [name, value] as const);
  const bodiless = method === "HEAD" || reply.status === 204 || reply.status === 304;
  if (!bodiless) headers.push("content-length", String(body?.byteLength ?? 0));
  response.sendDate = false;
  try {
    response.writeHead(reply.status, headers);
  } catch {
    // Nonsense that even node refuses to send ends the connection, as a broken proxy would.
    response.socket?.destroy();
    return;
  }
  if (reply.breakage === "truncate" && body !== undefined) {
    response.write(body.subarray(0, Math.floor(body.byteLength / 2)), () => response.socket?.destroy());
    return;
  }
  response.end(bodiless ? undefined : body);
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : Buffer.concat(chunks);
}

/** Raw values, as they go into the ETag. */
function headersOf(incoming: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return headers;
}

function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

function started(
  server: Server,
  where: { readonly port?: number; readonly host?: string; readonly path?: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function stopped(servers: readonly Server[], sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
