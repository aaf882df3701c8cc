import type { ResolvedPacingOptions, ResolvedSecondaryOptions } from "../options.js";
import type { ContentLimits } from "../policy/content-writes.js";
import { decidePace, enterLane, IDLE_LANES, type Lane, type PaceState } from "../policy/pacing.js";
import { factorAt, RELAXED, type Tightening, tighten } from "../policy/secondary/tightening.js";
import { type LimitParts, type SecondaryCall, type SecondaryScope, SecondaryUse, WHOLE } from "../policy/secondary.js";
import type { ContentWrites } from "../pool/content-writes.js";
import type { SecondaryParts } from "../pool/secondary-parts.js";

/** What a {@link SecondaryGuard} is made with. */
export interface SecondaryGuardOptions {
  /** `false`: secondary limits are not minded. */
  readonly secondary: ResolvedSecondaryOptions | false;
  /** `false`: writes, notifications and searches go as they come. */
  readonly pacing: ResolvedPacingOptions | false;
  /** Where processes count content writes together; undefined where nobody shares them. */
  readonly content: ContentWrites | undefined;
  /** How processes divide the other limits; undefined where nobody shares them. */
  readonly sharedParts: SecondaryParts | undefined;
  /** Epoch milliseconds of a clock that nobody sets. */
  readonly localNow: () => number;
}

/** Each process has heard of the others' demand at another moment, so that their parts may come to more than all. */
const SURE_PART = 0.93;

/** A use above this part of a limit explains why GitHub refused. */
const EXPLAINED_ABOVE = 0.9;

/** Milliseconds of response time in a minute: what this process has used, what it may use, and what all may together. */
export interface ResponseTime {
  readonly usedMs: number;
  readonly mostMs: number;
  readonly fleetMs: number;
}

/** One principal's use of GitHub's secondary limits, as far as this process knows, and its pace. */
export class SecondaryGuard {
  readonly content: ContentWrites | undefined;
  readonly #secondary: ResolvedSecondaryOptions | false;
  readonly #pacing: ResolvedPacingOptions | false;
  readonly #sharedParts: SecondaryParts | undefined;
  readonly #localNow: () => number;
  readonly #use = new SecondaryUse();
  #pace: PaceState = IDLE_LANES;
  #tightening: Tightening = RELAXED;
  /** Whether the server limits anything: one that shows no quota has no secondary limits either. */
  isLimited = true;
  /** Processes that share the principal, this one included. */
  processes = 1;
  /** A call was told to wait for one of the requests under way to end. */
  slotWanted = false;

  constructor({ secondary, pacing, content, sharedParts, localNow }: SecondaryGuardOptions) {
    this.#secondary = secondary;
    this.#pacing = pacing;
    this.content = content;
    this.#sharedParts = sharedParts;
    this.#localNow = localNow;
  }

  /** Whether use is counted. */
  get counts(): boolean {
    return this.#secondary !== false;
  }

  /** How far limits are tightened after refusals that they do not explain: 1 is not at all. */
  factor(): number {
    return this.#tightening === RELAXED ? 1 : factorAt(this.#tightening, this.#localNow());
  }

  /** Requests that this process may have under way at once, before limits are tightened. */
  concurrent(): number {
    if (this.#secondary === false) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor(this.#secondary.concurrent / this.processes));
  }

  /** Requests under way. */
  get underWay(): number {
    return this.#use.underWay;
  }

  /** Whether the pace and the limits have room for a call; nothing is taken yet. Times are local ones. */
  decide(
    call: SecondaryCall,
    lane: Lane,
  ): { readonly gate: "pacing" | "secondary"; readonly untilAt: number; readonly why: string } | undefined {
    if (!this.isLimited) return undefined;
    const now = this.#localNow();
    if (lane !== "direct" && this.#pacing !== false) {
      const word = decidePace(this.#pace, lane, this.#pacing, now);
      if (word.kind === "wait") return { gate: "pacing", untilAt: word.untilAt, why: word.why };
    }
    if (this.#secondary === false) return undefined;
    const word = this.#use.decide(call, this.#scope(this.#secondary), now);
    if (word.kind === "go") return undefined;
    if (word.limit === "concurrent") this.slotWanted = true;
    else this.#sharedParts?.heldBack();
    return { gate: "secondary", untilAt: word.untilAt, why: word.why };
  }

  /** A call is admitted; returns the local time at which. */
  begin(call: SecondaryCall, lane: Lane): number {
    const now = this.#localNow();
    if (lane !== "direct") this.#pace = enterLane(this.#pace, lane, now);
    if (this.#secondary !== false) {
      this.#use.begin(call, now);
      if (this.isLimited) this.#sharedParts?.sent(this.#use.total, this.processes);
    }
    return now;
  }

  /** Its exchange has ended. */
  end(call: SecondaryCall, durationMs: number): void {
    if (this.#secondary === false) return;
    this.#use.end(call, durationMs, this.#localNow());
    if (this.isLimited) this.#sharedParts?.sent(this.#use.total, this.processes);
  }

  /** It was not sent after all. */
  undo(call: SecondaryCall, begunAt: number): void {
    if (this.#secondary !== false) this.#use.undo(call, begunAt);
  }

  /** Whether what this process counts, or all processes have told, is so near a limit that a refusal is no wonder. */
  explains(): boolean {
    if (this.#secondary === false) return false;
    const own = this.#use.pressure(this.#scope(this.#secondary), this.#localNow()).fraction;
    return Math.max(own, this.#sharedParts?.pressure(this.#secondary) ?? 0) >= EXPLAINED_ABOVE;
  }

  /** GitHub refused what should have passed: for a while less is taken for granted. */
  tighten(): void {
    this.#tightening = tighten(this.#tightening, this.#localNow());
  }

  /** What the whole fleet may write, content of any kind. */
  contentLimits(): ContentLimits | undefined {
    if (this.#secondary === false || !this.isLimited) return undefined;
    const factor = this.factor();
    const of = (limit: number): number => Math.max(1, Math.floor(limit * factor));
    return {
      contentPerMinute: of(this.#secondary.contentPerMinute),
      contentPerHour: of(this.#secondary.contentPerHour),
    };
  }

  /** This process's part (0-1) of each limit that processes divide by what they use. */
  parts(): LimitParts {
    const limits = this.#secondary;
    if (limits === false) return WHOLE;
    const parts = this.#sharedParts?.now(this.processes, limits) ?? WHOLE;
    if (parts === WHOLE) return WHOLE;
    const { points, graphqlPoints, responseMs, graphqlResponseMs } = parts;
    return {
      points: points * SURE_PART,
      graphqlPoints: graphqlPoints * SURE_PART,
      responseMs: responseMs * SURE_PART,
      graphqlResponseMs: graphqlResponseMs * SURE_PART,
    };
  }

  /** Milliseconds of response time in the last minute; undefined where secondary limits are not minded. */
  responseTime(): ResponseTime | undefined {
    if (this.#secondary === false) return undefined;
    const { responseMsPerMinute } = this.#secondary;
    return {
      usedMs: this.#use.responseMs(this.#localNow()),
      mostMs: Math.floor(responseMsPerMinute * this.parts().responseMs * this.factor()),
      fleetMs: responseMsPerMinute,
    };
  }

  #scope(limits: ResolvedSecondaryOptions): SecondaryScope {
    const parts = this.parts();
    return {
      limits,
      parts,
      divided: parts !== WHOLE,
      concurrent: this.concurrent(),
      content: this.content === undefined,
      factor: this.factor(),
    };
  }
}
