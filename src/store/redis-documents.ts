import type { CompareAndSet } from "./compare-and-set.js";

/** A node-redis client, as far as documents need it. */
export interface RedisClient {
  get(key: string): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** `@keyv/redis`, as far as documents need it. */
export interface RedisAdapter {
  readonly namespace?: string | undefined;
  getClient(): Promise<RedisClient>;
  createKeyPrefix(key: string, namespace?: string): string;
}

/**
 * A script is the one way: WATCH belongs to a connection, and the adapter's is shared by every caller in the process.
 * https://redis.io/docs/latest/develop/programmability/eval-intro/
 */
const SWAP = `
local current = redis.call("GET", KEYS[1])
if ARGV[1] == "absent" then
  if current then return {0, current} end
elseif current ~= ARGV[2] then
  return {0, current}
end
if ARGV[4] == "" then
  redis.call("SET", KEYS[1], ARGV[3])
else
  redis.call("SET", KEYS[1], ARGV[3], "PX", ARGV[4])
end
return {1}
`;

/** Whether `adapter` looks like `@keyv/redis`, whatever it calls itself. */
export function isRedisAdapter(adapter: object): adapter is RedisAdapter {
  const { getClient, createKeyPrefix } = adapter as Partial<RedisAdapter>;
  return typeof getClient === "function" && typeof createKeyPrefix === "function";
}

/** Compare-and-set on Redis and its kin; `native` is the key as the server knows it. */
export function redisCompareAndSet(adapter: RedisAdapter): CompareAndSet {
  return {
    async read(native) {
      const client = await adapter.getClient();
      const text = await client.get(native);
      return typeof text === "string" ? text : undefined;
    },
    async swap(native, expected, { text, ttlMs }) {
      const client = await adapter.getClient();
      const reply = await client.eval(SWAP, {
        keys: [native],
        arguments: [
          expected === undefined ? "absent" : "equal",
          expected ?? "",
          text,
          ttlMs === undefined ? "" : String(Math.max(1, Math.ceil(ttlMs))),
        ],
      });
      if (!Array.isArray(reply)) throw new Error("the compare-and-set script gave no answer of its own");
      if (Number(reply[0]) === 1) return { kind: "done" };
      return { kind: "refused", current: typeof reply[1] === "string" ? reply[1] : undefined };
    },
  };
}
