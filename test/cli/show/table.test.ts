import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paintFor } from "../../../src/cli/show/paint.js";
import { type TableColumn, table, tableWidth } from "../../../src/cli/show/table.js";
import { cutTo, widthOf } from "../../../src/cli/show/text-width.js";
import { wrap } from "../../../src/cli/show/wrap.js";
import { fakeContext } from "../fake-context.js";

const paint = paintFor(fakeContext().out, {}, true);

interface Row {
  readonly name: string;
  readonly units: string;
}
const COLUMNS: readonly TableColumn<Row>[] = [
  { title: "agent", of: (row) => row.name },
  { title: "units", align: "right", of: (row) => row.units },
];
const ROWS: readonly Row[] = [
  { name: "data", units: "5" },
  { name: "a-reviewer-with-a-long-name", units: "12,345" },
];

describe("a table", () => {
  it("has words on the left and numbers on the right", () => {
    expect(table(COLUMNS, ROWS, { width: 80 })).toEqual([
      "agent                         units",
      "data                              5",
      "a-reviewer-with-a-long-name  12,345",
    ]);
  });

  it("cuts words where there is too little room, and never numbers", () => {
    expect(table(COLUMNS, ROWS, { width: 20 })).toEqual([
      "agent          units",
      "data               5",
      "a-reviewer-w… 12,345",
    ]);
    const long = [{ name: "data", units: "1,234,567,890" }];
    expect(table(COLUMNS, long, { width: 10 })[1]).toBe("data  1,234,567,890");
    expect(table(COLUMNS, ROWS, { width: 3 })).toEqual(["agent   units", "data        5", "a-rev… 12,345"]);
  });

  it("moves its columns together before it cuts words", () => {
    expect(table(COLUMNS, ROWS, { width: 34 })[2]).toBe("a-reviewer-with-a-long-name 12,345");
  });

  it("is as wide as it is where nobody looks", () => {
    const { out } = fakeContext({ columns: 20 });
    expect(table(COLUMNS, ROWS, { width: tableWidth(out) })[2]).toBe("a-reviewer-with-a-long-name  12,345");
    expect(tableWidth(fakeContext({ isTerminal: true, columns: 20 }).out)).toBe(20);
  });

  it("does not count colours, and counts wide characters twice", () => {
    const rows = [
      { name: paint.red("data"), units: paint.dim("5") },
      { name: "日本", units: "6" },
    ];
    expect(table(COLUMNS, rows, { width: 80, heading: paint.bold }).map(widthOf)).toEqual([12, 12, 12]);
    expect(table(COLUMNS, [{ name: "日本語日本語", units: "1" }], { width: 14 }).map(widthOf)).toEqual([14, 14]);
  });

  it("has no line of titles where there are none", () => {
    expect(table([{ title: "", of: (row: string) => row }], ["a", "b"], { width: 80 })).toEqual(["a", "b"]);
  });

  it("never is wider than its terminal, as long as numbers and six columns of each word fit", () => {
    const names = fc.string({ maxLength: 60, unit: "grapheme" });
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 5 }), fc.integer({ min: 13, max: 90 }), (list, width) => {
        const rows = list.map((name) => ({ name: name.replace(/[\p{C}\p{Z}]/gu, "x"), units: "12345" }));
        for (const line of table(COLUMNS, rows, { width })) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("cutting", () => {
  it("keeps colours whole, and ends them", () => {
    expect(cutTo(paint.red("abcdef"), 4)).toBe(paint.red("abc…"));
    expect(cutTo("abcd", 4)).toBe("abcd");
  });
});

describe("wrapping", () => {
  it("keeps within the width, and never breaks a word, which may be copied", () => {
    expect(wrap("one two three https://example.com/long four", 10)).toEqual([
      "one two",
      "three",
      "https://example.com/long",
      "four",
    ]);
  });

  it("hangs under its first line", () => {
    expect(wrap("one two three", 9, { first: "- " })).toEqual(["- one two", "  three"]);
  });
});
