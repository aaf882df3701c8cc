/** Where the simulated GitHub listens. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /**
   * A Unix socket instead of a port; addresses in answers are then those of `baseUrl`, and the `Host` header tells which of
   * GitHub's hosts a request is for. For gh: `gh config set http_unix_socket <path>`.
   */
  readonly socketPath?: string;
  /** Serves the control API under `/__sim/`: whoever reaches the port can then change everything. Default `false`. */
  readonly control?: boolean;
}

/** A simulated GitHub on the network. */
export interface Listening {
  /** Root of the REST API; GraphQL is at `${url}/graphql`. For a Unix socket, the `baseUrl` that answers speak of. */
  readonly url: string;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}
