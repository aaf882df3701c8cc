import { chmodSync } from "node:fs";
import type { CancelTimer, Clock } from "../../clock.js";
import { FileLocks } from "../../store/file/file-lock.js";
import { removeSync } from "../../store/file/whole-file.js";
import { VERSION } from "../../version.js";
import type { ProxyClient, ProxyClientOptions } from "../options.js";
import { type Controlled, ControlServer } from "./control-server.js";
import { isServed } from "./is-served.js";
import { writeProcessFile } from "./process-file.js";
import { PROTOCOL } from "./protocol.js";
import type { ProxyFolder } from "./proxy-folder.js";
import { sweepFolder } from "./sweep.js";
import { takeLock } from "./take-lock.js";
import { Tenancies } from "./tenancies.js";

/** What is needed of a proxy to serve a folder with it. */
export interface ServableProxy {
  readonly port: number;
  admit(client: ProxyClientOptions): Promise<ProxyClient>;
  status(): object;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly folder: ProxyFolder;
  /** Made only once it is known that nobody else serves the folder. */
  makeProxy(): Promise<ServableProxy>;
  /** Ends after so long without a client; undefined: never. */
  readonly idleMs: number | undefined;
  readonly clock: Clock;
}

/** A proxy that serves a folder. */
export interface Serving {
  readonly proxy: ServableProxy;
  /** Resolves when it has ended, by whatever. */
  readonly ended: Promise<void>;
  /** Gives back what the proxy holds, and leaves the folder to whoever comes next. */
  close(): Promise<void>;
}

/** A proxy gets ready within a second, unless the machine is very busy. */
const TAKE_OVER_MS = 20_000;

/** Serves `folder`; undefined when somebody else does. Two never do: a socket is replaced only under a lock. */
export async function serveFolder({ folder, makeProxy, idleMs, clock }: ServeOptions): Promise<Serving | undefined> {
  const locks = new FileLocks(folder.path, clock);
  try {
    const lock = await takeLock(locks, folder.serveLock, TAKE_OVER_MS, clock);
    if (lock === undefined) return undefined;
    try {
      if (await isServed(folder.controlSocket)) return undefined;
      sweepFolder(folder);
      const proxy = await makeProxy();
      try {
        // Somebody may have thought us dead while we stood still.
        if (!lock.isMine() || (await isServed(folder.controlSocket))) {
          await proxy.close();
          return undefined;
        }
        return await open(folder, proxy, idleMs, clock);
      } catch (error) {
        await proxy.close();
        throw error;
      }
    } finally {
      lock.release();
    }
  } finally {
    locks.close();
  }
}

async function open(
  folder: ProxyFolder,
  proxy: ServableProxy,
  idleMs: number | undefined,
  clock: Clock,
): Promise<Serving> {
  const startedAt = clock.now();
  const serving = { pid: process.pid, port: proxy.port, version: VERSION, protocol: PROTOCOL, startedAt };
  const tenancies = new Tenancies(folder.clients, (client) => proxy.admit(client));
  let proxyClosed: Promise<void> | undefined;
  // First the proxy, so that its port is free for the next one; the socket goes last.
  const closeProxy = (): Promise<void> => {
    proxyClosed ??= proxy.close();
    return proxyClosed;
  };
  const controlled: Controlled = {
    admit: (admission) => (proxyClosed === undefined ? tenancies.admit(admission) : Promise.resolve(undefined)),
    status: () => ({ ...serving, clients: server.leases, proxy: proxy.status() }),
    stop: async () => {
      await closeProxy();
      void close();
    },
  };

  let cancelIdle: CancelTimer = () => {};
  const watchIdle = (leases: number): void => {
    cancelIdle();
    if (leases === 0 && idleMs !== undefined) cancelIdle = clock.timer(idleMs, () => void close());
  };
  const server = new ControlServer(controlled, watchIdle, clock);

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      cancelIdle();
      cancelIdle = () => {};
      await closeProxy().catch(() => {});
      await server.close();
      end();
    })();
    return closed;
  };
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });

  removeSync(folder.controlSocket);
  await server.listen(folder.controlSocket);
  chmodSync(folder.controlSocket, 0o600);
  writeProcessFile(folder.processFile, serving);
  watchIdle(0);
  return { proxy, ended, close };
}
