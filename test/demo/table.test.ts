import { describe, expect, it } from "vitest";
import { type Moment, renderTable, type SideView } from "../../examples/demo/table.js";
import { Tally } from "../../examples/demo/tally.js";

describe("renderTable", () => {
  it("fits into 80 columns, with long news on more than one line", () => {
    const lines = renderTable(moment(), false, 80);

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.join(" ").replace(/ +/g, " ")).toContain("AMBER; resets in 4 s; P2 waits");
  });

  it("says who waits in words, not by colour alone", () => {
    expect(renderTable(moment(), false, 80).find((line) => line.startsWith("P2 indexer"))).toMatch(/waits/);
  });

  it("has no colour where colours are off", () => {
    expect(renderTable(moment(), false, 80).join("")).not.toContain("\u001b");
    expect(renderTable(moment(), true, 80).join("")).toContain("\u001b");
  });

  it("has one side where no plain client runs beside", () => {
    expect(renderTable({ ...moment(), plain: undefined }, false, 80).join("\n")).not.toContain("plain");
  });
});

function moment(): Moment {
  const window = { limit: 400, remaining: 77, resetInMs: 11_900 };
  const side: SideView = { agents: agents(), waiting: new Set(["indexer"]), window, light: "amber" };
  const plain = { ...side, waiting: new Set<string>(), window: { ...window, remaining: 0 }, light: undefined };
  const why = "core: 80 of 400 left besides 32 in flight (20 %), AMBER; resets in 4 s; P2 waits";
  const github = "Simulated GitHub, 400 units every 15 s";
  return { elapsedMs: 29_900, seconds: 30, github, squad: side, plain, happenings: [` 11.3 s  indexer waits: ${why}`] };
}

function agents(): SideView["agents"] {
  const tally = new Tally();
  for (const name of ["merge-queue", "indexer"]) {
    tally.enrol(name, name === "indexer" ? 2 : 0, 0);
    for (let call = 0; call < 1_200; call++) {
      tally.record(name, { result: "answered", free: true, durationMs: 60, atMs: 17_000 });
      tally.record(name, { result: "refused by GitHub", free: false, durationMs: 60, atMs: 18_000 });
    }
  }
  return tally.agents;
}
