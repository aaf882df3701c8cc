import fc from "fast-check";
import { CLIENTS } from "./cast.js";
import { FAULTS } from "./faults.js";
import { FORGERY_NAMES } from "./forgeries.js";
import { READS, WRITES } from "./requests.js";
import type { Step } from "./scenario.js";

const SLOW = FAULTS.findIndex((fault) => fault.kind === "slow" && fault.ms > 1_000);
/** The first client of the other squad. */
const IN_B = CLIENTS.findIndex(({ squad }) => squad === "B");
const BROKEN = FAULTS.findIndex((fault) => fault.kind === "status");

/** A read, and a write that is likely to change its answer. */
const related = fc.constantFrom("hello", "moved", "secret", "user").chain((subject) => {
  const about = (path: string): boolean => subjectsOf(path).includes(subject);
  const reads = [...READS.keys()].filter((index) => about(READS[index]?.path ?? ""));
  const writes = [...WRITES.keys()].filter((index) => about(WRITES[index]?.path ?? ""));
  return fc.record({ read: fc.constantFrom(...reads), write: fc.constantFrom(...writes) });
});

/** Squads keep their own promises, so the write comes from a client of the reader's squad: the first ones are all in A. */
const reader = fc.nat(5);
const writer = fc.constantFrom(0, 0, 2, 3);

/** What chance alone brings together too rarely. */
export const episode: fc.Arbitrary<readonly Step[]> = fc.oneof(
  // A read that is answered late, a write that is over before, and the read again.
  episodeOf(({ read, write }) => [fault(SLOW), { ...read, thenMs: 150 }, { ...write, thenMs: 700 }, read]),
  // The same, but late after a redirect.
  episodeOf(({ read, write }) => [fault(SLOW, 2), { ...read, thenMs: 500 }, { ...write, thenMs: 700 }, read]),
  // A read, a write, and the read again where a recent answer would do.
  episodeOf(({ read, write }) => [
    { ...read, thenMs: 900 },
    { ...write, thenMs: 900 },
    { ...read, cache: { freshForMs: 10_000 } },
  ]),
  // A read, and the read again while GitHub is unwell.
  episodeOf(({ read }) => [{ ...read, thenMs: 900 }, fault(BROKEN), { ...read, cache: { maxStaleMs: 60_000 } }]),
  // A read, its entry in the store forged, and the read again by the other squad.
  episodeOf(({ read, forgery }) => [
    { ...read, thenMs: 900 },
    { kind: "tamper", entry: 0, forgery, thenMs: 0 },
    { ...read, client: IN_B },
  ]),
);

interface Parts {
  readonly forgery: string;
  readonly read: Extract<Step, { kind: "read" }>;
  readonly write: Extract<Step, { kind: "write" }>;
}

function episodeOf(steps: (parts: Parts) => readonly Step[]): fc.Arbitrary<readonly Step[]> {
  return fc
    .tuple(related, reader, writer, fc.integer({ min: 0, max: 400 }), fc.constantFrom(...FORGERY_NAMES))
    .map(([{ read, write }, one, other, thenMs, forgery]) =>
      steps({
        forgery,
        read: { kind: "read", client: one, read, cache: undefined, copies: 1, abort: undefined, thenMs },
        write: { kind: "write", client: other, write, abortAfterMs: undefined, thenMs },
      }),
    );
}

/** Strikes the next request, or with `every` the one that comes as number `every`. */
function fault(index: number, every = 1): Step {
  return { kind: "fault", fault: index, every, thenMs: 0 };
}

function subjectsOf(path: string): readonly string[] {
  if (/\/(?:old|new)\b/.test(path)) return ["moved"];
  if (/\/secret\b/.test(path)) return ["secret"];
  if (/\/repos\/mona\/h/i.test(path)) return ["hello"];
  return /^\/user/.test(path) ? ["user", "hello"] : ["hello"];
}
