import { describe, expect, it } from "vitest";
import { isSquadRateError, type SquadRateError } from "../../../src/errors.js";
import type { Gate } from "../../../src/pipeline/wait-request.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";
import { recordEvents } from "../../harness/record-events.js";
import { PATIENT, REPO, type Recovery, recovery, SECONDARY, secondary, TOKEN, UNWELL } from "./bench.js";
import { WAITS } from "./held-at.js";

const CODES: Readonly<Partial<Record<Gate, string>>> = {
  light: "SQUAD_RATE_LIGHT",
  pool: "SQUAD_RATE_POOL",
  cooldown: "SQUAD_RATE_COOLDOWN",
  release: "SQUAD_RATE_COOLDOWN",
  primary: "SQUAD_RATE_PRIMARY",
  breaker: "SQUAD_RATE_BREAKER",
  pacing: "SQUAD_RATE_SECONDARY",
  secondary: "SQUAD_RATE_SECONDARY",
};

/** The refusal of a call that may not wait at all. */
async function refusalOf({ clock }: Recovery, call: Promise<unknown>): Promise<SquadRateError> {
  const error = await clock.settle(call.then(() => "it was sent").catch((thrown: unknown) => thrown));
  if (!isSquadRateError(error)) throw error;
  return error;
}

describe("the refusal of a call that would have to wait for", () => {
  it.each(WAITS.filter(([, gate]) => gate !== "retry"))(
    "%s (%s), has a code, a time and the gate's words",
    async (_what, gate, make, words) => {
      const decisions = recordEvents("squad-rate:decision");
      const { bench, call, letGo } = await make();
      const before = bench.sent.length;
      const error = await refusalOf(bench, call(undefined, 0));
      expect(error).toMatchObject({ code: CODES[gate], status: 429, resource: "core" });
      expect(error.explain[0]).toMatch(words);
      expect(error.message).toContain(`was not sent: ${error.explain[0]}. `);
      expect(error.message).toMatch(/in \d[^,]*, and maxWaitMs is 0\.$/);
      expect(error.retryAfterMs).toBeGreaterThan(0);
      expect(error.retryAt).toBeCloseTo(bench.clock.now() + (error.retryAfterMs ?? 0), 3);
      expect(error.remedy).toMatch(/maxWaitMs/);
      expect(decisions.at(-1)).toMatchObject({ decision: "refuse", why: error.explain[0], untilAt: error.retryAt });
      expect([bench.sent.length, bench.squad.status().waiting.length]).toEqual([before, 0]);
      expect(bench.squad.status().counters.refused).toBe(1);
      expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/ghp_|secondary rate|undefined|NaN|Infinity/i);
      letGo();
    },
  );

  it("several things tells each", async () => {
    const bench = recovery({ ...PATIENT, secondary: { pointsPerMinute: 6 } });
    for (let read = 0; read < 4; read++) await bench.call();
    bench.github.quota(TOKEN).used = 4_900;
    await bench.call(REPO, { squad: { priority: 0, emergency: true } });
    bench.github.once(secondary("90"));
    await bench.call(REPO, { squad: { priority: 0, emergency: true, retries: 0 } });
    const { code, explain } = await refusalOf(bench, bench.call(REPO, { squad: { maxWaitMs: 0 } }));
    expect(code).toBe("SQUAD_RATE_COOLDOWN");
    expect(explain).toEqual([
      expect.stringMatching(
        /^GitHub refused a request of ralph by a secondary limit \(403\); everybody holds back for another 1 min 30 s; P1 waits$/,
      ),
      expect.stringMatching(/^core: 99 of 5000 left \(1 %\), RED; resets in 1 h; P1 waits$/),
      expect.stringMatching(/6 of 6 points in the last minute are used, and the call costs 1; P1 waits$/),
    ]);
  });

  it("a reset that GitHub does not name says so", async () => {
    const bench = recovery({ ...PATIENT, light: false });
    bench.github.once({ status: 403, json: { message: "API rate limit exceeded for user ID 1." }, unlimited: true });
    await bench.call(REPO, { squad: { retries: 0 } });
    const { explain } = await refusalOf(bench, bench.call(REPO, { squad: { maxWaitMs: 0 } }));
    expect(explain[0]).toBe(
      "core: GitHub refused a request because the quota is used up, and named no reset; nothing is sent for another 1 min; P1 waits",
    );
  });
});

describe("what is told of a retry", () => {
  it("is when it goes, whoever says so", async () => {
    const decisions = recordEvents("squad-rate:decision");
    const { github, clock, call, sent } = recovery(PATIENT);
    github.once(UNWELL);
    github.once(SECONDARY);
    await clock.settle(call());
    const retries = decisions.filter(({ decision }) => decision === "retry");
    expect(retries.map(({ why }) => why)).toEqual([
      "the server failed; P1 tries again in 3 s, retry 1 of 3",
      expect.stringMatching(/^a secondary limit refused it; P1 tries again in 1 min 1\d s, retry 2 of 3$/),
    ]);
    const startedAt = clock.now() - clock.monotonic();
    for (const [index, { untilAt }] of retries.entries())
      expect(Math.abs(untilAt - startedAt - (sent[index + 1]?.at ?? 0))).toBeLessThanOrEqual(1_000);
  });

  it("is nothing where it cannot be waited for", async () => {
    const decisions = recordEvents("squad-rate:decision");
    const { github, call, squad } = recovery({ maxWaitMs: 1_000 });
    github.once(UNWELL);
    await call();
    github.once(SECONDARY);
    await call();
    expect(decisions).toEqual([]);
    expect(squad.status().counters).toMatchObject({ waited: 0, refused: 0, retried: 0 });
  });
});

describe("the log", () => {
  it("mentions a call once, when all its waits together have taken five seconds", async () => {
    const { github, clock, octokit, logged } = setUpBench({ ...PATIENT, retry: true, random: () => 0.5 });
    github.route("/user", UNWELL);
    const call = octokit("ghp_x").request("GET /user");
    const failed = expect(clock.settle(call)).rejects.toMatchObject({ status: 500 });
    await failed;
    expect(logged).toEqual([
      "info: squad-rate: ralph has waited 5 s of at most 4 h to send GET /user: core: the server failed; P1 tries again in 5 s, retry 2 of 3",
    ]);
  });
});
