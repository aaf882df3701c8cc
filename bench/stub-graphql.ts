/** GraphQL in no time: one answer, with what a query's cost would be if it asks for that. */
export interface StubGraphql {
  readonly fetch: typeof globalThis.fetch;
  /** Requests answered so far, and how many of them asked for their cost. */
  readonly sent: number;
  readonly asked: number;
}

const LIMIT = 100_000_000;
/** The response key of a selection of `rateLimit`, in a document that is written as JSON. */
const RATE_LIMIT = /(\w+): ?rateLimit ?\{/;

/** Answers every POST with `data`. */
export function createStubGraphql(data: object): StubGraphql {
  const plain = new TextEncoder().encode(JSON.stringify({ data }));
  const reset = String(Math.floor(Date.now() / 1000) + 3600);
  const rateLimit = {
    cost: 18,
    limit: LIMIT,
    remaining: LIMIT,
    used: 0,
    resetAt: new Date().toISOString(),
    nodeCount: 9,
  };
  const asking = new Map<string, Uint8Array<ArrayBuffer>>();
  let sent = 0;
  let asked = 0;

  const bodyFor = (document: string): Uint8Array<ArrayBuffer> => {
    const key = RATE_LIMIT.exec(document)?.[1];
    if (key === undefined) return plain;
    asked++;
    let body = asking.get(key);
    if (body === undefined) {
      body = new TextEncoder().encode(JSON.stringify({ data: { ...data, [key]: rateLimit } }));
      asking.set(key, body);
    }
    return body;
  };

  return {
    fetch: async (_, init) => {
      sent++;
      const headers: [string, string][] = [
        ["content-type", "application/json; charset=utf-8"],
        ["date", new Date().toUTCString()],
        ["x-ratelimit-limit", String(LIMIT)],
        ["x-ratelimit-remaining", String(LIMIT - sent)],
        ["x-ratelimit-used", String(sent)],
        ["x-ratelimit-reset", reset],
        ["x-ratelimit-resource", "graphql"],
        ["x-github-request-id", "C0DE:1A2B:3C4D5E:6F7A8B:66A1B2C3"],
      ];
      return new Response(bodyFor(String(init?.body)), { headers });
    },
    get sent() {
      return sent;
    },
    get asked() {
      return asked;
    },
  };
}
