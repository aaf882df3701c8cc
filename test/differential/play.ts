import { sleep } from "../../src/clock.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { acceptOf, type Cast, CLIENTS, type Client, gather } from "./cast.js";
import { FAULTS } from "./faults.js";
import { FORGERIES } from "./forgeries.js";
import { Chronicle, type ObservedGitHub, observeGitHub, type View } from "./observed-github.js";
import type { Call, Exchange } from "./record.js";
import { READS, WRITES } from "./requests.js";
import type { Scenario, Step } from "./scenario.js";
import { populate } from "./shared-world.js";
import { Timeline } from "./timeline.js";
import { createUnreliableStore, type UnreliableStore } from "./unreliable-store.js";

/** All that happened in one scenario. */
export interface Play {
  readonly scenario: Scenario;
  readonly github: ObservedGitHub;
  readonly timeline: Timeline;
  readonly store: UnreliableStore;
  readonly calls: readonly Call[];
  readonly exchanges: readonly Exchange[];
  /** Every Authorization value that was ever used, with the scopes that its answers name. */
  readonly scopes: ReadonlyMap<string, string>;
  /** Whether GitHub ever refused something by name of a primary limit. */
  readonly limited: boolean;
}

const PENDING = Number.POSITIVE_INFINITY;
const ORIGIN = "https://api.github.com";

