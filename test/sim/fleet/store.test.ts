import { Keyv } from "keyv";
import { expect, it } from "vitest";
import { FleetProcess } from "../../../src/sim/fleet/process.js";
import { FleetStore } from "../../../src/sim/fleet/store.js";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";
import { atomicUpdate } from "../../../src/store/atomic-update.js";
import { openStore } from "../../../src/store/open-store.js";

function fleetStore(latencyMs: number) {
  const clock = createVirtualClock();
  const store = new FleetStore({ clock, latencyMs: () => latencyMs });
  const open = async (name: string) => {
    const process = new FleetProcess(name, clock, { skewMs: 0, errorMs: 0 });
    const keyv = new Keyv({ store: store.seenBy(process) });
    return { process, keyv, opened: await openStore(keyv, { clock: process.clock, random: () => 0.5 }) };
  };
  return { clock, store, open };
}

it("loses no update of processes that write at the same time", async () => {
  const { clock, open } = fleetStore(3);
  const seats = await Promise.all(["one", "two", "three"].map(open));
  const updates = seats.flatMap(({ opened }) =>
    Array.from({ length: 5 }, () =>
      atomicUpdate(opened, "squad-rate:count", (current) => ({ count: 1 + Number(current?.count ?? 0) })),
    ),
  );
  await clock.settle(Promise.all(updates));
  const [first] = seats;
  expect(first?.opened.describe().atomicity).toBe("atomic");
  const last = await clock.settle(atomicUpdate(first?.opened as never, "squad-rate:count", (current) => current));
  expect(last?.count).toBe(15);
});

it("counts operations, and shows all processes the same", async () => {
  const { store, open } = fleetStore(0);
  const [one, two] = await Promise.all([open("one"), open("two")]);
  await one.keyv.set("key", "value");
  expect(await two.keyv.get("key")).toBe("value");
  expect(store.operations).toBe(2);
});

it("forgets what has lived its time", async () => {
  const { clock, open } = fleetStore(0);
  const { keyv } = await open("one");
  await keyv.set("key", "value", 1_000);
  await clock.advance(1_001);
  expect(await keyv.get("key")).toBeUndefined();
});

it("answers nobody while it is away, and then as before", async () => {
  const { clock, store, open } = fleetStore(0);
  const { keyv } = await open("one");
  await keyv.set("key", "value");
  store.goAway(1_000);
  let answer: unknown = "none";
  void keyv.get("key").then((value) => {
    answer = value;
  });
  await clock.advance(1_001);
  expect(answer).toBe("none");
  expect(await keyv.get("key")).toBe("value");
});

it("takes what was under way from a process that dies, and tells it nothing", async () => {
  const { clock, open } = fleetStore(5);
  const [dying, other] = await Promise.all([open("dying"), open("other")]);
  let told = false;
  void dying.keyv.set("key", "value").then(() => {
    told = true;
  });
  await clock.advance(4);
  dying.process.kill();
  await clock.advance(20);
  expect(told).toBe(false);
  expect(await clock.settle(other.keyv.get("key"))).toBe("value");
});
