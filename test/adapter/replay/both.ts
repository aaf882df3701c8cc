import { Octokit } from "@octokit/core";
import { vi } from "vitest";
import { replay } from "../../../src/adapter/replay.js";
import { readText } from "../../../src/pipeline/answer-text.js";
import type { Answering } from "./answers.js";

type Fetch = typeof globalThis.fetch;

const SIGNAL = new Error("decided outside");

/** Puts the two seams into an Octokit: the answer is taken from inside auth, and given from outside all hooks. */
export function decideOutside(octokit: Octokit): void {
  octokit.hook.wrap("request", async (send, options) => {
    const given = options.request as { fetch: Fetch };
    let held: { response: Response; authorization: string | undefined } | undefined;
    const seam = async (url: string, init: RequestInit): Promise<Response> => {
      const { response } = await readText(await given.fetch(url, init), 10_000);
      held = { response, authorization: (init.headers as Record<string, string>).authorization };
      throw SIGNAL;
    };
    options.request = { ...given, fetch: seam };
    try {
      return await send(options);
    } catch (error) {
      if (held === undefined) throw error;
      options.request = given;
      return await replay(octokit.request, options, given, held.response, held.authorization);
    }
  });
}

/** Plain data of whatever came of a call; functions are only named, since each Octokit has its own. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    async (value) => ({ resolved: await plain(value) }),
    async (error: Error) => ({
      class: error.constructor,
      keys: Object.keys(error).sort(),
      ...((await plain({ ...error })) as object),
      name: error.name,
      message: error.message,
      cause: error.cause,
    }),
  );
}

async function plain(value: unknown): Promise<unknown> {
  if (typeof value === "function") return "a function";
  if (value instanceof ReadableStream) return { streamed: await new Response(value).text() };
  if (value instanceof ArrayBuffer) return { bytes: [...new Uint8Array(value)] };
  if (typeof value !== "object" || value === null || value instanceof AbortSignal || Buffer.isBuffer(value))
    return value;
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  const entries = Object.entries(value).map(async ([key, inner]) => [key, await plain(inner)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** How the two Octokits are made. */
export interface Settings {
  readonly Class?: typeof Octokit;
  readonly options?: Record<string, unknown>;
  readonly request?: Record<string, unknown>;
}

/** What plain Octokit and one that replays make of the same answers. */
export async function both(
  answering: Answering,
  call: (octokit: Octokit) => Promise<unknown>,
  { Class = Octokit, options = { auth: "secret-token" }, request = {} }: Settings = {},
): Promise<{ plain: unknown; replayed: unknown; warnings: readonly unknown[][] }> {
  const fetch = (async (url: string, init: RequestInit) => answering(url, init)) as Fetch;
  const logs = [vi.fn(), vi.fn()];
  const [one, other] = logs.map((warn) => {
    const log = { debug: () => undefined, info: () => undefined, warn, error: () => undefined };
    return new Class({ ...options, log, request: { fetch, log, ...request } });
  }) as [Octokit, Octokit];
  decideOutside(other);
  const outcomes = { plain: await outcomeOf(call(one)), replayed: await outcomeOf(call(other)) };
  return { ...outcomes, warnings: logs.map((warn) => warn.mock.calls) };
}
