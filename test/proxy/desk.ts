import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
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
  world.addRepository({ owner: "mona", repo: "hello", name: "hello" });
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
