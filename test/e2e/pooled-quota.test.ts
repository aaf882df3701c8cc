import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Octokit } from "@octokit/core";
import Keyv from "keyv";
import { Keyv as Keyv6 } from "keyv6";
import { afterAll, describe, it } from "vitest";
import { isSquadRateError } from "../../src/errors.js";
import type { SquadOptions } from "../../src/options.js";
import { squadRate } from "../../src/plugin.js";
import { createSimulatedGitHub } from "../../src/sim/index.js";
import { requireServer } from "../harness/servers.js";

const directory = await mkdtemp(join(tmpdir(), "squad-rate-pool-"));
afterAll(() => rm(directory, { recursive: true, force: true }));
const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const SquadOctokit = Octokit.plugin(squadRate);

interface StoreCase {
  readonly label: string;
  readonly missing: boolean;
  /** One for each of the squads that share it. */
  readonly store: () => NonNullable<SquadOptions["store"]>;
}

const shared5 = new Map<string, unknown>();
const shared6 = new Map<string, unknown>();
const STORES: readonly StoreCase[] = [
  { label: "file", missing: false, store: () => `file:${directory}/pool` },
  { ...redis, store: () => redis.url },
  { ...postgres, store: () => postgres.url },
  { label: "a Keyv of version 5", missing: false, store: () => new Keyv({ store: shared5 }) },
  { label: "a Keyv of version 6", missing: false, store: () => new Keyv6({ store: shared6 }) as unknown as Keyv },
];

describe.concurrent("one quota of 60 for three squads that want 90", () => {
  for (const { label, missing, store } of STORES)
    it.skipIf(missing)(
      `is divided in real time through ${label}: nothing is refused, most is used, the rest is given back`,
      async ({ expect }) => {
        const token = `ghp_${randomUUID().replaceAll("-", "")}`;
        const github = createSimulatedGitHub({ limits: { core: { limit: 60, windowMs: 6_000 } } });
        github.world.addToken(token, "mona");
        const mirror = join(directory, `mirror-${label.replaceAll(" ", "-")}.json`);
        const octokits = ([0, 1, 2] as const).map(
          (priority) =>
            new SquadOctokit({
              auth: token,
              request: { fetch: github.fetch },
              squad: {
                agent: `agent-${priority}`,
                priority,
                store: store(),
                storeTimeoutMs: 5_000,
                maxWaitMs: 3_000,
                cache: false,
                pool: { mirror },
              },
            }),
        );
        const outcomes = await Promise.allSettled(
          Array.from({ length: 90 }, (_, index) => octokits[index % 3]?.request("GET /user")),
        );
        const [ledger] = github.ledger();
        expect(ledger).toMatchObject({ refusedByPrimary: 0 });
        expect(ledger?.chargedUnits).toBeGreaterThan(40);
        const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
        expect(refusals.length).toBe(90 - (ledger?.chargedUnits ?? 0));
        expect(refusals.every((error) => isSquadRateError(error) && error.code === "SQUAD_RATE_POOL")).toBe(true);

        // One after the other, so that the last to write the mirror has seen the others leave.
        for (const octokit of octokits) await octokit.squad.close();
        const { totalLimit, allocations } = JSON.parse(await readFile(mirror, "utf8"));
        expect({ totalLimit, allocations }).toEqual({ totalLimit: 60, allocations: {} });
      },
    );
});
