import { type FleetUseDocument, type MinuteUse, usesAt } from "./fleet-use.js";
import type { SecondaryLimits } from "./limits.js";

/** This process's part (0-1) of each limit that processes divide by what they use of it. */
export interface LimitParts {
  /** Of the points of REST endpoints. */
  readonly points: number;
  readonly graphqlPoints: number;
  /** Of the response time of REST and GraphQL together. */
  readonly responseMs: number;
  readonly graphqlResponseMs: number;
}

/** All of everything: nobody else is known. */
export const WHOLE: LimitParts = Object.freeze({ points: 1, graphqlPoints: 1, responseMs: 1, graphqlResponseMs: 1 });

/** Nobody has used anything yet. */
export const NO_USE: MinuteUse = Object.freeze({
  requests: 0,
  restPoints: 0,
  graphqlPoints: 0,
  restMs: 0,
  graphqlMs: 0,
});

/** Everybody has so much of an even part besides what it uses, so that who uses little can come to use more. */
const EVEN_PART = 0.1;

/** New ones that come together know little of each other, so they leave a fifth of the limits alone. */
const LEFT_TO_NEW = 0.8;

/** Whose parts are asked for, and of what. */
export interface PartOf {
  readonly id: string;
  /** It has not been measured yet: the others may not have heard of it, and use all that they have told. */
  readonly isNew: boolean;
  /** How many processes are known to share the limits, listed or not. */
  readonly processes: number;
  readonly limits: SecondaryLimits;
}

/** What there is of each limit that counts all that processes tell. Points are counted by endpoint. */
const WHOLE_OF: { readonly [Limit in keyof LimitParts]: (limits: SecondaryLimits) => number } = {
  points: () => Number.POSITIVE_INFINITY,
  graphqlPoints: ({ graphqlPointsPerMinute }) => graphqlPointsPerMinute,
  responseMs: ({ responseMsPerMinute }) => responseMsPerMinute,
  graphqlResponseMs: ({ graphqlResponseMsPerMinute }) => graphqlResponseMsPerMinute,
};

/** What each limit is divided by. */
const USED: { readonly [Limit in keyof LimitParts]: (use: MinuteUse) => number } = {
  points: ({ restPoints }) => restPoints,
  graphqlPoints: ({ graphqlPoints }) => graphqlPoints,
  responseMs: ({ restMs, graphqlMs }) => restMs + graphqlMs,
  graphqlResponseMs: ({ graphqlMs }) => graphqlMs,
};

/**
 * One process's parts: each limit is divided in proportion to what processes use of it, and a tenth of the whole evenly. The
 * parts that all processes come to by one document are at most 1 together. One that is not in it counts as the mean of the
 * others. A new one has no more than the others leave, or its place in the even tenth: they go on as before until they
 * have heard of it. `now` is GitHub's time.
 */
export function partsOf(
  doc: FleetUseDocument | undefined,
  { id, isNew, processes, limits }: PartOf,
  now: number,
): LimitParts {
  const uses = usesAt(doc, now);
  const isListed = Object.hasOwn(uses, id);
  const all = Object.values(uses);
  const own = uses[id] ?? meanUse(all);
  const count = Math.max(processes, all.length + (isListed ? 0 : 1));
  if (count <= 1) return WHOLE;
  const part = (limit: keyof LimitParts): number => {
    const used = USED[limit];
    const total = all.reduce((sum, use) => sum + used(use), isListed ? 0 : used(own));
    if (total === 0) return 1 / count;
    const even = (EVEN_PART * total) / count;
    const part = (used(own) + even) / (total + even * count);
    if (!isNew) return part;
    const left = LEFT_TO_NEW - (total - used(own)) / WHOLE_OF[limit](limits);
    return Math.min(part, Math.max(left, EVEN_PART / count));
  };
  return {
    points: part("points"),
    graphqlPoints: part("graphqlPoints"),
    responseMs: part("responseMs"),
    graphqlResponseMs: part("graphqlResponseMs"),
  };
}

/** How near all processes together are to the nearest limit, by what they have told: 0 is nothing, 1 is all of it; may be more. */
export function fleetPressure(doc: FleetUseDocument | undefined, limits: SecondaryLimits, now: number): number {
  const all = Object.values(usesAt(doc, now));
  const pressure = (limit: keyof LimitParts): number =>
    all.reduce((sum, use) => sum + USED[limit](use), 0) / WHOLE_OF[limit](limits);
  return Math.max(pressure("graphqlPoints"), pressure("responseMs"), pressure("graphqlResponseMs"));
}

/** What the average process uses. */
export function meanUse(uses: readonly MinuteUse[]): MinuteUse {
  const mean = (of: (use: MinuteUse) => number): number =>
    uses.length === 0 ? 0 : uses.reduce((sum, use) => sum + of(use), 0) / uses.length;
  return {
    requests: mean(({ requests }) => requests),
    restPoints: mean(({ restPoints }) => restPoints),
    graphqlPoints: mean(({ graphqlPoints }) => graphqlPoints),
    restMs: mean(({ restMs }) => restMs),
    graphqlMs: mean(({ graphqlMs }) => graphqlMs),
  };
}
