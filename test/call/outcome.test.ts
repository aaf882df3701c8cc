import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { OUTCOME_TEXT_LENGTH, type Outcome, outcomeDependsOnText, outcomeOf } from "../../src/call/outcome.js";
import { MAX_RETRY_AFTER_MS } from "../../src/call/retry-after.js";
import { answerOf, type Form, NOW, rate } from "./outcome/form.js";
import { GRAPHQL_LIMIT_FORMS, GRAPHQL_OTHER_FORMS } from "./outcome/graphql-forms.js";
import { OTHER_FORMS, PRIMARY_FORMS, REFUSED_OTHERWISE_FORMS, SECONDARY_FORMS } from "./outcome/rest-forms.js";

const FORMS: Readonly<Record<string, readonly Form[]>> = {
  "a primary limit": PRIMARY_FORMS,
  "a secondary limit": SECONDARY_FORMS,
  "a refusal by no limit": REFUSED_OTHERWISE_FORMS,
  "another REST answer": OTHER_FORMS,
  "a limit of GraphQL's": GRAPHQL_LIMIT_FORMS,
  "another GraphQL answer": GRAPHQL_OTHER_FORMS,
};
const ALL = Object.values(FORMS).flat();

function isLimit({ kind }: Outcome): boolean {
  return kind === "primary-limit" || kind === "secondary-limit";
}

/** An answer whose text must not be touched. */
function unread(api: "rest" | "graphql", status: number) {
  return {
    api,
    status,
    headers: new Headers(rate(0)),
    get text(): string {
      throw new Error("The text was read.");
    },
  };
}

for (const [what, forms] of Object.entries(FORMS)) {
  describe(`outcomeOf, ${what}`, () => {
    it.each(forms)("$name", (form) => {
      expect(outcomeOf(answerOf(form), NOW)).toMatchObject({ kind: form.outcome, ...form.with });
    });
  });
}

