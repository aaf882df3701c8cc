import fc from "fast-check";
import { openBook } from "../../../src/policy/share/book.js";
import { divide, P0_FLOOR_SHARE } from "../../../src/policy/share/division.js";
import { PRIORITIES, type QuotaDocument } from "../../../src/policy/share/quota-document.js";
import { CUSHION_UNITS, standingOf } from "../../../src/policy/share/standing.js";
import type { ShareReport, ShareUpdate } from "../../../src/policy/share.js";
import { PoolModel, type PoolModelOptions, type PoolStep, poolSteps } from "../../harness/pool-model.js";

const WINDOW_MS = 600_000;
const EPSILON = 1e-6;

/** Cheaper than an assertion library's, which these laws would spend most of their time in. */
function hold(law: string, least: number, most: number): void {
  if (least > most + EPSILON) throw new Error(`${law}: ${least} > ${most}`);
}

/** Half a second either way, and machines up to half a minute off before the first answer. */
const clocks = {
  clockErrorsMs: fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 4, maxLength: 4 }),
  clockSkewsMs: fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 4, maxLength: 4 }),
};

export const modelOptions: fc.Arbitrary<PoolModelOptions> = fc.record({
  limit: fc.integer({ min: 8, max: 40 }),
  windowMs: fc.constantFrom(60_000, WINDOW_MS),
  spenders: fc.integer({ min: 1, max: 4 }),
  unchangedEvery: fc.constantFrom(0, 2, 3),
  resetJitterMs: fc.constantFrom(0, 1_000),
  ...clocks,
});

/** Units handed out in the window of `doc`, and of them what is reported as spent. */
function sums(doc: QuotaDocument): { readonly allocated: number; readonly spent: number } {
  const retired = doc.retired[0] + doc.retired[1] + doc.retired[2];
  const all = Object.values(doc.allocations);
  return {
    allocated: retired + all.reduce((sum, of) => sum + of.allocated, 0),
    spent: retired + all.reduce((sum, of) => sum + of.used, 0),
  };
}

/** Whether the update let a call go to find out about a window of which nobody knows anything. */
function probed(update: ShareUpdate, before: QuotaDocument | undefined): boolean {
  return update.doc.probedAt !== (before?.probedAt ?? 0);
}

/** At every grant: what is or may be spent, with what headers show beyond it, is within the limit. */
export function expectSafe(
  update: ShareUpdate,
  { clockKnown }: ShareReport,
  before: QuotaDocument | undefined,
  limit: number,
): void {
  const [a, b, c] = update.grant.units;
  if (a + b + c === 0) return;
  const { allocated, spent } = sums(update.doc);
  // Who holds the window for over, by a clock that nobody has set, sends into the next one if it is right.
  if (!clockKnown && probed(update, before)) return;
  hold("units handed out are within the limit", allocated, limit);
  // A probe goes because nobody can say how much is used.
  if (probed(update, before)) return;
  hold("units used and unspent are within the limit", Math.max(update.doc.used, spent) + allocated - spent, limit);
}

/**
 * No inversion: after a grant to a class the free units cover every higher class's recorded backlog, as far as it is
 * within its entitlement; and P0's floor, whether or not a P0 call has been seen.
 */
function expectNoInversion(
  update: ShareUpdate,
  report: ShareReport,
  before: QuotaDocument | undefined,
  limit: number,
  now: number,
): void {
  if (probed(update, before) || !report.clockKnown) return;
  const book = openBook(update.doc);
  const standing = standingOf(book, limit, now);
  const division = divide(book, standing, now);
  if (update.grant.units[1] + update.grant.units[2] > 0) {
    hold("P0's floor stays", P0_FLOOR_SHARE * limit * Math.min(1, standing.leftMs / book.windowMs), standing.free);
  }
  let owed = 0;
  for (const priority of PRIORITIES) {
    if (update.grant.units[priority] > 0) {
      // Half a unit more or less is an estimate's doing; a call needs whole ones.
      hold("urgent classes' backlog stays covered", Math.floor(owed), standing.free);
    }
    owed += Math.min(division[priority].entitled, division[priority].backlog);
  }
}

