import type { Priority } from "../light.js";
import type { PerClass } from "../share/quota-document.js";
import type { SeenQuota } from "../share/report.js";
import { NO_WANT, type Want } from "./want.js";

/** One class's units in this process. */
export interface ClassAccount {
  /** Units granted and not spent. Below 0 when calls cost more than was set aside for them. */
  readonly balance: number;
  /** Units of calls sent and not settled. */
  readonly inFlight: number;
  /** Units charged in the window that the balance is of. */
  readonly spent: number;
  /** Units charged already in a window that follows it. */
  readonly spentAhead: number;
  /** Units spent since the report that is under way was made. */
  readonly sinceReport: number;
  /** Units that waiting calls need. */
  readonly waiting: number;
  /** Of those, what the first needs; 0 while none has asked in vain. */
  readonly firstUnits: number;
  /** The size of the latest grant, and when it came. */
  readonly lastGrant: number;
  readonly grantedAt: number;
  /** Not to ask before this, after a denial. */
  readonly retryAt: number;
  readonly deniedAt: number;
  /** How often in a row it was denied; a grant takes one off, since units that come one by one end no shortage. */
  readonly denials: number;
  /** When a call of it was sent last. */
  readonly usedAt: number;
  readonly want: Want;
}

/** What a spender is made with. */
export interface SpenderFacts {
  /** Unique in the pool. */
  readonly spender: string;
  /** How long this resource's windows are expected to last; the pool, or a header, may know better. */
  readonly windowMs: number;
  /** An exchange is aborted after this long, and charged at most this much after it was sent. */
  readonly requestTimeoutMs: number;
}

/**
 * One process's part in the pool of one resource of one principal: units by class, and what it last heard. Plain data,
 * changed by the functions of `spender.ts`. All times are GitHub's clock, epoch milliseconds.
 */
export interface SpenderState extends SpenderFacts {
  /** A header has told this process how long a window lasts. */
  readonly windowMeasured: boolean;
  /** The pool's number of the window that the counts are of; undefined before the first grant. */
  readonly window: number | undefined;
  /** The pool's number of the stint that they are of. */
  readonly stint: number | undefined;
  readonly resetAt: number | undefined;
  readonly previousResetAt: number;
  /** Nothing of the balance may be sent from then on. */
  readonly spendUntil: number;
  readonly reportBy: number;
  /** Changes with every report; an answer to another one is late and is not heard. */
  readonly reportId: number;
  readonly reporting: boolean;
  readonly reportedAt: number;
  /** The newest rate headers seen. */
  readonly header: SeenQuota | undefined;
  /** The first header of a window, which the others wait for, is not reported yet. */
  readonly news: boolean;
  /** GitHub answered, and named no quota: there is nothing to share. */
  readonly unmetered: boolean;
  /** Entitlement by class as a share (0-1) of the limit, as the pool last said; 0 when it has not. */
  readonly share: PerClass<number>;
  /** Units that no spender held when the pool last spoke. */
  readonly unheld: number;
  /** The store does not answer: the spender paces itself. */
  readonly lost: boolean;
  /** How often in a row the store did not answer, and when to try it again. */
  readonly failures: number;
  readonly tryStoreAt: number;
  /** While the store is lost: no unit beyond the balance before this. */
  readonly pacedUntil: number;
  /** Units of requests without an answer that were given back in this window. */
  readonly writtenOff: number;
  readonly classes: PerClass<ClassAccount>;
}

/** One call's hold on units, from just before it is sent until its answer is settled. */
export interface SpendTicket {
  readonly priority: Priority;
  readonly units: number;
  /** The window whose units these are. */
  readonly window: number | undefined;
  /** Whether they were taken from the balance, and can go back to it. */
  readonly granted: boolean;
  /** When they were taken. Not sent before. */
  readonly sentAt: number;
}

const EMPTY_ACCOUNT: ClassAccount = {
  balance: 0,
  inFlight: 0,
  spent: 0,
  spentAhead: 0,
  sinceReport: 0,
  waiting: 0,
  firstUnits: 0,
  lastGrant: 0,
  grantedAt: 0,
  retryAt: 0,
  deniedAt: 0,
  denials: 0,
  usedAt: 0,
  want: NO_WANT,
};

/** A spender that has heard nothing yet. */
export function newSpender(facts: SpenderFacts): SpenderState {
  return {
    ...facts,
    windowMeasured: false,
    window: undefined,
    stint: undefined,
    resetAt: undefined,
    previousResetAt: 0,
    spendUntil: 0,
    reportBy: 0,
    reportId: 0,
    reporting: false,
    reportedAt: 0,
    header: undefined,
    news: false,
    unmetered: false,
    share: [0, 0, 0],
    unheld: 0,
    lost: false,
    failures: 0,
    tryStoreAt: 0,
    pacedUntil: 0,
    writtenOff: 0,
    classes: [EMPTY_ACCOUNT, EMPTY_ACCOUNT, EMPTY_ACCOUNT],
  };
}

/** A copy with some of one class changed. */
export function withClass(state: SpenderState, priority: Priority, change: Partial<ClassAccount>): SpenderState {
  const [a, b, c] = state.classes;
  const own = { ...state.classes[priority], ...change };
  const classes: PerClass<ClassAccount> = priority === 0 ? [own, b, c] : priority === 1 ? [a, own, c] : [a, b, own];
  return { ...state, classes };
}
