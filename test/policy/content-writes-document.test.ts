import { describe, expect, it } from "vitest";
import { amendContent, parseContentDocument, reserveContent } from "../../src/policy/content-writes.js";

const T0 = Date.UTC(2030, 0, 1);
const LIMITS = { contentPerMinute: 80, contentPerHour: 500 };
const FIRST = amendContent(undefined, "b", [{ from: undefined, to: T0 - 20_000 }], T0);
const { doc: DOC } = reserveContent(FIRST, { spender: "a", waiting: [1, 90, 2] }, LIMITS, T0);
const A = DOC.spenders.a;

function reread(doc: object, now: number): ReturnType<typeof parseContentDocument> {
  return parseContentDocument(JSON.parse(JSON.stringify(doc)), now);
}

describe("a document of content writes", () => {
  it("comes back from a store as it was written, also when it is long over, and to clocks minutes behind", () => {
    for (const now of [T0, T0 + 48 * 3_600_000, T0 - 5 * 60_000]) {
      expect(reread(DOC, now)).toEqual({ kind: "ok", doc: DOC });
    }
  });

  it("may have keys that this version does not know", () => {
    const spenders = { ...DOC.spenders, a: { ...A, later: 1 } };
    expect(reread({ ...DOC, spenders, later: [1] }, T0)).toEqual({ kind: "ok", doc: DOC });
  });

  const sent = (...entries: readonly unknown[]): object => ({ ...DOC, sent: entries });
  const spender = (of: object): object => ({ ...DOC, spenders: { a: { ...A, ...of } } });

  it.each([
    ["nothing", undefined, "document is missing, not an object"],
    ["a torn text", '{"version":1,"sent":[', "document is a string, not an object"],
    ["a list", [DOC], "document is an array, not an object"],
    ["another program's", { sent: [] }, "document.version is missing; this reads version 1"],
    ["a later version's", { ...DOC, version: 2 }, "document.version is 2; this reads version 1"],
    ["one from the future", { ...DOC, updatedAt: T0 + 600_000 }, "document.updatedAt is 600 s in the future"],
    ["one without a revision", { ...DOC, revision: -1 }, "document.revision is -1, outside 0 to 9007199254740991"],
    ["one without writes", { ...DOC, sent: undefined }, "document.sent is missing, not an array"],
    ["one with writes of another kind", { ...DOC, sent: { 0: 80 } }, "document.sent is an object, not an array"],
    [
      "one with more entries than there are seconds",
      sent(...Array(1_001).fill([T0, 1])),
      "document.sent has 1001 entries, more than 1000",
    ],
    ["one with half an entry", sent([T0]), "document.sent[0].1 is missing, not a number"],
    ["one with an entry too long", sent([T0, 1, 1]), "document.sent[0] has 3 entries, more than 2"],
    ["one with writes out of order", sent([T0, 1], [T0, 1]), "document.sent[1] is not later than the entry before it"],
    ["one with writes to come", sent([T0 + 11_000, 1]), "document.sent[0] is 1 s too far in the future"],
    ["one with fewer writes than none", sent([T0, -1]), "document.sent[0].1 is -1, outside 0 to 1000000000"],
    ["one with half a write", sent([T0, 0.5]), "document.sent[0].1 is 0.5, not a whole number"],
    [
      "one with an endless number of writes",
      sent([T0, 1e300]),
      "document.sent[0].1 is 1e+300, outside 0 to 1000000000",
    ],
    ["one with no number of writes", sent([T0, Number.NaN]), "document.sent[0].1 is NaN, not a number"],
    ["one without processes", { ...DOC, spenders: [] }, "document.spenders is an array, not an object"],
    [
      "one with a process of another kind",
      { ...DOC, spenders: { a: 80 } },
      "document.spenders[0] is 80, not an object",
    ],
    ["one with two classes", spender({ waiting: [1, 2] }), "document.spenders[0].waiting.2 is missing, not a number"],
    [
      "one that waits for less than nothing",
      spender({ waiting: [0, -2, 0] }),
      "document.spenders[0].waiting.1 is -2, outside 0 to 1000000000",
    ],
    [
      "one that waits for hours",
      spender({ waitsUntil: T0 + 3_600_000 }),
      "document.spenders[0].waitsUntil is 3515 s too far in the future",
    ],
    [
      "one that took something tomorrow",
      spender({ tookAt: T0 + 86_400_000 }),
      "document.spenders[0].tookAt is 86400 s too far in the future",
    ],
    [
      "one that gave more than it took",
      spender({ took: -3 }),
      "document.spenders[0].took is -3, outside 0 to 1000000000",
    ],
  ])("is unreadable when it is %s", (_, value, why) => {
    expect(parseContentDocument(value, T0)).toEqual({ kind: "unreadable", why });
  });
});
