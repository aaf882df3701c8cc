import { expect, it } from "vitest";
import { startChild } from "../../harness/child.js";

// The adapter tells of its first query's failure as an event, which ends a process when nobody listens yet. In a process of
// its own, because it is the order in which modules are loaded that decides who is first.
it("ends no process, a Postgres that refuses connections while it is opened", async () => {
  const child = startChild("pool/adversary/processes/open-postgres.ts", []);
  expect(await child.ended).toEqual({ how: "0", stderr: "" });
  expect(child.lines).toEqual(["survived"]);
});
