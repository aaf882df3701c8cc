import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WriteStamps } from "../../src/cache/write-stamps.js";
import type { Scope } from "../../src/call/write-scope.js";

const host = "api.github.com";
const anywhere: Scope = { kind: "host" };
const repo = (name: string): Scope => ({ kind: "repository", name: `/repos/o/${name}` });

describe("WriteStamps", () => {
  it("knows of no write at first", () => {
    const writes = new WriteStamps();
    expect([writes.count, writes.lastWrite(host, repo("a")), writes.lastWrite(host, anywhere)]).toEqual([0, 0, 0]);
  });

  it("ends a repository and everything outside repositories by a write inside it, no other repository", () => {
    const writes = new WriteStamps();
    writes.stamp(host, repo("a"));
    expect(writes.lastWrite(host, repo("a"))).toBe(1);
    expect(writes.lastWrite(host, anywhere)).toBe(1);
    expect(writes.lastWrite(host, repo("b"))).toBe(0);
  });

  it("ends everything on one host by a write outside repositories, nothing on another host", () => {
    const writes = new WriteStamps();
    writes.stamp(host, repo("a"));
    writes.stamp(host, anywhere);
    expect([writes.lastWrite(host, repo("a")), writes.lastWrite(host, repo("b"))]).toEqual([2, 2]);
    expect(writes.lastWrite("ghe.example", repo("a"))).toBe(0);
  });

  it("counts a forgotten repository's write for all, when there are too many to remember", () => {
    const writes = new WriteStamps();
    writes.stamp(host, repo("first"));
    for (let index = 0; index < 10_000; index++) writes.stamp(host, repo(`r${index}`));
    expect(writes.lastWrite(host, repo("first"))).toBeGreaterThanOrEqual(1);
    expect(writes.lastWrite(host, repo("never-written"))).toBe(1);
    expect(writes.lastWrite(host, repo("r9999"))).toBe(10_001);
  });

  it("agrees with a list of all writes", () => {
    const scope = fc.oneof(fc.constant(anywhere), fc.constantFrom("a", "b", "c").map(repo));
    const write = fc.record({ host: fc.constantFrom(host, "ghe.example"), scope });
    fc.assert(
      fc.property(fc.array(write), fc.constantFrom(host, "ghe.example"), scope, (list, askedHost, asked) => {
        const writes = new WriteStamps();
        for (const one of list) writes.stamp(one.host, one.scope);
        const concerns = ({ host: on, scope: changed }: (typeof list)[number]): boolean =>
          on === askedHost &&
          (asked.kind === "host" ||
            changed.kind === "host" ||
            (changed.kind === "repository" && changed.name === asked.name));
        expect(writes.lastWrite(askedHost, asked)).toBe(list.findLastIndex(concerns) + 1);
        expect(writes.count).toBe(list.length);
      }),
    );
  });
});
