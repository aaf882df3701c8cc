import type { Priority, PriorityName, SquadOptions } from "../options.js";
import type { Squad } from "../squad.js";

/** What a proxy is made with. All are optional. */
export interface ProxyOptions {
  /**
   * How calls are decided, counted and traced: options of a squad, which the proxy closes at its end, or a ready squad,
   * which stays its owner's.
   * @defaultValue a squad with its defaults: `SQUAD_RATE_STORE`, `SQUAD_RATE_TRACE` and so on
   */
  readonly squad?: SquadOptions | Squad | undefined;
  /**
   * The server that requests go to: `https://api.github.com`, the address of an Enterprise Server, or of a simulated GitHub.
   * Without `host` an address on this machine (`127.0.0.1`, `[::1]`, `localhost`) stands in for github.com, and any other is
   * that of an Enterprise Server. Plain `http:` is taken for this machine only: the client's token goes there. A server on a
   * Unix socket is `http+unix:///its/path`.
   * @defaultValue the API of `host`
   */
  readonly upstream?: string | undefined;
  /**
   * Which GitHub this is: `github.com`, or an Enterprise Server's host name, as in gh's `GH_HOST`.
   * @defaultValue `github.com`, or the host of `upstream` where that is another machine
   */
  readonly host?: string | undefined;
  /**
   * More hosts that may be asked, by their exact names or with one leading `*.`; they are asked by TLS, unless it is this
   * machine, and nothing of it is cached or counted. GitHub's own for downloads, uploads and logs are among them already.
   * @defaultValue none
   */
  readonly alsoHosts?: readonly string[] | undefined;
  /**
   * The port of the loopback address 127.0.0.1 that clients without Unix sockets use; 0: any free one.
   * @defaultValue 0
   */
  readonly port?: number | undefined;
  /**
   * Told, in one line, what whoever runs the proxy should know. Never holds a credential.
   * @defaultValue nobody is told
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Who comes through a socket and a base URL of its own. What is left out is as the squad's options say. */
export interface ProxyClientOptions {
  /** Whom its calls are booked to. */
  readonly agent?: string | undefined;
  readonly priority?: Priority | PriorityName | undefined;
  readonly session?: string | undefined;
  /**
   * Sent to the configured GitHub for requests that carry no token, or {@link INJECTED_TOKEN}; kept in memory alone.
   * @defaultValue none: the client's own token is sent, and nothing where it has none
   */
  readonly token?: string | undefined;
  /**
   * The path of a Unix socket to listen on for it, in a folder that nobody else can enter. A socket that nobody listens on
   * is replaced.
   * @defaultValue none: it has its base URL only
   */
  readonly socketPath?: string | undefined;
  /**
   * The secret in its base URL: 43 letters, digits, `-` and `_`. To be given only to have an earlier one again.
   * @defaultValue a new one
   */
  readonly secret?: string | undefined;
}

/** How one client reaches the proxy. */
export interface ProxyClient {
  /** Names it in `status()`; not secret. */
  readonly id: string;
  readonly secret: string;
  readonly socketPath: string | undefined;
  /** The root of the REST API, its secret included: `http://127.0.0.1:PORT/SECRET`, with `/api/v3` for an Enterprise Server. */
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /**
   * The same root for clients that follow addresses in bodies, as PyGithub does: in what is answered there they begin with
   * it, as on a server of its own.
   */
  readonly rootedApiUrl: string;
  /** Cuts its connections, and takes its socket away. What it has under way ends as a client that left. */
  close(): Promise<void>;
}

/** What stands where a client wants to see a token and the proxy has it: in `GH_TOKEN`, so that gh does not ask for a login, and in `GITHUB_TOKEN`. */
export const INJECTED_TOKEN = "squad-rate-injected";

/** One client, as {@link ProxyStatus} shows it. */
export interface ProxyClientStatus {
  readonly id: string;
  readonly agent: string;
  readonly priority: Priority;
  readonly session: string | undefined;
  readonly requests: number;
  /** Requests that are not answered to their end. */
  readonly underWay: number;
  /** Epoch milliseconds. */
  readonly since: number;
}
