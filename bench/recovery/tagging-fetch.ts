/** The header in which an agent says for which call a request is. */
export const CALL_HEADER = "x-bench-call";
const TAG = "bench";

/** Whose request it was, and for which call. */
export interface Tag {
  readonly agent: number;
  readonly call: number;
}

/**
 * A way to GitHub for one agent. It writes into the address who asks and for which call, because the simulator's log tells
 * credentials only, and all agents have the same. It also keeps what the log does not tell: which refusals were of content
 * alone, by request id.
 */
export function taggingFetch(
  fetch: typeof globalThis.fetch,
  agent: number,
  contentRefusals: Set<string>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    url.searchParams.set(TAG, `${agent}.${new Headers(init?.headers).get(CALL_HEADER)}`);
    const response = await fetch(url, init);
    if (response.status === 403 && init?.method === "POST") {
      const words = await response.clone().text();
      if (words.includes("content creation")) contentRefusals.add(response.headers.get("x-github-request-id") ?? "");
    }
    return response;
  };
}

/** Reads what was written into an address; undefined for requests of others. */
export function tagOf(path: string): Tag | undefined {
  const [, agent, call] = /[?&]bench=(\d+)\.(\d+)/.exec(path) ?? [];
  return agent === undefined ? undefined : { agent: Number(agent), call: Number(call) };
}
