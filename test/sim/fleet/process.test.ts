import { beforeEach, describe, expect, it } from "vitest";
import { createEventLoop, type EventLoop } from "../../../src/sim/fleet/event-loop.js";
import { FleetProcess } from "../../../src/sim/fleet/process.js";

const SKEW_MS = 30_000;
const ERROR_MS = 400;

let loop: EventLoop;
let process: FleetProcess;
let happened: string[];

function note(name: string): () => void {
  return () => happened.push(`${name}@${loop.now()}`);
}

beforeEach(() => {
  loop = createEventLoop(0);
  process = new FleetProcess("one", loop, { skewMs: SKEW_MS, errorMs: ERROR_MS });
  happened = [];
});

describe("GitHub's time in a process", () => {
  it("is the machine's until an answer tells it", () => {
    expect([process.time.now(), process.time.known()]).toEqual([SKEW_MS, false]);
    process.tellTime(0);
    expect([process.time.now(), process.time.known(), process.time.jumpMs()]).toEqual([ERROR_MS, true, 0]);
  });
});

describe("a process that was killed", () => {
  it("does nothing any more", () => {
    process.clock.timer(10, note("timer"));
    process.kill();
    process.in(note("answer"));
    process.goOn();
    loop.run(100);
    expect([happened, process.dead]).toEqual([[], true]);
  });
});

describe("a process that is stopped", () => {
  it("does what it missed when it goes on, by clocks that went on", () => {
    process.tellTime(0);
    process.clock.timer(10, note("first"));
    process.clock.timer(20, note("second"));
    process.clock.timer(70, note("third"));
    process.stop();
    loop.timer(50, () => process.goOn());
    loop.run(100);
    expect(happened).toEqual(["first@50", "second@50", "third@70"]);
    expect([process.clock.monotonic(), process.time.now(), process.time.jumpMs()]).toEqual([100, 100 + ERROR_MS, 0]);
  });

  it("skips a timer that an earlier one cancels", () => {
    process.clock.timer(10, () => cancel());
    const cancel = process.clock.timer(20, note("second"));
    process.stop();
    loop.timer(50, () => process.goOn());
    loop.run(100);
    expect(happened).toEqual([]);
  });
});

describe("a process whose machine sleeps", () => {
  beforeEach(() => {
    process.tellTime(0);
    loop.timer(100, () => process.suspend());
    loop.timer(1_100, () => process.goOn());
  });

  it("has timers that are as much later", () => {
    process.clock.timer(50, note("before"));
    process.clock.timer(150, note("during"));
    const cancel = process.clock.timer(160, note("cancelled"));
    loop.timer(1_120, cancel);
    process.clock.timer(1_500, note("after"));
    loop.run(3_000);
    expect(happened).toEqual(["before@50", "during@1150", "after@2500"]);
  });

  it("has a monotonic clock that stands still, and a wall clock that does not", () => {
    loop.run(700);
    expect([process.clock.now(), process.clock.monotonic()]).toEqual([700, 100]);
    loop.run(1_200);
    expect([process.clock.now(), process.clock.monotonic()]).toEqual([1_200, 200]);
  });

  it("does not know GitHub's time afterwards, until an answer to a later request tells it", () => {
    loop.run(1_200);
    const behind = [200 + ERROR_MS, false, 1_000];
    expect([process.time.now(), process.time.known(), process.time.jumpMs()]).toEqual(behind);
    process.tellTime(90);
    expect([process.time.now(), process.time.known(), process.time.jumpMs()]).toEqual(behind);
    process.tellTime(1_150);
    expect([process.time.now(), process.time.known(), process.time.jumpMs()]).toEqual([1_200 + ERROR_MS, true, 0]);
  });

  it("sees no jump where it never knew GitHub's time", () => {
    const other = new FleetProcess("other", loop, { skewMs: 0, errorMs: 0 });
    loop.run(100);
    other.suspend();
    loop.run(1_100);
    other.goOn();
    expect([other.time.now(), other.time.jumpMs()]).toEqual([100, 0]);
  });

  it("hears what came for it when it wakes", () => {
    loop.timer(200, () => process.in(note("answer")));
    loop.run(2_000);
    expect(happened).toEqual(["answer@1100"]);
  });
});