/** Plays a scenario to its end on a clock of its own: the same scenario, the same play. */
export async function play(scenario: Scenario): Promise<Play> {
  const { settings, steps } = scenario;
  const chronicle = new Chronicle<Exchange>();
  const inner = createVirtualClock();
  const clock = chronicle.watch(inner, (exchange, moment) => {
    exchange.fires.push(moment);
    // By the time of the next immediate GitHub has decided; the clock leaves three of them before it moves on.
    if (exchange.call.kind === "write") setImmediate(() => void timeline.look(moment));
  });
  const { limit } = settings;
  const github = observeGitHub({
    clock,
    seed: settings.seed,
    secondary: false,
    latency: { sigma: settings.sigma },
    etagFormula: settings.opaque ? "opaque" : "github",
    limits: { core: { limit, unauthenticatedLimit: limit }, search: { limit: 5_000, unauthenticatedLimit: 5_000 } },
  });
  const timeline: Timeline = new Timeline(github);
  const change = populate(github);
  const calls: Call[] = [];
  const exchanges: Exchange[] = [];
  const scopes = new Map<string, string>();
  const currentCall = new Chronicle<Call>();
  const generations = new Map<string, number>();
  const store = createUnreliableStore(inner, () => currentCall.owner()?.view.url);

  const authorizationOf = ({ badge, user, via }: Client): string | undefined => {
    if (badge === undefined || user === undefined) return undefined;
    const token = `ghp_${badge}-${generations.get(badge) ?? 0}`;
    const authorization = via === "octokit" ? `token ${token}` : `Bearer ${token}`;
    if (!scopes.has(authorization)) {
      scopes.set(authorization, `repo, ${token}`);
      github.world.addToken(token, user, { scopes: `repo, ${token}` });
    }
    return authorization;
  };

  const wireOf =
    (squad: string): typeof globalThis.fetch =>
    async (input, init) => {
      const call = currentCall.owner();
      if (call === undefined) throw new Error("An exchange that no call asked for.");
      const headers = new Headers(init?.headers);
      const exchange: Exchange = {
        squad,
        call,
        view: {
          method: init?.method ?? "GET",
          url: String(input),
          authorization: headers.get("authorization") ?? undefined,
          accept: headers.get("accept") ?? "*/*",
          userAgent: headers.get("user-agent") ?? "",
        },
        startedAt: chronicle.tick(),
        startedMs: inner.monotonic(),
        fires: [],
        endedAt: PENDING,
        status: undefined,
        failure: undefined,
        requestId: undefined,
        refused: false,
      };
      exchanges.push(exchange);
      call.exchanges.push(exchange);
      try {
        const response = await chronicle.owned(exchange, () => github.fetch(input, init));
        exchange.status = response.status;
        exchange.requestId = response.headers.get("x-github-request-id") ?? undefined;
        exchange.refused =
          response.status === 403 &&
          (response.headers.get("x-ratelimit-remaining") === "0" || response.headers.has("retry-after"));
        return response;
      } catch (failure) {
        exchange.failure = failure;
        throw failure;
      } finally {
        exchange.endedAt = chronicle.tick();
      }
    };
  const wires = { A: wireOf("A"), B: wireOf("B") };

  const random = (): number => 0.5;
  const cast: Cast = gather((squad) => ({
    agent: squad,
    clock: inner,
    random,
    fetch: wires[squad],
    store,
    maxWaitMs: 2_000,
    light: settings.light,
    cache: { maxBytes: settings.maxBytes, freshForMs: settings.freshForMs, maxStaleMs: settings.maxStaleMs },
  }));

  const pending: Promise<unknown>[] = [];
  const start = async (
    index: number,
    parts: Pick<View, "method" | "url" | "accept"> & { readonly body?: Readonly<Record<string, unknown>> | undefined },
    cache: Call["cache"],
    abortAfterMs: number | undefined,
  ): Promise<void> => {
    const client = CLIENTS[index] as Client;
    const { method, url, accept, body } = parts;
    const authorization = authorizationOf(client);
    const view: View = { method, url, accept, authorization, userAgent: client.userAgent };
    if (method === "GET" || method === "HEAD") await timeline.follow(view, chronicle.tick());
    const controller = abortAfterMs === undefined ? undefined : new AbortController();
    const call: Call = {
      kind: method === "GET" || method === "HEAD" ? "read" : "write",
      squad: client.squad,
      view,
      cache,
      startedAt: chronicle.tick(),
      startedMs: inner.monotonic(),
      exchanges: [],
      abortReason: undefined,
      abortedAt: undefined,
      endedAt: PENDING,
      ending: undefined,
    };
    calls.push(call);
    if (controller !== undefined && abortAfterMs !== undefined) {
      const reason = new Error(`Caller ${calls.length} has left.`);
      inner.timer(abortAfterMs, () => {
        call.abortReason = reason;
        call.abortedAt = chronicle.tick();
        controller.abort(reason);
      });
    }
    const squad = cache === undefined ? {} : { cache };
    const made = currentCall.owned(call, () =>
      (cast.callers[index] as Cast["callers"][number])({
        ...parts,
        body,
        authorization,
        userAgent: client.userAgent,
        squad,
        signal: controller?.signal,
      }),
    );
    pending.push(
      made.then((ending) => {
        call.ending = ending;
        call.endedAt = chronicle.tick();
      }),
    );
  };

  const clientOf = (step: { readonly client: number }): number =>
    settings.clients[step.client % settings.clients.length] as number;
  const perform = async (step: Step, serial: number): Promise<void> => {
    switch (step.kind) {
      case "read": {
        const { method, path, accept } = pick(READS, settings.reads, step.read);
        for (let copy = 0; copy < step.copies; copy++) {
          const abortAfterMs = step.abort?.copy === copy ? step.abort.afterMs : undefined;
          await start(
            clientOf(step),
            { method, url: ORIGIN + path, accept: acceptOf(accept) },
            step.cache,
            abortAfterMs,
          );
        }
        return;
      }
      case "write": {
        const { method, path, body } = WRITES[step.write] as (typeof WRITES)[number];
        const parts = { method, url: ORIGIN + path, accept: acceptOf(undefined), body: body?.(serial) };
        return start(clientOf(step), parts, undefined, step.abortAfterMs);
      }
      case "change": {
        const moment = chronicle.tick();
        change(step.change, serial);
        return timeline.look(moment);
      }
      case "rotate": {
        const { badge } = CLIENTS[clientOf(step)] as Client;
        if (badge === undefined) return;
        const generation = generations.get(badge) ?? 0;
        generations.set(badge, generation + 1);
        // GitHub knows the token when a request arrives, and the world when it takes effect: no one moment for both.
        const token = `ghp_${badge}-${generation}`;
        const isInUse = exchanges.some(
          ({ view, endedAt }) => endedAt === PENDING && view.authorization?.endsWith(token),
        );
        if (!step.revoke || isInUse) return;
        const moment = chronicle.tick();
        github.world.revokeToken(token);
        return timeline.look(moment);
      }
      case "fault":
        github.engine.faults.add({ ...(FAULTS[step.fault] as (typeof FAULTS)[number]), every: step.every });
        return;
      case "store":
        store.mood = step.mood;
        return;
      case "tamper":
        return tamper(store, step.entry, step.forgery);
      case "clear":
        // Nobody waits for it: where the store hangs, so does this.
        void cast.squads[(CLIENTS[clientOf(step)] as Client).squad].cache.clear().catch(() => undefined);
        return;
    }
  };

  let serial = 0;
  for (const step of steps) {
    await perform(step, ++serial);
    await inner.advance(step.thenMs);
  }
  store.mood = store.mood === "hangs" ? "well" : store.mood;
  await inner.settle(Promise.all(pending));
  await inner.settle(sleep(inner, 2_000));
  const limited = github.engine.log.exchanges.some(({ refusedBy }) => refusedBy === "primary");
  return { scenario, github, timeline, store, calls, exchanges, scopes, limited };
}

function pick<T>(among: readonly T[], chosen: readonly number[], index: number): T {
  return among[chosen[index % chosen.length] as number] as T;
}

async function tamper(store: UnreliableStore, entry: number, forgery: string): Promise<void> {
  const keys = store.keys();
  const key = keys[entry % keys.length];
  const address = key === undefined ? undefined : store.addressOf(key);
  if (key === undefined || address === undefined) return;
  const others = await Promise.all(keys.filter((other) => other !== key).map((other) => store.read(other)));
  const rotated = [...others.slice(entry % Math.max(1, others.length)), ...others];
  const forge = FORGERIES[forgery];
  if (forge !== undefined)
    await store.tamper(
      key,
      forge(
        await store.read(key),
        address,
        rotated.filter((it) => it !== undefined),
      ),
    );
}
