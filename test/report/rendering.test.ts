import { describe, expect, it } from "vitest";
import { createReport, type Report, type ReportOptions, renderHtml, renderText } from "../../src/report/index.js";
import type { TraceRecord } from "../../src/trace/record.js";
import { attempt, call, rate } from "./attempt.js";
import { syntheticTrace } from "./synthetic-trace.js";

const NASTY = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "x".repeat(200),
  `${"y".repeat(90)}" onmouseover="alert(1)`,
  "__proto__",
  "constructor",
  "\u001b[31mred\u0007\u202eevil\n",
  "$& $1 `'`",
  "]]> --> </style></title>",
];

const report = (records: Iterable<TraceRecord>, options?: ReportOptions): Promise<Report> =>
  createReport({ records }, options);

async function nasty(): Promise<Report> {
  const records = NASTY.flatMap((name, index) => {
    const named = {
      agent: name,
      session: name,
      operation: name,
      route: name,
      machine: name,
      resource: name,
      principal: name,
    };
    return [
      attempt(index * 10_000, { ...named, rate: rate(1 + index) }),
      call(index * 10_000, { ...named, priority: (index % 3) as 0 | 1 | 2, waitMs: index }),
    ];
  });
  return report([...records, "<b>torn" as unknown as TraceRecord], { title: NASTY[0] as string });
}

const cases: readonly (readonly [string, () => Promise<Report>])[] = [
  ["an empty trace", () => report([])],
  ["one record", () => report([attempt(0)])],
  ["lines that are all foreign to it", () => report(["what", "is", "this"] as unknown as TraceRecord[])],
  ["names out of a nightmare", nasty],
  [
    "a long trace of sixty agents",
    () => {
      const agents = Array.from({ length: 60 }, (_, index) => `agent-${index}`);
      return report(syntheticTrace({ agents, callsPerSecond: 0.1, forMs: 9 * 3_600_000 }));
    },
  ],
];

describe.each(cases)("%s", (_name, make) => {
  it("is text of at most 100 columns without anything that a terminal obeys", async () => {
    const text = renderText(await make());
    for (const line of text.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(text).not.toMatch(/\bNaN\b|undefined|Infinity|\[object/);
  });

  it("is a well-formed page without scripts, links or handlers", async () => {
    const page = renderHtml(await make());
    expect(page).not.toMatch(/<script|<img|<a[\s>]|<link|<iframe|javascript:|url\(|@import/i);
    expect(page).not.toMatch(/\bNaN\b|undefined|Infinity|\[object/);
    expect(tagsOf(page)).toEqual([]);
  });
});

/** Tags that are opened and not closed in order, and attributes that are none of ours. */
function tagsOf(page: string): readonly string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const body = page.replace(/<style>[^<]*<\/style>/, "");
  for (const [tag, closes, name = "", attributes = "", closed] of body.matchAll(
    /<(\/?)([a-z!][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"<>]*")?)*)\s*(\/?)>/gi,
  )) {
    if (/^(?:!doctype|meta)$/i.test(name) || closed === "/") continue;
    if (/\son\w+\s*=/i.test(attributes)) wrong.push(tag);
    if (closes === "") open.push(name);
    else if (open.pop() !== name) wrong.push(tag);
  }
  // What is no tag of the pattern above must not contain an angle bracket.
  const rest = body.replace(/<\/?[a-z!][a-z0-9]*(?:\s+[\w:-]+(?:="[^"<>]*")?)*\s*\/?>/gi, "");
  if (/[<>]/.test(rest)) wrong.push(rest.slice(Math.max(0, rest.search(/[<>]/) - 40)).slice(0, 100));
  return [...wrong, ...open];
}

describe("a report's size", () => {
  it("is bounded, however long the trace and however many its names", async () => {
    function* many(): Generator<TraceRecord> {
      for (let index = 0; index < 6_000; index++) {
        const names = {
          agent: `agent-${index}`,
          session: `s${index}`,
          route: `GET /${index}`,
          operation: `o${index}`,
          target: `t${index}`,
        };
        yield attempt(index * 3_600_000, { ...names, rate: rate(2, index * 3_600_000 + 1_000) });
      }
    }
    const whole = await report(many());
    expect(whole.burn.buckets.length).toBeLessThanOrEqual(240);
    expect(whole.spend.agents).toMatchObject({ othersCount: 5_900, others: { units: 5_900 } });
    expect(whole.spend.agents.rows).toHaveLength(100);
    expect(JSON.stringify(whole).length).toBeLessThan(300_000);
    expect(renderHtml(whole).length).toBeLessThan(600_000);
    expect(renderText(whole).length).toBeLessThan(15_000);
  });

  it("keeps JSON a round trip of plain data", async () => {
    const whole = await nasty();
    const again = JSON.parse(JSON.stringify(whole)) as Report;
    expect(renderText(again)).toBe(renderText(whole));
    expect(renderHtml(again)).toBe(renderHtml(whole));
    expect(again.spend.agents.rows.map(({ name }) => name)).toContain("__proto__");
  });
});

it("shows what was left where headers told it once, which makes no line", async () => {
  const once = renderHtml(await report([attempt(0, { rate: rate(1) })]));
  expect(once).toContain('<circle class="dot alone c0"');
  const often = renderHtml(
    await report([0, 600_000, 1_200_000].map((at) => attempt(at, { rate: rate(1 + at / 600_000) }))),
  );
  expect(often).not.toContain('"dot alone');
});

it("fits a narrow terminal by leaving out what is nothing but zeros, before names are cut", async () => {
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
  const whole = await report([attempt(0, { route }), attempt(90_000, { route, target: "other" })]);
  const narrow = renderText(whole, { columns: 80 });
  expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(narrow).toContain("GET /repos/{owner}/{repo}/pulls/");
  expect(narrow).not.toContain("refused  failed  waited\nGET");
  expect(renderText(whole, { columns: 130 })).toContain(`${route} `);
  // Narrower than figures can be read it does not get.
  expect(renderText(whole, { columns: 20 })).toBe(narrow);
});
