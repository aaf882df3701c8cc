import { describe, expect, it } from "vitest";
import {
  GITHUB_SECONDARY_LIMITS,
  type LimitParts,
  type SecondaryCall,
  type SecondaryScope,
  SecondaryUse,
  type SecondaryWord,
  WHOLE,
} from "../../src/policy/secondary.js";

const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ALONE: SecondaryScope = {
  limits: GITHUB_SECONDARY_LIMITS,
  parts: WHOLE,
  divided: false,
  concurrent: 100,
  content: true,
  factor: 1,
};
const READ: SecondaryCall = {
  api: "rest",
  endpoint: "GET api.github.com/repos/{owner}/{repo}/pulls",
  points: 1,
  createsContent: false,
};
const LABEL: SecondaryCall = {
  api: "rest",
  endpoint: "DELETE api.github.com/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
  points: 5,
  createsContent: false,
};
const ISSUE: SecondaryCall = {
  api: "rest",
  endpoint: "POST api.github.com/repos/{owner}/{repo}/issues",
  points: 5,
  createsContent: true,
};
const QUERY: SecondaryCall = { api: "graphql", endpoint: "POST /graphql", points: 1, createsContent: false };
const MUTATION: SecondaryCall = { ...QUERY, points: 5, createsContent: true };

/** The same part of everything that processes divide. */
function partsOf(part: number): LimitParts {
  return { points: part, graphqlPoints: part, responseMs: part, graphqlResponseMs: part };
}

/** Sends calls one after another at `now` until one must wait; says how many went and what that one was told. */
function burst(
  use: SecondaryUse,
  call: SecondaryCall,
  scope: SecondaryScope,
  now: number,
  tookMs = 0,
): { sent: number; word: Exclude<SecondaryWord, { kind: "go" }> } {
  for (let sent = 0; ; sent++) {
    const word = use.decide(call, scope, now);
    if (word.kind === "wait") return { sent, word };
    use.begin(call, now);
    use.end(call, tookMs, now);
  }
}

/** As {@link burst}, whenever asking again can help, for `forMs`. */
function sentDuring(forMs: number, call: SecondaryCall, scope: SecondaryScope, tookMs: number): number {
  const use = new SecondaryUse();
  let sent = 0;
  for (let now = T0; now < T0 + forMs; ) {
    const round = burst(use, call, scope, now, tookMs);
    sent += round.sent;
    now = round.word.untilAt;
  }
  return sent;
}

