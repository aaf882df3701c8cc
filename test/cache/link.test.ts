import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasNext, judgeStoredLink, pageSize } from "../../src/cache/link.js";

const api = "https://api.github.com";
const list = `${api}/repos/o/r/issues`;
const link = (parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts)
    .map(([rel, target]) => `<${target}>; rel="${rel}"`)
    .join(", ");

describe("hasNext", () => {
  it.each([
    '<https://x/?page=2>; rel="next"',
    '<https://x/?page=1>; rel="prev", <https://x/?page=3>; rel="next", <https://x/?page=9>; rel="last"',
    "<https://x/?page=2>; rel=next",
    '<https://x/?page=2>;rel="next",<https://x/?page=9>;rel="last"',
    '<https://x/?page=2>; REL="Next"',
  ])("finds it in %s", (header) => {
    expect(hasNext(header)).toBe(true);
  });

  it.each([
    undefined,
    "",
    '<https://x/?rel="next">; rel="prev"',
    '<https://x/?page=1>; rel="prev"',
    '<https://x/next>; rel="last"',
  ])("does not find it in %s", (header) => {
    expect(hasNext(header)).toBe(false);
  });
});

describe("pageSize", () => {
  it.each([
    ["", 30],
    ["?per_page=1", 1],
    ["?per_page=50", 50],
    ["?state=open&per_page=5&page=2", 5],
    ["?per_page=100", 100],
    ["?per_page=101", 100],
    ["?per_page=999999999", 100],
    ["?per_page=0", 30],
    ["?per_page=", 30],
    ["?per_page=abc", 30],
    ["?per_page=100&per_page=5", 5],
    ["?per_page=5&per_page=100", 5],
    ["?xper_page=5", 30],
    ["?per_page=7#per_page=9", 7],
  ])("of %j is %i", (query, size) => {
    expect(pageSize(list + query)).toBe(size);
  });

  it("is between 1 and 100 whatever the address says", () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        const size = pageSize(`${list}?per_page=${query}`);
        expect(size >= 1 && size <= 100 && Number.isInteger(size)).toBe(true);
      }),
    );
  });
});

describe("judgeStoredLink", () => {
  it.each([
    ["no link on a first page", undefined, list],
    ["a first page", link({ next: `${list}?page=2`, last: `${list}?page=4` }), list],
    [
      "a middle page",
      link({
        prev: `${list}?page=1`,
        next: `${list}?page=3`,
        last: `${list}?page=4`,
        first: `${list}?page=1`,
      }),
      `${list}?page=2`,
    ],
    ["a last page", link({ first: `${list}?page=1`, prev: `${list}?page=3` }), `${list}?page=4`],
    [
      "parameters in another order",
      link({ next: `${list}?per_page=5&state=all&page=2`, last: `${list}?page=4&state=all&per_page=5` }),
      `${list}?state=all&per_page=5`,
    ],
  ])("trusts %s as it is", (_what, header, url) => {
    expect(judgeStoredLink(header, url)).toEqual({ kind: "trusted", link: header });
  });

  it("writes GitHub's addresses by id as the address that was asked for", () => {
    const byId = `${api}/repositories/1300192/issues`;
    expect(judgeStoredLink(link({ next: `${byId}?page=2`, last: `${byId}?page=4` }), list)).toEqual({
      kind: "trusted",
      link: link({ next: `${list}?page=2`, last: `${list}?page=4` }),
    });
    const members = `${api}/orgs/octo/members`;
    const membersById = `${api}/organizations/7/members?page=2`;
    expect(judgeStoredLink(link({ next: membersById, last: membersById }), members)).toEqual({
      kind: "trusted",
      link: link({ next: `${members}?page=2`, last: `${members}?page=2` }),
    });
  });

  it.each([
    ["another host", link({ next: "https://evil.example/repos/o/r/issues?page=2", last: `${list}?page=4` })],
    ["another scheme", link({ next: "http://api.github.com/repos/o/r/issues?page=2", last: `${list}?page=4` })],
    ["another path", link({ next: `${api}/repos/o/other/issues?page=2`, last: `${list}?page=4` })],
    ["another path by id", link({ next: `${api}/repositories/1/pulls?page=2`, last: `${list}?page=4` })],
    ["a parameter that was not asked", link({ next: `${list}?page=2&state=all`, last: `${list}?page=4` })],
    ["a page that is not the next", link({ next: `${list}?page=3`, last: `${list}?page=4` })],
    ["a page 0", link({ next: `${list}?page=0`, last: `${list}?page=4` })],
    ["a page that is no number", link({ next: `${list}?page=2e0`, last: `${list}?page=4` })],
    ["a target without a page", link({ next: list, last: `${list}?page=4` })],
    ["next without last", link({ next: `${list}?page=2` })],
    ["a first page with prev", link({ prev: `${list}?page=1`, first: `${list}?page=1` })],
    ["an unknown relation", link({ deprecation: `${list}?page=2` })],
    [
      "a relation twice",
      `${link({ next: `${list}?page=2`, last: `${list}?page=4` })}, ${link({ next: `${list}?page=2` })}`,
    ],
    ["a fragment in the target", link({ next: `${list}?page=2#x`, last: `${list}?page=4` })],
    ["text", "nonsense"],
    ["an empty value", ""],
    ["further parameters", `<${list}?page=2>; rel="next"; title="x", <${list}?page=4>; rel="last"`],
    [
      "credentials in the target",
      link({ next: "https://a:b@api.github.com/repos/o/r/issues?page=2", last: `${list}?page=4` }),
    ],
  ])("doubts %s", (_what, header) => {
    expect(judgeStoredLink(header, list)).toEqual({ kind: "doubtful" });
  });

  it("never passes on a target that leaves the address asked for, and takes any text", () => {
    const target = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.constantFrom(
        `${list}?page=2`,
        `${list}?page=4`,
        `${api}/repositories/1/issues?page=2`,
        `${list}?page=2&x=1`,
        "",
      ),
      fc.string(),
    );
    const part = fc
      .tuple(target, fc.constantFrom("next", "last", "prev", "first", "self", ""))
      .map(([to, rel]) => `<${to}>; rel="${rel}"`);
    const header = fc.oneof(
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join(", ")),
      fc.string(),
    );
    fc.assert(
      fc.property(header, fc.constantFrom(list, `${list}?page=2`, `${list}?page=1&per_page=3`), (text, url) => {
        const judged = judgeStoredLink(text, url);
        if (judged.kind === "doubtful" || judged.link === undefined) return;
        for (const [, to] of judged.link.matchAll(/<([^>]*)>/g)) {
          const { origin, pathname } = new URL(to as string);
          expect(`${origin}${pathname}`).toBe(list);
        }
      }),
      { numRuns: 500 },
    );
  });
});
