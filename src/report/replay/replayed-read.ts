import type { Exchange } from "../observed.js";
import { sameTagStart } from "./same-tag.js";
import { CACHEABLE, DUPLICATE, FREE, IRREDUCIBLE, type Verdict } from "./verdict.js";

/** An answer as the cache would keep it. */
interface Kept {
  readonly tag: string;
  /** A full last page: its tag does not prove it, so it is fetched whole. */
  readonly mayHaveGrown: boolean;
  readonly startedAt: number;
}

interface Flight {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly startedAfterWrite: number;
  /** Undefined when the answer cannot be kept, and so not be shared either. */
  readonly kept: Kept | undefined;
  /** Whether such an answer still ends what was known. */
  readonly isLastWord: boolean;
}

/**
 * One read of one credential as squadRate's cache would have seen it: the rules are those of `cache/conditional-cache.ts`
 * and `cache/flights.ts`, told only the beginnings of entity tags and the times.
 */
export class ReplayedRead {
  #kept: Kept | undefined;
  /** In the order in which they end. */
  #underWay: Flight[] = [];
  #latest: Flight | undefined;

  /** Whether an answer is kept that it could be asked about. */
  isKnown(now: number): boolean {
    this.#landUntil(now);
    return this.#kept !== undefined;
  }

  /** `lastWrite` is the count at the last write that it must see, `writes` the count when it begins. */
  send(read: Exchange, lastWrite: number, writes: number): Verdict {
    this.#landUntil(read.at);
    const flight = this.#latest;
    const isUnderWay = flight !== undefined && read.at < flight.endedAt;
    if (isUnderWay && flight.kept !== undefined && flight.startedAfterWrite >= lastWrite) return DUPLICATE;
    const tag = tagOf(read);
    const known = this.#kept;
    const isUnchanged = known !== undefined && tag !== undefined && !known.mayHaveGrown && sameTagStart(known.tag, tag);
    const mayHaveGrown = isUnchanged ? known.mayHaveGrown : read.mayHaveGrown;
    this.#fly({
      startedAt: read.at,
      endedAt: read.endedAt,
      startedAfterWrite: writes,
      kept: tag === undefined ? undefined : { tag, mayHaveGrown, startedAt: read.at },
      isLastWord: isLastWord(read),
    });
    if (read.units === 0) return (read.status ?? 500) < 400 ? FREE : IRREDUCIBLE;
    return isUnchanged && canBeFree(read) ? CACHEABLE : IRREDUCIBLE;
  }

  #fly(flight: Flight): void {
    this.#latest = flight;
    const after = this.#underWay.findIndex((other) => other.endedAt > flight.endedAt);
    if (after === -1) this.#underWay.push(flight);
    else this.#underWay.splice(after, 0, flight);
  }

  #landUntil(now: number): void {
    while (this.#underWay[0] !== undefined && this.#underWay[0].endedAt <= now) {
      const { kept, isLastWord } = this.#underWay.shift() as Flight;
      // Of two that overlapped, the one that began later is nearer to the present.
      if (kept !== undefined) {
        if (this.#kept === undefined || this.#kept.startedAt <= kept.startedAt) this.#kept = kept;
      } else if (isLastWord) this.#kept = undefined;
    }
  }
}

/** Without credentials a 304 is charged, and one that was charged for a redirect would be again. */
function canBeFree({ status, origin, credential }: Exchange): boolean {
  return status !== 304 && (origin === "foreign" || credential !== undefined);
}

/** Of a 304 the validator that it confirms. */
function tagOf({ status, etag, validator }: Exchange): string | undefined {
  if (status === 304) return validator ?? etag;
  return status === 200 ? etag : undefined;
}

function isLastWord({ status, outcome }: Exchange): boolean {
  const wasRefused = outcome === "primary-limit" || outcome === "secondary-limit";
  return status !== undefined && status < 500 && status !== 401 && !wasRefused;
}
