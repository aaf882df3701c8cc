import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SquadRateError } from "../../errors.js";
import type { ProxyClient, ProxyClientOptions } from "../options.js";
import type { Tenancy } from "./control-server.js";
import type { Admission } from "./protocol.js";

/** Admits clients to a proxy, each with a socket in `folder`, and remembers whose token commands inside others may use. */
export class Tenancies {
  readonly #folder: string;
  readonly #admit: (client: ProxyClientOptions) => Promise<ProxyClient>;
  /** Tokens that the proxy adds, by the secret of the client. */
  readonly #tokens = new Map<string, string>();

  constructor(folder: string, admit: (client: ProxyClientOptions) => Promise<ProxyClient>) {
    this.#folder = folder;
    this.#admit = admit;
  }

  /** @throws SquadRateError `SQUAD_RATE_OPTIONS` for a path elsewhere, and for a token of a client that is not known. */
  async admit({ tokenOf, ...wanted }: Admission): Promise<Tenancy> {
    const token = wanted.token ?? (tokenOf === undefined ? undefined : this.#tokenOf(tokenOf));
    const socketPath = wanted.socketPath === undefined ? this.#freePath() : this.#checked(wanted.socketPath);
    const client = await this.#admit({ ...wanted, token, socketPath });
    const { id, secret, apiUrl, graphqlUrl, rootedApiUrl } = client;
    if (token !== undefined) this.#tokens.set(secret, token);
    return {
      admitted: { id, secret, apiUrl, graphqlUrl, rootedApiUrl, socketPath },
      end: () => {
        this.#tokens.delete(secret);
        return client.close();
      },
    };
  }

  #tokenOf(secret: string): string {
    const token = this.#tokens.get(secret);
    if (token !== undefined) return token;
    throw new SquadRateError(
      "SQUAD_RATE_OPTIONS",
      "The proxy does not know the token of the command around this one.",
      {
        remedy: "Use the settings of the squad-rate exec around it, or pass a token.",
      },
    );
  }

  #checked(path: string): string {
    if (dirname(path) === this.#folder && /^[\w-]{1,32}\.sock$/.test(path.slice(this.#folder.length + 1))) return path;
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "client.socketPath is not in the folder of this proxy.", {
      remedy: "Leave it out for a new one.",
    });
  }

  #freePath(): string {
    for (;;) {
      const path = join(this.#folder, `${randomBytes(4).toString("hex")}.sock`);
      if (!existsSync(path)) return path;
    }
  }
}
