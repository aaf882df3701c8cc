/** One window of one resource of one principal: what GitHub's headers showed, and what the trace's requests explain. */
export interface WindowRow {
  readonly principal: string;
  readonly resource: string;
  /** GitHub's clock, epoch milliseconds. */
  readonly resetAt: number;
  readonly limit: number;
  /** Times of the first and the last header seen, machines' clocks. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The most that a header showed as used. */
  readonly usedUnits: number;
  readonly chargedUnits: number;
  /** Used, and by nothing in the trace. */
  readonly hiddenUnits: number;
  /** Used before the trace began. */
  readonly beforeTraceUnits: number;
  /** Charged in the trace, and shown by no header yet. */
  readonly unconfirmedUnits: number;
  readonly exchanges: number;
  /** Exchanges of which nobody knows what they cost: the difference is among the hidden. */
  readonly unknownCosts: number;
  /** Whether the trace goes on after its reset; otherwise more may have come. */
  readonly isOver: boolean;
}

/** The windows of one resource of one principal, added up. */
export interface QuotaTotal {
  readonly principal: string;
  readonly resource: string;
  readonly windows: number;
  readonly used: number;
  readonly charged: number;
  readonly hidden: number;
  readonly beforeTrace: number;
  readonly unconfirmed: number;
}
