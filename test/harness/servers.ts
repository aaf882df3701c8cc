import { connect } from "node:net";

/** A server that some tests talk to for real. */
export type ServerName = "redis" | "postgres";

/** What {@link requireServer} found. */
export interface TestServer {
  /** Where to connect. */
  readonly url: string;
  /** True when nothing listens there: skip. */
  readonly missing: boolean;
  /** For the name of the test or suite, so that a skipped one says why. */
  readonly label: string;
}

interface ServerDefault {
  readonly variable: string;
  readonly url: string;
}

const servers: Readonly<Record<ServerName, ServerDefault>> = {
  redis: { variable: "SQUAD_RATE_TEST_REDIS", url: "redis://127.0.0.1:6379" },
  postgres: { variable: "SQUAD_RATE_TEST_POSTGRES", url: "postgres://postgres@127.0.0.1:5432/postgres" },
};

/** A server on this machine answers in well under a millisecond; a host that drops packets must not hold a run up. */
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Looks whether a server that a test needs is there. Missing, its tests are skipped by name; with
 * `SQUAD_RATE_REQUIRE_SERVERS=1`, as in CI, they fail instead. `SQUAD_RATE_TEST_REDIS` and `SQUAD_RATE_TEST_POSTGRES`
 * say where the servers are when they are not at their standard places.
 *
 * @throws Error when the server is missing and required.
 *
 * @example
 * ```ts
 * const redis = await requireServer("redis");
 * describe.skipIf(redis.missing)(`a pool in ${redis.label}`, () => { … connect(redis.url) … });
 * ```
 */
export async function requireServer(
  name: ServerName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<TestServer> {
  const { variable, url: standard } = servers[name];
  const url = environment[variable] ?? standard;
  const { hostname, port } = new URL(url);
  if (await listens(hostname, Number(port))) return { url, missing: false, label: name };
  // The URL may hold a password; host and port do not.
  const why = `nothing listens at ${hostname}:${port}; start ${name} or set ${variable}`;
  if (environment.SQUAD_RATE_REQUIRE_SERVERS === "1") {
    throw new Error(`These tests need ${name} (SQUAD_RATE_REQUIRE_SERVERS=1), and ${why}.`);
  }
  return { url, missing: true, label: `${name} (skipped: ${why})` };
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const answer = (there: boolean): void => {
      socket.destroy();
      resolve(there);
    };
    socket.once("connect", () => answer(true));
    socket.once("timeout", () => answer(false));
    socket.once("error", () => answer(false));
  });
}
