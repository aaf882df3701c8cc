import { sleep } from "../../src/clock.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { Badges } from "./badges.js";
import { acceptOf, type Cast, CLIENTS, type Client, gather } from "./cast.js";
import { FAULTS } from "./faults.js";
import { forge } from "./forgeries.js";
import { Chronicle, type ObservedGitHub, observeGitHub, type View } from "./observed-github.js";
import { type Call, type Exchange, PENDING } from "./record.js";
import { Recorder } from "./recorder.js";
import { READS, WRITES } from "./requests.js";
import type { Scenario, Step } from "./scenario.js";
import { populate } from "./shared-world.js";
import { Timeline } from "./timeline.js";
import { createUnreliableStore, type UnreliableStore } from "./unreliable-store.js";

/** Everything a scenario is played with. While it runs and when it has ended, it tells what happened. */
export interface Play {
  readonly scenario: Scenario;
  readonly clock: VirtualClock;
  readonly chronicle: Chronicle<Exchange>;
  readonly github: ObservedGitHub;
  readonly timeline: Timeline;
  readonly store: UnreliableStore;
  readonly recorder: Recorder;
  readonly badges: Badges;
  readonly cast: Cast;
  /** Makes a change behind everybody's back. */
  readonly change: (index: number, serial: number) => void;
}

const ORIGIN = "https://api.github.com";

/** Plays a scenario to its end on a clock of its own: the same scenario, the same play. */
export async function play(scenario: Scenario): Promise<Play> {
  const stage = setUp(scenario);
  const { clock, store, recorder } = stage;
  try {
    for (const [index, step] of scenario.steps.entries()) {
      await perform(stage, step, index + 1);
      await clock.advance(step.thenMs);
    }
    await clock.settle(recorder.ended());
    store.mood = "well";
    await clock.settle(sleep(clock, 2_000));
    return stage;
  } finally {
    recorder.close();
  }
}

function setUp(scenario: Scenario): Play {
  const { seed, sigma, effectShare, bodyMs, opaque, limit, light, maxBytes, freshForMs, maxStaleMs } =
    scenario.settings;
  const chronicle = new Chronicle<Exchange>();
  const clock = createVirtualClock();
  const githubClock = chronicle.watch(clock, (exchange, moment) => {
    exchange.fires.push(moment);
    // By the time of the next immediate GitHub has decided; the clock leaves three of them before it moves on.
    if (exchange.call.kind === "write") setImmediate(() => void timeline.look(moment));
  });
  const github = observeGitHub({
    clock: githubClock,
    seed,
    secondary: false,
    latency: { sigma, effectShare },
    etagFormula: opaque ? "opaque" : "github",
    limits: { core: { limit, unauthenticatedLimit: limit }, search: { limit: 5_000, unauthenticatedLimit: 5_000 } },
  });
  const timeline = new Timeline(github);
  const recorder = new Recorder(clock, chronicle);
  const store = createUnreliableStore(clock, () => recorder.currentAddress());
  const wires = { A: recorder.wireOf("A", github, bodyMs), B: recorder.wireOf("B", github, bodyMs) };
  // One function for all, because options are equal only if it is the same one.
  const random = (): number => 0.5;
  const cast = gather((squad) => ({
    agent: squad,
    // What is compared is one attempt with one of a plain client's.
    retry: false,
    pacing: false,
    secondary: false,
    clock,
    random,
    fetch: wires[squad],
    store,
    // Quota divides itself elsewhere; here is asked what the cache answers.
    pool: false,
    maxWaitMs: 2_000,
    light,
    cache: { maxBytes, freshForMs, maxStaleMs },
  }));
  const change = populate(github);
  const badges = new Badges(github.world);
  return { scenario, clock, chronicle, github, timeline, store, recorder, badges, cast, change };
}

async function perform(stage: Play, step: Step, serial: number): Promise<void> {
  switch (step.kind) {
    case "read": {
      const { method, path, accept } = READS[step.read] as (typeof READS)[number];
      for (let copy = 0; copy < step.copies; copy++) {
        const abortAfterMs = step.abort?.copy === copy ? step.abort.afterMs : undefined;
        const parts = { method, url: ORIGIN + path, accept: acceptOf(accept), body: undefined };
        await begin(stage, step.client, parts, step.cache, abortAfterMs);
      }
      return;
    }
    case "write": {
      const { method, path, body } = WRITES[step.write] as (typeof WRITES)[number];
      const parts = { method, url: ORIGIN + path, accept: acceptOf(undefined), body: body?.(serial) };
      return begin(stage, step.client, parts, undefined, step.abortAfterMs);
    }
    case "change": {
      const moment = stage.chronicle.tick();
      stage.change(step.change, serial);
      return stage.timeline.look(moment);
    }
    case "rotate":
      return rotate(stage, CLIENTS[step.client] as Client, step.revoke);
    case "fault":
      stage.github.engine.faults.add({ ...(FAULTS[step.fault] as (typeof FAULTS)[number]), every: step.every });
      return;
    case "store":
      stage.store.mood = step.mood;
      return;
    case "tamper":
      return tamper(stage.store, step.entry, step.forgery);
    case "clear":
      // Nobody waits for it: where the store hangs, so does this.
      stage.cast.squads[(CLIENTS[step.client] as Client).squad].cache.clear().catch(() => undefined);
      return;
  }
}

async function begin(
  { badges, recorder, timeline, cast }: Play,
  index: number,
  parts: Pick<View, "method" | "url" | "accept"> & { readonly body: Readonly<Record<string, unknown>> | undefined },
  cache: Call["cache"],
  abortAfterMs: number | undefined,
): Promise<void> {
  const client = CLIENTS[index] as Client;
  const caller = cast.callers[index] as Cast["callers"][number];
  const { method, url, accept } = parts;
  const { squad, userAgent } = client;
  const view = { method, url, accept, authorization: badges.authorizationOf(client), userAgent };
  const own = cache === undefined ? {} : { cache };
  await recorder.begin({ squad, view, cache, abortAfterMs }, timeline, (signal) =>
    caller({ ...view, body: parts.body, squad: own, signal }),
  );
}

async function rotate(
  { badges, recorder, chronicle, github, timeline }: Play,
  client: Client,
  revoke: boolean,
): Promise<void> {
  if (client.badge === undefined) return;
  const old = badges.rotate(client.badge);
  // GitHub knows the token when a request arrives, and the world when it takes effect: no one moment for both.
  const isInUse = recorder.exchanges.some(
    ({ view, endedAt }) => endedAt === PENDING && view.authorization?.endsWith(old),
  );
  if (!revoke || isInUse) return;
  const moment = chronicle.tick();
  github.world.revokeToken(old);
  return timeline.look(moment);
}

async function tamper(store: UnreliableStore, entry: number, forgery: string): Promise<void> {
  const keys = store.keys().toReversed();
  const key = keys[entry % keys.length];
  const address = key === undefined ? undefined : store.addressOf(key);
  if (key === undefined || address === undefined) return;
  const others = keys.filter((other) => other !== key);
  const other = await store.read(others[entry % others.length] ?? key);
  await store.tamper(key, forge(forgery, await store.read(key), address, other));
}
