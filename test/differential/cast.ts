import { Octokit } from "@octokit/core";
import type { SquadOptions, SquadRequestOptions } from "../../src/options.js";
import { squadRate } from "../../src/plugin.js";
import { createSquad, engineOf, type Squad } from "../../src/squad.js";
import type { Ending } from "./record.js";

/** Somebody who makes calls. Clients with the same `badge` have the same token, and it changes for all of them. */
export interface Client {
  readonly squad: "A" | "B";
  readonly badge: string | undefined;
  readonly user: string | undefined;
  readonly via: "octokit" | "fetch";
  readonly userAgent: string;
}

const UA = "octokit-core.js/7 node";
const DEFAULT_ACCEPT = "application/vnd.github.v3+json";

/** Two squads that share a store; in each, several Octokits and bare fetches with several tokens of three users. */
export const CLIENTS: readonly Client[] = [
  { squad: "A", badge: "mona-1", user: "mona", via: "octokit", userAgent: UA },
  { squad: "A", badge: "mona-1", user: "mona", via: "octokit", userAgent: UA },
  { squad: "A", badge: "mona-2", user: "mona", via: "octokit", userAgent: UA },
  { squad: "A", badge: "hubot-1", user: "hubot", via: "octokit", userAgent: UA },
  { squad: "A", badge: "eve-1", user: "eve", via: "fetch", userAgent: UA },
  { squad: "A", badge: undefined, user: undefined, via: "octokit", userAgent: UA },
  { squad: "B", badge: "mona-1", user: "mona", via: "octokit", userAgent: UA },
  { squad: "B", badge: "hubot-1", user: "hubot", via: "fetch", userAgent: UA },
  { squad: "A", badge: "mona-1", user: "mona", via: "fetch", userAgent: "curl/8.5" },
];

/** What one call of a client is made of. */
export interface CallParts {
  readonly method: string;
  readonly url: string;
  readonly accept: string;
  readonly authorization: string | undefined;
  readonly userAgent: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly squad: SquadRequestOptions;
  readonly signal: AbortSignal | undefined;
}

/** Makes calls; never throws. */
export type Caller = (parts: CallParts) => Promise<Ending>;

/** A caller for each client, and the squads behind them. */
export interface Cast {
  readonly callers: readonly Caller[];
  readonly squads: Readonly<Record<"A" | "B", Squad>>;
}

export function gather(
  optionsOf: (squad: "A" | "B") => SquadOptions & { readonly fetch: typeof globalThis.fetch },
): Cast {
  // One class, so that equal options mean one squad, as for an App that makes an Octokit per event.
  const SquadOctokit = Octokit.plugin(squadRate);
  const octokitOf = (squad: "A" | "B"): InstanceType<typeof SquadOctokit> => {
    const { fetch, ...options } = optionsOf(squad);
    return new SquadOctokit({ squad: { ...options, fetch }, request: { fetch }, authStrategy: bearer, log: SILENT });
  };
  const squads = { A: octokitOf("A").squad, B: createSquad(optionsOf("B")) };
  if (engineOf(octokitOf("A").squad) !== engineOf(squads.A)) throw new Error("Equal options have made two squads.");
  const callers = CLIENTS.map(({ squad, via }): Caller => {
    if (via === "fetch") return byFetch(squads[squad]);
    if (squad === "A") return byOctokit(octokitOf("A"));
    return byOctokit(
      new SquadOctokit({
        squad: squads.B,
        request: { fetch: optionsOf("B").fetch },
        authStrategy: bearer,
        log: SILENT,
      }),
    );
  });
  return { callers, squads };
}

export function acceptOf(accept: string | undefined): string {
  return accept ?? DEFAULT_ACCEPT;
}

const nothing = (): void => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Auth as Octokit has it: the innermost hook, which sets the header on the options that it was given. */
function bearer(): {
  hook: (
    request: (options: object) => unknown,
    options: { headers: Record<string, unknown>; request: { token?: string } },
  ) => unknown;
} {
  return {
    hook: (request, options) => {
      if (options.request.token !== undefined) options.headers.authorization = options.request.token;
      return request(options);
    },
  };
}

function byOctokit(octokit: Octokit): Caller {
  return async ({ method, url, accept, authorization, userAgent, body, squad, signal }) => {
    try {
      const { status, data, headers } = await octokit.request({
        method: method as "GET",
        url,
        headers: { accept, "user-agent": userAgent },
        request: {
          squad,
          ...(signal === undefined ? {} : { signal }),
          ...(authorization === undefined ? {} : { token: authorization }),
        },
        ...body,
      });
      return answered(status, data, headers);
    } catch (error) {
      const response = (error as { response?: { status: number; data: unknown; headers: object } }).response;
      return response === undefined
        ? { kind: "failed", error }
        : answered(response.status, response.data, response.headers);
    }
  };
}

function answered(status: number, data: unknown, headers: object): Ending {
  const copy = data instanceof ArrayBuffer ? data : structuredClone(data);
  // What a caller does to its answer must not be seen by another.
  if (Array.isArray(data)) data.push("scribble");
  else if (typeof data === "object" && data !== null) Object.assign(data, { scribble: true });
  return { kind: "answered", status, data: copy, headers: new Map(Object.entries(headers)) };
}

function byFetch(squad: Squad): Caller {
  return async ({ method, url, accept, authorization, userAgent, body, squad: own, signal }) => {
    try {
      const headers = { accept, "user-agent": userAgent, ...(authorization === undefined ? {} : { authorization }) };
      const response = await squad.fetch(url, {
        method,
        headers,
        squad: own,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        kind: "answered",
        status: response.status,
        data: await response.text(),
        headers: new Map(response.headers),
      };
    } catch (error) {
      return { kind: "failed", error };
    }
  };
}
