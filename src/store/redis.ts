import { boundCalls, type CallLimits } from "./bounded-calls.js";
import { makeKeyv, type OwnAdapter } from "./make-keyv.js";
import type { Opened } from "./opened.js";
import { importPeer } from "./optional-peer.js";

/** A host that drops packets is given up after this long. */
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * A Keyv on Redis or Valkey.
 *
 * A dead server must neither hold calls up nor the process open, so nothing goes on in the background: no queue of
 * commands for later (they would be replayed long after their callers gave up), no reconnecting by timer (its timers keep
 * a process alive). The next call connects, all calls of that moment sharing the one attempt.
 * https://github.com/redis/node-redis/blob/master/docs/client-configuration.md
 */
export async function openRedis(url: string, limits: CallLimits): Promise<Opened> {
  const { default: KeyvRedis, createClient } = await importPeer("@keyv/redis", () => import("@keyv/redis"));
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
  });
  // Without a listener an error event ends the process; the call that it concerns fails by itself.
  client.on("error", () => {});
  client.unref();

  const adapter = new KeyvRedis(client, { throwOnErrors: true });
  let connecting: Promise<unknown> | undefined;
  // The adapter's own would answer with a client that is still connecting, and add listeners at each connect.
  adapter.getClient = async () => {
    if (!client.isReady) {
      if (connecting === undefined) {
        if (client.isOpen) client.destroy();
        connecting = client.connect().finally(() => {
          connecting = undefined;
        });
      }
      await connecting;
    }
    return client;
  };
  const breakOff = (): void => {
    if (client.isOpen) client.destroy();
  };
  boundCalls(adapter, { ...limits, breakOff });
  return {
    keyv: await makeKeyv(adapter as unknown as OwnAdapter),
    close: async () => {
      if (client.isOpen) await client.close();
    },
    breakOff,
  };
}
