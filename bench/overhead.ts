import type { Benchmark } from "./benchmark.js";
import { listBody, TINY_BODY } from "./bodies.js";
import { AT_ONCE, KEPT_ANSWERS, type OverheadCase, overheadCases } from "./overhead-cases.js";
import { type Measured, type Rounds, runRounds, type Spread, spreadOf } from "./rounds.js";
import { stubAlone } from "./stub-alone.js";
import { table } from "./table.js";

/** The most that a call may cost, as a multiple of what the plain client's costs. */
type Targets = Readonly<Record<string, number>>;

interface Size {
  readonly name: string;
  readonly body: string;
  readonly targets: Targets;
  /** Calls of a case in one turn. */
  readonly calls: number;
}

const SIZES: readonly Size[] = [
  {
    name: "tiny body",
    body: TINY_BODY,
    targets: { miss: 1.5, revalidated: 1.1, fresh: 0.6, "uncacheable GET": 1.2, POST: 1.3 },
    calls: 20,
  },
  {
    name: "10 kB body",
    body: listBody(10_000),
    targets: { miss: 1.2, revalidated: 1.05 },
    calls: 6,
  },
];

/** What a call costs beside the same call by a plain Octokit, when GitHub takes no time at all. */
export const overhead: Benchmark = {
  name: "overhead",
  question: "What does a call cost beside the same call by plain Octokit, when GitHub answers at once?",
  async run(effort) {
    const rounds: Rounds = effort.short ? { warmUp: 3, measured: 9, turns: 4 } : { warmUp: 6, measured: 25, turns: 10 };
    const lines = [
      `Microseconds per call: the median of ${rounds.measured} rounds in which all cases take turns, and the least and the greatest`,
      "round. `ratio` and `added` (medians too) compare each round with plain Octokit in that round, which makes the same",
      "requests and always gets a body. `at best`: the fastest twentieth of the turns, in microseconds and as a ratio, which",
      "a busy machine disturbs least, but which knows little of garbage collection.",
      `miss: another address each time, in a full cache of ${KEPT_ANSWERS} answers. shared: of ${AT_ONCE} identical reads at once, the one`,
      "that is sent and those that join it.",
    ];
    const data: object[] = [];
    for (const size of SIZES) {
      const { calls } = size;
      const cases = await overheadCases(size.body, calls);
      const stubs = stubAlone(size.body, calls);
      const measured = await runRounds([...stubs, ...cases], rounds);
      const found = cases.map((one) => compare(one, measured, size.targets[one.name]));
      const alone = stubs.map(({ name }) => ({ name, ...spreadOf(measuredOf(name, measured).means) }));
      lines.push("", `${size.name} (${size.body.length} bytes)`, "", ...table([HEAD, ...found.map(rowOf)]), "");
      lines.push(`The stub alone: ${alone.map(({ name, median }) => `${name} ${median.toFixed(1)}`).join(", ")}.`);
      data.push({ body: size.name, bytes: size.body.length, calls, rounds, cases: found, stub: alone });
    }
    return { lines, data };
  },
};

interface Found extends Spread {
  readonly name: string;
  readonly atBest: number;
  readonly against: Against | undefined;
  readonly target: number | undefined;
}

/** A case beside the plain client's. */
interface Against {
  readonly plain: string;
  readonly ratio: number;
  readonly addedMicros: number;
  readonly ratioAtBest: number;
}

type All = ReadonlyMap<string, Measured>;

function compare({ name, plain }: OverheadCase, measured: All, target: number | undefined): Found {
  const own = measuredOf(name, measured);
  const against = plain === undefined ? undefined : { plain, ...beside(own, measuredOf(plain, measured)) };
  return { name, ...spreadOf(own.means), atBest: own.atBest, against, target };
}

function beside(own: Measured, plain: Measured): Omit<Against, "plain"> {
  const medianOf = (compared: (own: number, plain: number) => number): number =>
    spreadOf(own.means.map((mean, round) => compared(mean, plain.means[round] ?? Number.NaN))).median;
  const ratioAtBest = own.atBest / plain.atBest;
  return { ratio: medianOf((a, b) => a / b), addedMicros: medianOf((a, b) => a - b), ratioAtBest };
}

function measuredOf(name: string, measured: All): Measured {
  return measured.get(name) ?? { means: [], atBest: Number.NaN };
}

const HEAD: readonly string[] = ["case", "µs", "least", "greatest", "ratio", "added", "target", "at best", "ratio"];

function rowOf({ name, median, min, max, atBest, against, target }: Found): readonly string[] {
  const micros = [median, min, max].map((value) => value.toFixed(1));
  if (against === undefined) return [name, ...micros, "", "", "", atBest.toFixed(1), ""];
  const { ratio, addedMicros, ratioAtBest } = against;
  const added = `${addedMicros < 0 ? "" : "+"}${addedMicros.toFixed(1)}`;
  const verdict = target === undefined ? "" : `<= ${target.toFixed(2)} ${ratio <= target ? "  ok" : "OVER"}`;
  return [name, ...micros, ratio.toFixed(2), added, verdict, atBest.toFixed(1), ratioAtBest.toFixed(2)];
}
