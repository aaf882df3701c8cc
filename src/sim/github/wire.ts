/** One HTTP request as it reaches the simulated GitHub, before anything is known about it. */
export interface WireRequest {
  readonly method: string;
  /** Absolute; its origin is that of the client's address for GitHub. */
  readonly url: URL;
  /** Lower-case names, raw values. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | string | undefined;
  /** The client's IP address: the principal of requests without a credential. */
  readonly address: string;
  /** The origins that answers point to. */
  readonly origins: Origins;
  /** Which of GitHub's hosts the request was sent to. */
  readonly host: GitHubHost;
}

/** GitHub's hosts that the simulator plays. */
export type GitHubHost = "api" | "uploads" | "codeload" | "raw";

/** Absolute addresses, without a trailing slash, that bodies, `Link` and `Location` are made of. */
export interface Origins {
  readonly api: string;
  readonly html: string;
  readonly uploads: string;
  readonly codeload: string;
  readonly raw: string;
}

/** How a reply breaks on its way, if it does. */
export type Breakage = "reset" | "truncate";

/** One HTTP answer, ready for `fetch` or a socket. */
export interface WireReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  /** The body is to be sent gzip-compressed where there is a real wire. */
  readonly gzip: boolean;
  readonly breakage: Breakage | undefined;
}
