import { describe, expect, it } from "vitest";
import { type Child, startChild } from "../harness/child.js";

async function start(way: string): Promise<Child> {
  const child = startChild("e2e/processes/signalled.ts", [way]);
  await child.line((line) => line === "ready");
  return child;
}

describe.skipIf(process.platform === "win32")("a process that closes its squads on signals", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("closes them and then ends by %s", async (signal) => {
    const child = await start("alone");

    child.signal(signal);

    expect(await child.ended).toEqual({ how: signal, stderr: "" });
    expect(child.lines).toEqual(["ready", "closing", "closed true"]);
  });

  it("ends as its own listener decides", async () => {
    const child = await start("others");

    child.signal("SIGTERM");

    expect(await child.ended).toEqual({ how: "7", stderr: "" });
    expect(child.lines).toEqual(["ready", "closing", "closed true"]);
  });

  it("closes all before it ends when that was asked for twice", async () => {
    const child = await start("twice");

    child.signal("SIGTERM");

    expect(await child.ended).toEqual({ how: "SIGTERM", stderr: "" });
    expect(child.lines).toEqual(["ready", "closing", "closing", "closed true", "closed true"]);
  });

  it("ends at once at a second signal, though closing hangs", async () => {
    const child = await start("hang");
    child.signal("SIGTERM");
    await child.line((line) => line === "closing");

    child.signal("SIGINT");

    expect(await child.ended).toEqual({ how: "SIGINT", stderr: "" });
  });

  it("ends by a signal that it does not listen for, without closing", async () => {
    const child = await start("alone");

    child.signal("SIGHUP");

    expect(await child.ended).toEqual({ how: "SIGHUP", stderr: "" });
    expect(child.lines).toEqual(["ready"]);
  });
});
