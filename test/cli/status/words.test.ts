import { describe, expect, it } from "vitest";
import { poolSentences, quotaSentence, roughly, timeOfDay } from "../../../src/cli/commands/status/words.js";
import { agent, MINUTE_MS, NOW, pool, quota, UTC } from "./a-pool.js";

const sentence = (more: Parameters<typeof quota>[0]): string => quotaSentence(quota(more), NOW, UTC);

describe("how a resource stands, in a sentence", () => {
  it("is what is left, until when, and whether it lasts", () => {
    expect(sentence({})).toBe("core: 3,120 of 5,000 left, resets in 23 min (12:23), lasts until then");
  });

  it("is when it will be used up, where that is before the reset", () => {
    const forecast = { unitsPerMinute: 312, exhaustedInMs: 10 * MINUTE_MS };
    expect(sentence({ forecast })).toBe(
      "core: 3,120 of 5,000 left, resets in 23 min (12:23), is used up in 10 min at the pace that agents want",
    );
  });

  it("is that nobody spends it", () => {
    expect(sentence({ forecast: undefined })).toMatch(/, and nobody spends it$/);
  });

  it("is until when it is used up, and who waits", () => {
    const empty = { resource: "graphql", remainingUnits: 0.4, waitingUnits: 12, waitingSpenders: 3 };
    expect(sentence(empty)).toBe("graphql is used up until 12:23, for another 23 min; 3 processes wait for 12 units");
    expect(sentence({ ...empty, waitingUnits: 1, waitingSpenders: 1 })).toMatch(/; 1 process waits for 1 unit$/);
  });

  it("says where nothing is known, all is new, or nobody can read what is there", () => {
    expect(sentence({ state: "unknown" })).toBe("core: no answer has told yet how much is left");
    expect(sentence({ state: "over", resetAt: undefined })).toBe("core: a new window, all 5,000 are left");
    expect(sentence({ state: "unreadable", why: "document.version is 2; this reads version 1" })).toBe(
      "core: the document cannot be read: document.version is 2; this reads version 1",
    );
  });
});

describe("how a pool stands, in sentences", () => {
  it("begins with a cooldown, and ends with who is held", () => {
    const cooldown = { until: NOW + 3 * MINUTE_MS, startedAt: NOW, why: "secondary limit", by: "data", repeats: 0 };
    const agents = [agent({ blockedUntil: NOW + MINUTE_MS }), agent({ agent: "index" })];
    expect(poolSentences(pool({ cooldown, agents }), UTC)).toEqual([
      "Everybody holds back until 12:03, for another 3 min: data was refused: secondary limit",
      expect.stringMatching(/^core: /),
      "1 agent of 2 is held, the last until 12:01",
    ]);
  });

  it("tells of documents that nobody can read", () => {
    const unreadable = [{ document: "members", why: "it is not JSON" }] as const;
    expect(poolSentences(pool({ unreadable }), UTC)).toContain(
      "The document of members cannot be read: it is not JSON",
    );
  });

  it("passes no command of a terminal on", () => {
    const cooldown = { until: NOW + MINUTE_MS, startedAt: NOW, why: "a\u001b[2Jb", by: "\u0007x", repeats: 0 };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(poolSentences(pool({ cooldown }), UTC).join("")).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe("times", () => {
  it("have their day where it is another one", () => {
    expect(timeOfDay(NOW + 3_600_000, NOW, UTC)).toBe("13:00");
    expect(timeOfDay(NOW + 13 * 3_600_000, NOW, UTC)).toBe("2 Jan, 01:00");
  });

  it("are promised no sooner than they come", () => {
    expect([timeOfDay(NOW + 61_000, NOW, UTC), timeOfDay(NOW - 61_000, NOW, UTC)]).toEqual(["12:02", "11:58"]);
  });

  it("are in seconds only where they are short", () => {
    expect([roughly(4_200), roughly(89_000), roughly(91_000), roughly(0)]).toEqual([
      "5 s",
      "1 min 29 s",
      "2 min",
      "0 s",
    ]);
  });
});
