import {
  createSimulatedGitHub,
  createVirtualClock,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
  type VirtualClock,
} from "../../../src/sim/index.js";

/** A simulated GitHub with `acme/app`, a token of `mona` who may write to it, and helpers to talk to it. */
export interface TestGitHub {
  readonly clock: VirtualClock;
  readonly github: SimulatedGitHub;
  /** Sends as `mona` and lets time pass until the answer is there. */
  send(
    path: string,
    init?: { readonly method?: string; readonly headers?: Record<string, string>; readonly json?: unknown },
  ): Promise<Response>;
  /** Sends a GraphQL query as `mona`. */
  query(
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<{
    readonly response: Response;
    readonly body: { readonly data?: never; readonly errors?: readonly Record<string, unknown>[] };
  }>;
}

export const TOKEN = "ghp_monas_token";
export const API = "https://api.github.com";

export function createTestGitHub(options: Omit<SimulatedGitHubOptions, "clock"> = {}): TestGitHub {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, ...options });
  github.world.addOrganization("acme");
  github.world.addUser({ login: "mona", name: "Mona" });
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "acme", name: "app", visibleTo: ["mona"] });
  const send: TestGitHub["send"] = (path, { method = "GET", headers = {}, json } = {}) => {
    const url = path.startsWith("https:") ? path : `${API}${path}`;
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    return clock.settle(
      github.fetch(url, { method, headers: { authorization: `token ${TOKEN}`, ...headers }, ...body }),
    );
  };
  return {
    clock,
    github,
    send,
    query: async (query, variables = {}) => {
      const response = await send("/graphql", { method: "POST", json: { query, variables } });
      return { response, body: (await response.json()) as never };
    },
  };
}