describe("SecondaryUse", () => {
  it("lets calls go while there is room", () => {
    expect(new SecondaryUse().decide(READ, ALONE, T0)).toEqual({ kind: "go" });
  });

  it("keeps to 900 points a minute for one endpoint, and leaves the others alone", () => {
    const use = new SecondaryUse();
    const { sent, word } = burst(use, READ, ALONE, T0);
    expect(sent).toBe(900);
    expect(word).toEqual({
      kind: "wait",
      limit: "points",
      untilAt: T0 + 62_000,
      why: "GET api.github.com/repos/{owner}/{repo}/pulls: 900 of 900 points in the last minute are used, and the call costs 1",
    });
    expect(burst(use, LABEL, ALONE, T0).sent).toBe(180);
    expect(burst(use, QUERY, ALONE, T0).sent).toBe(2_000);
    expect(use.decide(READ, ALONE, word.untilAt - 1).kind).toBe("wait");
    expect(use.decide(READ, ALONE, word.untilAt).kind).toBe("go");
  });

  it("keeps to 2,000 points a minute for all of GraphQL", () => {
    const { sent, word } = burst(new SecondaryUse(), { ...MUTATION, createsContent: false }, ALONE, T0);
    expect(sent).toBe(400);
    expect(word).toMatchObject({
      limit: "graphql-points",
      why: "GraphQL: 2000 of 2000 points in the last minute are used, and the call costs 5",
    });
  });

  it("keeps to 80 content writes a minute, over all endpoints and GraphQL", () => {
    const use = new SecondaryUse();
    for (let sent = 0; sent < 40; sent++) use.begin(ISSUE, T0);
    const { sent, word } = burst(use, MUTATION, ALONE, T0);
    expect(sent).toBe(40);
    expect(word).toMatchObject({
      limit: "content-minute",
      why: "80 of 80 content writes in the last minute are made",
    });
    expect(use.decide(READ, ALONE, T0).kind).toBe("go");
  });

  it("keeps to 500 content writes an hour", () => {
    const use = new SecondaryUse();
    let now = T0;
    let sent = 0;
    for (;;) {
      const round = burst(use, ISSUE, ALONE, now);
      sent += round.sent;
      now = round.word.untilAt;
      if (round.word.limit === "content-minute") continue;
      expect(round.word.limit).toBe("content-hour");
      expect(round.word.why).toBe("500 of 500 content writes in the last hour are made");
      break;
    }
    expect(sent).toBe(500);
    expect(now - T0).toBeGreaterThan(HOUR_MS);
    expect(now - T0).toBeLessThanOrEqual(HOUR_MS + MINUTE_MS);
  });

  it("does not count content writes that a pool counts, but knows them when it is asked to", () => {
    const use = new SecondaryUse();
    const pooled = { ...ALONE, content: false };
    expect(burst(use, ISSUE, pooled, T0).word.limit).toBe("points");
    expect(use.decide(ISSUE, ALONE, T0 + 62_000)).toMatchObject({ kind: "go" });
    expect(use.decide(ISSUE, ALONE, T0 + 61_000)).toMatchObject({ kind: "wait", limit: "points" });
    expect(use.decide(MUTATION, ALONE, T0 + 61_000)).toMatchObject({ kind: "wait", limit: "content-minute" });
  });

  it("stops when answers took 90 seconds of a minute, and GraphQL when its own took 60", () => {
    const use = new SecondaryUse();
    expect(burst(use, QUERY, ALONE, T0, 2_000)).toMatchObject({
      sent: 30,
      word: {
        limit: "graphql-response-time",
        untilAt: T0 + 60_500,
        why: "GraphQL: 60 of 60 seconds of response time in the last minute are used",
      },
    });
    expect(burst(use, READ, ALONE, T0 + 500, 1_450)).toMatchObject({
      sent: 21,
      word: {
        limit: "response-time",
        why: "90.5 of 90 seconds of response time in the last minute are used",
      },
    });
  });

  it("takes no more than a minute of an answer that never came for the last minute's", () => {
    const use = new SecondaryUse();
    use.begin(READ, T0);
    use.end(READ, 10 * MINUTE_MS, T0 + 10 * MINUTE_MS);
    expect(use.decide(READ, ALONE, T0 + 10 * MINUTE_MS).kind).toBe("go");
    expect(use.pressure(ALONE, T0 + 10 * MINUTE_MS)).toEqual({ fraction: 60 / 90, limit: "response-time" });
  });

  it("makes nothing of a duration that is none", () => {
    const use = new SecondaryUse();
    for (const durationMs of [Number.NaN, -5, 0]) {
      use.begin(READ, T0);
      use.end(READ, durationMs, T0);
    }
    expect(use.pressure(ALONE, T0)).toEqual({ fraction: 3 / 900, limit: "points" });
  });

  it("has no more calls under way than this process's slots", () => {
    const use = new SecondaryUse();
    const scope = { ...ALONE, concurrent: 12 };
    for (let slot = 0; slot < 12; slot++) {
      expect(use.decide(READ, scope, T0).kind).toBe("go");
      use.begin(READ, T0);
    }
    expect(use.underWay).toBe(12);
    expect(use.decide(QUERY, scope, T0)).toEqual({
      kind: "wait",
      limit: "concurrent",
      untilAt: T0 + 1_000,
      why: "12 of this process's 12 requests at once are under way (100 for the whole fleet)",
    });
    use.end(READ, 80, T0 + 80);
    expect(use.decide(QUERY, scope, T0 + 80).kind).toBe("go");
  });

  it("names the limit that takes longest", () => {
    const use = new SecondaryUse();
    for (let sent = 0; sent < 100; sent++) use.begin(ISSUE, T0);
    expect(use.decide(ISSUE, ALONE, T0)).toMatchObject({ limit: "content-minute", untilAt: T0 + 62_000 });
    expect(use.decide(READ, ALONE, T0)).toMatchObject({
      limit: "concurrent",
      why: "100 of 100 requests at once are under way",
    });
  });

  it("keeps to this process's share of points and response time, and says what the fleet has", () => {
    const half = { ...ALONE, parts: partsOf(0.5) };
    const use = new SecondaryUse();
    expect(burst(use, LABEL, half, T0)).toMatchObject({
      sent: 90,
      word: {
        why: `${LABEL.endpoint}: 450 of this process's 450 points in the last minute are used (900 for the whole fleet), and the call costs 5`,
      },
    });
    expect(burst(use, QUERY, half, T0).sent).toBe(1_000);
    expect(burst(new SecondaryUse(), QUERY, half, T0, 1_000).sent).toBe(30);
    expect(burst(new SecondaryUse(), READ, half, T0, 1_000)).toMatchObject({
      sent: 45,
      word: {
        why: "45 of this process's 45 seconds of response time in the last minute are used (90 for the whole fleet)",
      },
    });
  });

  it("holds all limits lower after refusals that none explains, and says why", () => {
    const tightened = { ...ALONE, factor: 0.25 };
    const use = new SecondaryUse();
    expect(burst(use, READ, tightened, T0)).toMatchObject({
      sent: 225,
      word: {
        why: `${READ.endpoint}: 225 of this process's 225 points in the last minute are used (900 for the whole fleet), and the call costs 1; limits are held to 25 % because GitHub refused a request that its published limits allow`,
      },
    });
    expect(burst(use, ISSUE, tightened, T0)).toMatchObject({ sent: 20, word: { limit: "content-minute" } });
    for (let slot = 0; slot < 25; slot++) use.begin(QUERY, T0);
    expect(use.decide(QUERY, tightened, T0)).toMatchObject({ limit: "concurrent" });
  });

  it.each([
    ["a tiny share", { parts: partsOf(1e-9), factor: 1 }],
    ["no share", { parts: partsOf(0), factor: 1 }],
    ["the tightest factor", { parts: partsOf(1e-3), factor: 1 / 16 }],
  ])("lets one call go when nothing is counted, with %s", (_, little) => {
    const scope = { ...ALONE, ...little, concurrent: 1 };
    for (const call of [READ, LABEL, ISSUE, QUERY, MUTATION]) {
      const use = new SecondaryUse();
      expect(burst(use, call, scope, T0, 5_000).sent).toBe(1);
      expect(burst(use, call, scope, T0 + 70_000, 5_000).sent).toBe(1);
    }
  });

  it("takes back a call that was not sent, from the moment at which it was booked", () => {
    const use = new SecondaryUse();
    burst(use, ISSUE, ALONE, T0);
    const other = T0 + 30_000;
    expect(use.decide(ISSUE, ALONE, other).kind).toBe("wait");
    use.undo(ISSUE, T0);
    expect(use.decide(ISSUE, ALONE, other).kind).toBe("go");
    use.begin(ISSUE, other);
    expect(use.decide(ISSUE, ALONE, other).kind).toBe("wait");
    use.undo(ISSUE, other);
    use.begin(MUTATION, other);
    use.undo(MUTATION, other);
    expect(burst(use, MUTATION, ALONE, T0 + 61_999).sent).toBe(1);
    expect(burst(use, MUTATION, ALONE, T0 + 62_000).sent).toBe(79);
  });

  describe("pressure", () => {
    it("is none when nothing is counted", () => {
      expect(new SecondaryUse().pressure(ALONE, T0)).toEqual({ fraction: 0, limit: "concurrent" });
    });

    it.each([
      [READ, 810, 0, { fraction: 0.9, limit: "points" }],
      [QUERY, 1_000, 0, { fraction: 0.5, limit: "graphql-points" }],
      [QUERY, 27, 2_000, { fraction: 0.9, limit: "graphql-response-time" }],
      [READ, 9, 9_000, { fraction: 0.9, limit: "response-time" }],
      [ISSUE, 60, 0, { fraction: 0.75, limit: "content-minute" }],
    ] as const)("names the limit that %o × %d used most of", (call, count, tookMs, pressure) => {
      const use = new SecondaryUse();
      for (let sent = 0; sent < count; sent++) {
        use.begin(call, T0);
        use.end(call, tookMs, T0);
      }
      expect(use.pressure(ALONE, T0)).toEqual(pressure);
      expect(use.pressure(ALONE, T0 + 2 * HOUR_MS).fraction).toBe(0);
    });

    it("remembers the hour's content writes", () => {
      const use = new SecondaryUse();
      for (let minute = 0; minute < 5; minute++) burst(use, ISSUE, ALONE, T0 + minute * 70_000);
      expect(use.pressure(ALONE, T0 + 600_000)).toEqual({ fraction: 0.8, limit: "content-hour" });
      expect(use.pressure({ ...ALONE, content: false }, T0 + 600_000).fraction).toBe(0);
    });

    it.each([
      [READ, 45, 0, "points"],
      [QUERY, 100, 0, "graphql-points"],
      [READ, 9, 500, "response-time"],
      [QUERY, 6, 500, "graphql-response-time"],
    ] as const)(
      "is of this process's share, since the others use theirs too: %o × %d",
      (call, count, tookMs, limit) => {
        const use = new SecondaryUse();
        for (let sent = 0; sent < count; sent++) {
          use.begin(call, T0);
          use.end(call, tookMs, T0);
        }
        expect(use.pressure({ ...ALONE, parts: partsOf(0.1) }, T0)).toEqual({ fraction: 0.5, limit });
      },
    );

    it("is of the limits before they are tightened, since GitHub does not refuse by ours", () => {
      const use = new SecondaryUse();
      burst(use, READ, { ...ALONE, factor: 0.5 }, T0);
      expect(use.pressure({ ...ALONE, factor: 0.5 }, T0)).toEqual({ fraction: 0.5, limit: "points" });
    });

    it("counts slots, and may be above 1 when slots have been taken away", () => {
      const use = new SecondaryUse();
      for (let slot = 0; slot < 6; slot++) use.begin(READ, T0);
      expect(use.pressure({ ...ALONE, concurrent: 4 }, T0)).toEqual({ fraction: 1.5, limit: "concurrent" });
    });
  });

  it.each([
    ["points of reads", 900, READ, 0, MINUTE_MS, 1],
    ["points of writes", 900, LABEL, 0, MINUTE_MS, 5],
    ["GraphQL points", 2_000, QUERY, 0, MINUTE_MS, 1],
    ["content writes a minute, at the hour's beginning", 80, ISSUE, 0, MINUTE_MS, 1],
    ["content writes an hour", 500, ISSUE, 0, HOUR_MS, 1],
    ["response time", 90_000, READ, 150, MINUTE_MS, 150],
    ["response time of GraphQL", 60_000, QUERY, 150, MINUTE_MS, 150],
  ] as const)("wastes no more than a twentieth of the %s", (_, limit, call, tookMs, windowMs, amount) => {
    const windows = windowMs === HOUR_MS ? 20 : 5;
    const sent = sentDuring(windows * windowMs, call, ALONE, tookMs);
    expect(sent * amount).toBeGreaterThanOrEqual(0.95 * limit * windows);
    expect(sent * amount).toBeLessThanOrEqual(limit * windows);
  });
});
