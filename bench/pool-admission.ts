import { passGates } from "../src/pipeline/gates.js";
import { startCall } from "../src/pipeline/start-call.js";
import { createSquad, engineOf } from "../src/squad.js";
import type { Benchmark } from "./benchmark.js";
import { table } from "./table.js";

/** So large that units in hand never run low: what is measured is spending them. */
const LIMIT = 100_000_000;
const CALLS_PER_ROUND = 500;
const API = "https://api.github.com";
const AUTHORIZATION = "token ghp_bench";

interface Admission {
  readonly admissionUs: number;
  readonly settlementUs: number;
}

/** What it takes to let a call go and to settle it, when its process holds units of the pool: no store is asked. */
export const poolAdmission: Benchmark = {
  name: "pool-admission",
  question: "What does it take to admit a call, and to settle its answer, when units of the pool are in hand?",
  async run({ short }) {
    const rounds = short ? 60 : 400;
    const alone = await measure({}, rounds);
    const pooled = await measure({ store: "memory:" }, rounds);
    const getUs = await keyvGetUs(rounds);
    const lines = [
      `Medians of ${rounds} rounds of ${CALLS_PER_ROUND} calls, in microseconds per call.`,
      "",
      ...table([
        ["", "admission", "settlement"],
        ["no store: the light alone", alone.admissionUs.toFixed(2), alone.settlementUs.toFixed(2)],
        ["pool, units in hand", pooled.admissionUs.toFixed(2), pooled.settlementUs.toFixed(2)],
        ["one get of a Keyv in memory, for comparison", getUs.toFixed(2), ""],
      ]),
    ];
    return { lines, data: { rounds, callsPerRound: CALLS_PER_ROUND, alone, pooled, getUs } };
  },
};

async function measure(options: { readonly store?: string }, rounds: number): Promise<Admission> {
  const resetS = Math.floor(Date.now() / 1_000) + 3_000;
  let used = 0;
  await using squad = createSquad({
    agent: "bench",
    cache: false,
    secondary: false,
    fetch: async () => answer(++used, resetS),
    ...options,
  });
  const engine = engineOf(squad);
  if (engine === undefined) throw new Error("The squad is none of this copy's.");
  const send = (): Promise<Response> => squad.fetch(`${API}/user`, { headers: { authorization: AUTHORIZATION } });
  // Enough demand for the pool to hand out more than a round spends.
  for (let index = 0; index < 3_000; index++) await send();
  const [principal] = engine.quota.principals();
  if (principal === undefined) throw new Error("No call was sent.");
  const none = { retry: false, throttling: false };
  const log = { info: () => undefined, warn: () => undefined };
  const source = { installation: undefined, inside: none, outside: none, log };
  const request = { method: "GET", url: `${API}/user`, baseUrl: API, graphql: undefined };
  const calls = Array.from({ length: CALLS_PER_ROUND }, () => {
    const call = startCall(engine, source, request, { value: undefined, path: "squad" }, undefined);
    call.principal = principal;
    return call;
  });
  const admissions: number[] = [];
  const settlements: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const beginMs = performance.now();
    for (const call of calls) {
      const word = passGates(engine, call);
      if (word.kind !== "go") throw new Error(`A call had to wait: ${word.why}`);
      call.permit = word.permit;
    }
    const admittedMs = performance.now();
    const header = { limit: LIMIT, used, resetAt: resetS * 1_000, at: engine.quota.clocks.now(principal.host) };
    const end = { answered: true, charged: 1, header };
    for (const call of calls) call.permit?.settle(end, "answered", 0, header.at);
    const settledMs = performance.now();
    admissions.push(((admittedMs - beginMs) * 1_000) / CALLS_PER_ROUND);
    settlements.push(((settledMs - admittedMs) * 1_000) / CALLS_PER_ROUND);
    // Reports that the round has caused.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { admissionUs: median(admissions), settlementUs: median(settlements) };
}

function answer(used: number, resetS: number): Response {
  return new Response("{}", {
    headers: {
      "content-type": "application/json",
      date: new Date().toUTCString(),
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": String(LIMIT - used),
      "x-ratelimit-used": String(used),
      "x-ratelimit-reset": String(resetS),
      "x-ratelimit-resource": "core",
    },
  });
}

async function keyvGetUs(rounds: number): Promise<number> {
  const { Keyv } = await import("keyv");
  const keyv = new Keyv();
  await keyv.set("squad-rate:bench", { used: 1 });
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const beginMs = performance.now();
    for (let index = 0; index < CALLS_PER_ROUND; index++) await keyv.get("squad-rate:bench");
    took.push(((performance.now() - beginMs) * 1_000) / CALLS_PER_ROUND);
  }
  return median(took);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
