import { knownGitHub } from "../../../proxy/known-github.js";
import type { Settings } from "../../config.js";
import { hostOf } from "../../exec/host.js";

/** What `GET /rate_limit` has answered, which costs nothing. */
export interface GitHubAnswer {
  readonly status: number;
  /** GitHub's clock, epoch milliseconds, and this machine's when that was known, as near as one exchange tells. */
  readonly githubAt: number | undefined;
  readonly machineAt: number;
  readonly scopes: string | undefined;
  readonly limits: readonly ResourceLimit[];
  readonly origin: string;
}

export interface ResourceLimit {
  readonly resource: string;
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds. */
  readonly resetAt: number;
}

const TIMEOUT_MS = 4_000;

/** Asks once for both the clock and the token. @throws what `fetch` throws. */
export async function askGitHub(
  settings: Pick<Settings, "upstream" | "host">,
  token: string | undefined,
  now: () => number,
): Promise<GitHubAnswer> {
  const { url, origin } = rateLimitUrl(settings);
  const began = now();
  const response = await fetch(url, {
    headers: { accept: "application/json", ...(token === undefined ? {} : { authorization: `token ${token}` }) },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const machineAt = (began + now()) / 2;
  const body: unknown = await response.json().catch(() => undefined);
  const date = Date.parse(response.headers.get("date") ?? "");
  return {
    status: response.status,
    // A header names whole seconds, cut off.
    githubAt: Number.isNaN(date) ? undefined : date + 500,
    machineAt,
    scopes: response.headers.get("x-oauth-scopes") ?? undefined,
    limits: limitsIn(body),
    origin,
  };
}

function rateLimitUrl(settings: Pick<Settings, "upstream" | "host">): {
  readonly url: string;
  readonly origin: string;
} {
  const { apiHost, apiPrefix } = knownGitHub(hostOf(settings));
  const origin = settings.upstream === undefined ? `https://${apiHost}` : new URL(settings.upstream).origin;
  return { url: `${origin}${apiPrefix}/rate_limit`, origin };
}

function limitsIn(body: unknown): readonly ResourceLimit[] {
  const resources = (body as { readonly resources?: unknown } | null | undefined)?.resources;
  if (typeof resources !== "object" || resources === null) return [];
  return Object.entries(resources).flatMap(([resource, its]) => {
    const { limit, remaining, reset } = (its ?? {}) as Record<string, unknown>;
    if (typeof limit !== "number" || typeof remaining !== "number" || typeof reset !== "number") return [];
    return [{ resource, limit, remaining, resetAt: reset * 1_000 }];
  });
}
