import { beforeEach, describe, expect, it } from "vitest";
import { createEventLoop, type EventLoop } from "../../../../src/sim/fleet/event-loop.js";
import { FleetProcess } from "../../../../src/sim/fleet/process.js";
import { FleetStore } from "../../../../src/sim/fleet/quota/store.js";

let loop: EventLoop;
let store: FleetStore;
let operations: number;

beforeEach(() => {
  loop = createEventLoop(0);
  operations = 0;
  store = new FleetStore({
    loop,
    latencyMs: () => 5,
    onOperation: () => {
      operations += 1;
    },
  });
});

function startProcess(name = "one"): FleetProcess {
  return new FleetProcess(name, loop, { skewMs: 0, errorMs: 0 });
}

/** Adds one to a count, and notes what was heard. */
function add(process: FleetProcess, heard: unknown[]): void {
  store.seenBy(process).update(
    "count",
    (doc) => {
      const count = ((doc as { count: number } | undefined)?.count ?? 0) + 1;
      return { doc: { count }, result: count };
    },
    (outcome) => heard.push([loop.now(), outcome.kind, outcome.kind === "done" ? outcome.result : undefined]),
  );
}

describe("the fleet's store", () => {
  it("changes a document half way and answers at the end of it", () => {
    const heard: unknown[] = [];
    add(startProcess(), heard);
    add(startProcess(), heard);
    loop.run(5);
    expect([store.documents.get("count"), heard, operations]).toEqual([{ count: 2 }, [], 2]);
    loop.run(10);
    expect(heard).toEqual([
      [10, "done", 1],
      [10, "done", 2],
    ]);
  });

  it("answers nobody while it is away, within the client's timeout", () => {
    const heard: unknown[] = [];
    store.goAway(100);
    add(startProcess(), heard);
    loop.timer(100, () => add(startProcess(), heard));
    loop.run(1_000);
    expect([store.documents.size, heard]).toEqual([
      1,
      [
        [110, "done", 1],
        [255, "failed", undefined],
      ],
    ]);
  });

  it("changes what a process asked for that died meanwhile, and tells it nothing", () => {
    const heard: unknown[] = [];
    const process = startProcess();
    add(process, heard);
    process.kill();
    loop.run(100);
    expect([store.documents.get("count"), heard]).toEqual([{ count: 1 }, []]);
  });

  it("can be put back to what it held", () => {
    const heard: unknown[] = [];
    add(startProcess(), heard);
    loop.run(10);
    const { documents } = store;
    add(startProcess(), heard);
    loop.run(20);
    store.putBack(documents);
    add(startProcess(), heard);
    loop.run(30);
    store.putBack(new Map());
    add(startProcess(), heard);
    loop.run(40);
    expect(heard.map((outcome) => (outcome as unknown[])[2])).toEqual([1, 2, 2, 1]);
  });

  it("is left as it is by a change that fails or wants nothing changed", () => {
    const heard: unknown[] = [];
    const documents = store.seenBy(startProcess());
    const unreadable = new Error("unreadable");
    documents.update(
      "count",
      () => {
        throw unreadable;
      },
      (outcome) => heard.push(outcome),
    );
    documents.update(
      "count",
      () => ({ doc: undefined, result: 7 }),
      (outcome) => heard.push(outcome),
    );
    loop.run(100);
    expect(heard).toEqual([
      { kind: "failed", error: unreadable },
      { kind: "done", result: 7 },
    ]);
    expect(store.documents.size).toBe(0);
  });
});