/** What a spender may still spend, has sent and has spent is never more than the pool has down for it. */
export function expectWithinGrant(model: PoolModel): void {
  const { doc } = model;
  model.spenders.forEach(({ state, unheard }, who) => {
    if (unheard || doc === undefined || state.window !== doc.window || state.reporting) return;
    const allocation = Object.hasOwn(doc.allocations, state.spender) ? doc.allocations[state.spender] : undefined;
    if (allocation === undefined) {
      const mayStillSpend =
        model.believedNow(who) < state.spendUntil && state.classes.some(({ balance }) => balance > 0);
      if (mayStillSpend) throw new Error(`${state.spender} may spend what the pool has taken back`);
      return;
    }
    const own = state.classes.reduce((sum, of) => sum + of.spent + of.inFlight + of.balance, 0);
    hold("what a spender has is within its grants", own, allocation.allocated);
  });
}

/** The first call of all finds out what the quota is: before that nobody can say what is safe. */
export const PREAMBLE: readonly PoolStep[] = [
  { kind: "call", who: 0, priority: 1, units: 1 },
  { kind: "report", who: 0 },
  { kind: "send", who: 0 },
  { kind: "reach", which: 0 },
  { kind: "answer", which: 0 },
  { kind: "report", who: 0 },
];

export interface Laws {
  readonly runs: number;
  readonly seed?: number;
}

/** One run without hidden use: safe, in order, within the grant, and GitHub refuses nothing. */
export function followWithoutHiddenUse(options: PoolModelOptions, list: readonly PoolStep[]): void {
  let probes = 0;
  const model = new PoolModel(options, (update, report, before, now) => {
    expectSafe(update, report, before, options.limit);
    expectNoInversion(update, report, before, options.limit, now);
    if (before !== undefined && probed(update, before)) probes += 1;
  });
  for (const step of [...PREAMBLE, ...list]) {
    model.step(step);
    expectWithinGrant(model);
    hold("GitHub refuses nothing", model.refused, 0);
    // The cushion would hide a fault of a unit or two.
    if (probes === 0) hold("the cushion stays", model.used, options.limit - CUSHION_UNITS);
  }
}

function followWithHiddenUse(options: PoolModelOptions, list: readonly PoolStep[]): void {
  const model = new PoolModel(options, (update, report, before, now) => {
    expectSafe(update, report, before, options.limit);
    expectNoInversion(update, report, before, options.limit, now);
  });
  for (const step of [...PREAMBLE, ...list]) {
    model.step(step);
    expectWithinGrant(model);
  }
}

/** A log that lost its beginning still tells how to see the failure again. */
function report(details: fc.RunDetails<[PoolModelOptions, readonly PoolStep[]]>): void {
  if (!details.failed) return;
  const { seed, counterexamplePath, errorInstance } = details;
  const told = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    `${fc.defaultReportMessage(details)}\n${told}\nSeen again with seed: ${seed}, path: "${counterexamplePath}"`,
    { cause: errorInstance },
  );
}

function assertAlways(
  follow: (options: PoolModelOptions, list: readonly PoolStep[]) => void,
  hidden: boolean,
  { runs, seed }: Laws,
): void {
  fc.assert(fc.property(modelOptions, poolSteps({ hidden, windowMs: WINDOW_MS }), follow), {
    numRuns: runs,
    reporter: report,
    ...(seed === undefined ? {} : { seed }),
  });
}

/** Without hidden use: safe, in order, within the grant, and GitHub refuses nothing, ever. */
export function assertNothingRefused(laws: Laws): void {
  assertAlways(followWithoutHiddenUse, false, laws);
}

/** With hidden use refusals cannot be ruled out, but every law of a grant holds. */
export function assertLawsUnderHiddenUse(laws: Laws): void {
  assertAlways(followWithHiddenUse, true, laws);
}