describe("what is read", () => {
  it("is no text of a REST answer that is no 403 or 429", () => {
    for (const status of [200, 201, 204, 301, 304, 400, 401, 404, 409, 410, 422, 451, 500, 502, 503, 504]) {
      expect(outcomeDependsOnText("rest", status)).toBe(false);
      expect(() => outcomeOf(unread("rest", status), NOW)).not.toThrow();
    }
    for (const status of [301, 304, 401, 404, 502, 504]) {
      expect(outcomeDependsOnText("graphql", status)).toBe(false);
      expect(() => outcomeOf(unread("graphql", status), NOW)).not.toThrow();
    }
  });

  it("is the text wherever a word of it can change the outcome", () => {
    for (const { api = "rest", status } of ALL) {
      const outcomes = ALL.map((other) => outcomeOf({ ...answerOf(other), api, status, headers: new Headers() }, NOW));
      expect(new Set(outcomes.map(({ kind }) => kind)).size > 1).toBe(outcomeDependsOnText(api, status));
    }
  });

  it("is not parsed when a GraphQL answer has no errors", () => {
    const parse = vi.spyOn(JSON, "parse");
    const nodes = Array.from({ length: 500 }, (_, number) => ({ number, title: "API rate limit exceeded" }));
    const text = JSON.stringify({ data: { repository: { issues: { nodes } } } });
    expect(outcomeOf(answerOf({ name: "", api: "graphql", status: 200, body: text, outcome: "ok" }), NOW)).toEqual({
      kind: "ok",
    });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("is not parsed when a GraphQL answer is longer than any refusal", () => {
    const parse = vi.spyOn(JSON, "parse");
    const text = `{"errors":[],"data":"${"x".repeat(5_000_000)}"}`;
    expect(outcomeOf(answerOf({ name: "", api: "graphql", status: 200, body: text, outcome: "ok" }), NOW)).toEqual({
      kind: "ok",
    });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("is the beginning of a page of any length, and no more", () => {
    const words = "<p>You have exceeded a secondary rate limit.</p>";
    const drawing = "<svg>".repeat(OUTCOME_TEXT_LENGTH);
    const kindOf = (text: string) => outcomeOf({ api: "rest", status: 403, headers: new Headers(), text }, NOW).kind;
    expect([kindOf(words + drawing), kindOf(drawing + words)]).toEqual(["secondary-limit", "client-error"]);
  });
});

describe("the reset of a primary limit", () => {
  const resetOf = (reset: string): unknown => {
    const headers = { ...rate(0), "x-ratelimit-reset": reset };
    const outcome = outcomeOf(answerOf({ name: "", status: 403, headers, outcome: "primary-limit" }), NOW);
    return outcome.kind === "primary-limit" ? outcome.resetAt : outcome;
  };
  const seconds = NOW / 1_000;

  it.each([0, 1, 3_600, 3_660, -60])("is believed %i s from now", (offset) => {
    expect(resetOf(String(seconds + offset))).toBe(NOW + offset * 1_000);
  });

  it.each([
    String(seconds + 3_661),
    String(seconds - 61),
    String(NOW),
    "0",
    "",
    "-1",
    "tomorrow",
    "1e9",
    `${seconds}.5`,
    ` ${seconds}x`,
    "9".repeat(400),
    "2026-01-01T00:10:00Z",
  ])("is not believed when it is %j", (reset) => {
    expect(resetOf(reset)).toBeUndefined();
  });
});

describe("any answer", () => {
  const words = ALL.flatMap(({ body }) =>
    body === undefined ? [] : [answerOf({ ...ALL[0], body } as Form).text ?? ""],
  );
  const text = fc.option(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.json(),
      // Genuine bodies, cut off anywhere.
      fc.tuple(fc.constantFrom(...words), fc.nat(400)).map(([whole, length]) => whole.slice(0, length)),
      fc.constantFrom("<", '"', "{", "\\", '{"message":"', '"errors"', " ").map((piece) => piece.repeat(70_000)),
    ),
    { nil: undefined },
  );
  const value = fc.oneof(
    fc.constantFrom("0", "60", "-7", "NaN", "1e3", "", "tomorrow", "Someday, 99 Foo 20xx 25:61:61 GMT", "60, 60"),
    fc.string(),
    fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  const headers = fc.dictionary(
    fc.constantFrom("retry-after", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-limit", "gh-limited-by"),
    value,
  );
  const answer = fc.record({
    api: fc.constantFrom("rest" as const, "graphql" as const),
    status: fc.oneof(fc.constantFrom(200, 304, 401, 403, 429, 500, 502), fc.integer({ min: 100, max: 599 })),
    headers: headers.map((pairs) => new Map(Object.entries(pairs))),
    text,
  });

  it("has an outcome, and waits that are bounded", () => {
    fc.assert(
      fc.property(answer, (one) => {
        const outcome = outcomeOf(one, NOW);
        const { retryAfterMs = 0, resetAt = NOW } = outcome as { retryAfterMs?: number; resetAt?: number };
        expect(retryAfterMs).toBeGreaterThanOrEqual(0);
        expect(retryAfterMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
        expect(Math.abs(resetAt - NOW)).toBeLessThanOrEqual(3_660_000);
      }),
    );
  });

  it("is a limit's refusal only with 403, 429, or a GraphQL 2xx", () => {
    fc.assert(
      fc.property(answer, (one) => {
        if (!isLimit(outcomeOf(one, NOW))) return;
        const isSuccess = one.status >= 200 && one.status < 300;
        expect(one.status === 403 || one.status === 429 || (one.api === "graphql" && isSuccess)).toBe(true);
      }),
    );
  });

  it("with 429 is always a limit's refusal", () => {
    fc.assert(fc.property(answer, (one) => isLimit(outcomeOf({ ...one, status: 429 }, NOW))));
  });
});
