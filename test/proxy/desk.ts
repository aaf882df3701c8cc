import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createProxy, type ProxyOptions, type Proxy as SquadProxy } from "../../src/proxy/index.js";
import { createSimulatedGitHub, type SimulatedGitHub, type SimulatedGitHubOptions } from "../../src/sim/index.js";

/** A folder that only this user can enter, for the time of a test. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "proxy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A proxy for the time of a test. */
export async function aProxy(options: ProxyOptions): Promise<SquadProxy> {
  const proxy = await createProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A simulated GitHub that plays all of its hosts, with mona's repository on it, and its address as an upstream. */
export async function aGitHub(
  options: SimulatedGitHubOptions = {},
): Promise<{ readonly github: SimulatedGitHub; readonly upstream: string; readonly folder: string }> {
  const github = createSimulatedGitHub(options);
  const { world } = github;
  world.addUser({ login: "mona", name: "Mona" });
  world.addToken("ghp_mona", "mona");
  world.addRepository({ owner: "mona", name: "hello" });
  const folder = await ownFolder();
  const socketPath = join(folder, "github.sock");
  const server = await github.listen({ socketPath });
  onTestFinished(() => server.close());
  return { github, upstream: `http+unix://${socketPath}`, folder };
}

/** An answer, as it came. */
export interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** What {@link ask} takes. */
export interface Request {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  readonly agent?: http.Agent;
}

/** One request by a Unix socket, or to an address. */
export function ask(
  where: { readonly socketPath: string; readonly path: string } | string,
  { method = "GET", headers = {}, body, agent }: Request = {},
): Promise<Received> {
  const url = typeof where === "string" ? new URL(where) : undefined;
  const to =
    url === undefined ? (where as object) : { host: url.hostname, port: url.port, path: url.pathname + url.search };
  return new Promise((resolve, reject) => {
    const request = http.request({
      ...to,
      method,
      headers: { "user-agent": "test", ...headers },
      agent: agent ?? false,
    });
    request.on("error", reject);
    request.on("response", async (message) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of message) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, statusMessage: statusText = "" } = message;
        resolve({ status, statusText, headers: message.headers, bytes, text: bytes.toString() });
      } catch (error) {
        reject(error);
      }
    });
    request.end(body);
  });
}

/** A server of the test's own in GitHub's place, on a port; `url` is what a proxy takes as its upstream. */
export async function anUpstream(
  handle: (incoming: http.IncomingMessage, response: http.ServerResponse) => void,
): Promise<{ readonly url: string; readonly server: http.Server }> {
  const server = http.createServer({ keepAlive: true }, handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** A server that does not know HTTP: as soon as something has come by a connection, `answer` says what is done with it. */
export async function aRawUpstream(
  answer: (socket: Socket) => void,
): Promise<{ readonly url: string; readonly connections: ReadonlySet<Socket> }> {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => connections.delete(socket));
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}

/** A connection on which the test writes what it likes. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that has come so far, a character a byte. */
  readonly received: string;
  write(text: string): void;
  /** Resolves as soon as `text` has come. */
  until(text: string): Promise<string>;
  /** Resolves when the other end has closed it, with all that had come. */
  readonly closed: Promise<string>;
}

export async function rawConnection(
  where: { readonly path: string } | { readonly port: number },
): Promise<RawConnection> {
  const socket = connect("port" in where ? { port: where.port, host: "127.0.0.1" } : where);
  onTestFinished(() => void socket.destroy());
  let received = "";
  const lookers = new Set<() => void>();
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
    for (const look of lookers) look();
  });
  // A reset is an end like any other here.
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(received)));
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return {
    socket,
    get received() {
      return received;
    },
    write: (text) => void socket.write(text, "latin1"),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!received.includes(text)) return;
          lookers.delete(look);
          resolve(received);
        };
        lookers.add(look);
        void closed.then((all) =>
          reject(new Error(`Closed before ${JSON.stringify(text)} came: ${JSON.stringify(all)}`)),
        );
        look();
      }),
    closed,
  };
}
