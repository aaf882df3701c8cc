import { afterAll, describe, expect, it } from "vitest";
import type { SimulatedExchange } from "../../src/sim/index.js";
import { SHARED_WAYS, setUpClients } from "./clients/client-bench.js";
import { requireGoGithub } from "./clients/require-go-github.js";
import { CURL, PYGITHUB, requireProgram } from "./clients/require-program.js";

const curl = await requireProgram(CURL);
const python = await requireProgram(PYGITHUB);
const go = await requireGoGithub();
const compiled = go.missing ? undefined : await go.build("examples/clients/pull_requests.go");
afterAll(() => compiled?.remove());

/** A client that lists a dozen pull requests on three pages and, told of an issue, leaves a comment on it. */
interface Program {
  readonly label: string;
  readonly missing: boolean;
  readonly words: readonly string[];
  /** Its requests to list, how many of them are for something new, and its requests to comment. */
  readonly listing: number;
  readonly distinct: number;
  readonly commenting: number;
}

const PROGRAMS: readonly Program[] = [
  {
    ...python,
    words: [python.program, "examples/clients/pull_requests.py"],
    // The repository, three pages, and twelve times the user who wrote them all.
    listing: 1 + 3 + 12,
    distinct: 1 + 3 + 1,
    commenting: 2,
  },
  { ...curl, words: ["sh", "examples/clients/pull_requests.sh"], listing: 3, distinct: 3, commenting: 1 },
  { ...go, words: [compiled?.program ?? ""], listing: 3, distinct: 3, commenting: 2 },
  {
    label: "Octokit without the plugin",
    missing: false,
    words: [process.execPath, "--import", "tsx", "examples/clients/pull-requests.ts"],
    listing: 3,
    distinct: 3,
    commenting: 2,
  },
];

for (const { label, missing, words, listing, distinct, commenting } of PROGRAMS) {
  const [program = "", ...args] = [...words, "acme/app-1"];

  // Processes, on machines that may be busy.
  describe.skipIf(missing)(label, { timeout: 60_000 }, () => {
    it.each(SHARED_WAYS)("prints the same %s as directly, and pays only for what is new", async (way) => {
      const direct = await setUpClients("directly");
      const expected = await direct.printed(program, ...args, "1");
      const lines = expected.trimEnd().split("\n");
      expect(lines).toHaveLength(12 + 1);

      const bench = await setUpClients(way);
      expect(await bench.printed(program, ...args, "1")).toBe(expected);
      const first = bench.asked();
      expect([first.length, sumOf(first)]).toEqual([listing + commenting, distinct + commenting]);

      expect(await bench.printed(program, ...args)).toBe(`${lines.slice(0, 12).join("\n")}\n`);
      const again = bench.asked();
      expect(again.map(({ status }) => status)).toEqual(Array.from({ length: listing }, () => 304));

      const { scorecard, spend } = await bench.report();
      const units = distinct + commenting;
      expect(scorecard).toMatchObject({ units, opaque: { exchanges: 0 } });
      expect(spend.agents.rows).toMatchObject([{ name: "clerk", units }]);
    });

    it("shows nobody its address when it fails", async () => {
      const bench = await setUpClients("through a proxy");
      const { pathname } = new URL(bench.environment.GITHUB_API_URL as string);

      const { status, stdout, stderr } = await bench.run(program, ...args.slice(0, -1), "acme/nope");

      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain("Not Found");
      expect(stderr).not.toContain(pathname);
    });

    it("says when to come back if the squad refuses", async () => {
      const bench = await setUpClients("through a proxy", { maxWaitMs: 0 });
      bench.github.consume("ghp_mona", "core", 5_000);
      // GitHub's own refusal, from which the squad learns.
      await bench.run(program, ...args);
      bench.asked();

      const refused = await bench.run(program, ...args);

      expect(refused).toMatchObject({
        status: 1,
        stdout: "",
        stderr: expect.stringMatching(/come back in \d+ s:\s.*API rate limit exceeded/),
      });
      expect(bench.asked()).toEqual([]);
    });
  });
}

function sumOf(exchanges: readonly SimulatedExchange[]): number {
  return exchanges.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
}
