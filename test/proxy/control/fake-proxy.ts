import type { ServableProxy } from "../../../src/proxy/control/serve-folder.js";
import type { ProxyClientOptions } from "../../../src/proxy/options.js";

/** A proxy that serves nothing, and tells whom it was asked to admit. */
export interface FakeProxy extends ServableProxy {
  readonly admitted: readonly ProxyClientOptions[];
  /** Ids of clients that are there. */
  readonly present: ReadonlySet<string>;
  readonly closes: number;
}

export function fakeProxy(port = 4000): FakeProxy {
  const admitted: ProxyClientOptions[] = [];
  const present = new Set<string>();
  let closes = 0;
  return {
    port,
    admitted,
    present,
    get closes() {
      return closes;
    },
    async admit(client) {
      const id = `c${admitted.push(client)}`;
      present.add(id);
      const secret = client.secret ?? id.padEnd(43, "-");
      const apiUrl = `http://127.0.0.1:${port}/${secret}`;
      return {
        id,
        secret,
        socketPath: client.socketPath,
        apiUrl,
        graphqlUrl: `${apiUrl}/graphql`,
        rootedApiUrl: `${apiUrl}/rooted`,
        close: async () => void present.delete(id),
      };
    },
    status: () => ({ clients: [...present] }),
    close: async () => void closes++,
  };
}
