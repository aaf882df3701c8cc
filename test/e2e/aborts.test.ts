import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/index.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { FORMS, reachGitHub } from "./simulated-octokit.js";

/** The virtual clock stands still, so an answer that takes a second never comes by itself. */
const SLOW = { kind: "slow", ms: 1_000, times: Number.POSITIVE_INFINITY } as const;

describe.each(FORMS)("a caller's signal, GitHub %s", (form) => {
  const setUp = async () => {
    const reached = await reachGitHub(form);
    const options = { auth: "ghp_mona", ...reached.client };
    const squad = { agent: "reader", clock: reached.clock };
    const ours = new (Octokit.plugin(squadRate))({ ...options, squad });
    return { ...reached, ours, plain: new Octokit(options) };
  };
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: Error & { readonly status?: number }) => ({
        name: error.name,
        message: error.message,
        status: error.status,
        cause: (error.cause as Error | undefined)?.name,
      }),
    );

  it.each([
    ["is aborted on the way", () => abortedSoon(undefined)],
    ["is aborted on the way with a reason", () => abortedSoon(new Error("enough"))],
    ["was aborted before", () => AbortSignal.abort()],
    ["has a time limit: a real one, which no clock of ours moves", () => AbortSignal.timeout(5)],
  ])("that %s ends the call with the error that plain Octokit gives", async (_what, signal) => {
    const { github, plain, ours } = await setUp();
    github.fault(SLOW);
    const expected = await errorOf(plain.request("GET /user", { request: { signal: signal() } }));
    const error = await errorOf(ours.request("GET /user", { request: { signal: signal() } }));
    expect(expected).toBeDefined();
    expect(error).toEqual(expected);
  });

  it("that aborts leaves the others of a shared read their answer", async () => {
    const { github, clock, ours } = await setUp();
    github.fault({ ...SLOW, times: 1 });
    const controller = new AbortController();
    const first = errorOf(ours.request("GET /user", { request: { signal: controller.signal } }));
    const second = ours.request("GET /user", { request: { signal: AbortSignal.timeout(60_000) } });
    await turns();
    controller.abort();
    expect(await first).toBeDefined();
    const moving = setInterval(() => void clock.advance(500), 1);
    const answer = await second.finally(() => clearInterval(moving));
    expect([answer.status, outcomeOf(answer), github.log.length]).toEqual([200, "shared", 1]);
  });
});

function abortedSoon(reason: unknown): AbortSignal {
  const controller = new AbortController();
  void turns().then(() => controller.abort(reason));
  return controller.signal;
}

/** Long enough for a request to be on its way. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
