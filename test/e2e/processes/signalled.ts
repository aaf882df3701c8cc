import { closeOnSignal, createSquad } from "../../../src/index.js";

// A process that closes its squad when it is told to end, in the way that its argument names.
const [way] = process.argv.slice(2);

const squad = createSquad({ agent: "signalled" });
const alive = setInterval(() => undefined, 1_000);
let closed = (): void => undefined;
const whenClosed = new Promise<void>((resolve) => {
  closed = resolve;
});

const close = async (): Promise<void> => {
  console.log("closing");
  clearInterval(alive);
  if (way === "hang") await new Promise(() => undefined);
  // As the sockets of a store's driver, this does not keep the process alive.
  await new Promise((resolve) => setTimeout(resolve, 50).unref());
  await squad.close();
  console.log(`closed ${squad.status().closed}`);
  closed();
};

closeOnSignal({ close }, { graceMs: 10_000 });
if (way === "others") {
  process.once("SIGTERM", async () => {
    await whenClosed;
    process.exit(7);
  });
}
if (way === "twice") closeOnSignal({ close });
console.log("ready");
