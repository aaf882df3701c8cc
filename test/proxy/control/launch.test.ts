import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CancelTimer, systemClock } from "../../../src/clock.js";
import { launchProxy, type Program } from "../../../src/proxy/control/launch.js";
import { writeProcessFile } from "../../../src/proxy/control/process-file.js";
import type { ProxyFolder } from "../../../src/proxy/control/proxy-folder.js";
import { proxyFolder } from "./folder-for-test.js";

/** A program that runs `script` with its orders at hand, from the folder it is told. */
function program(folder: ProxyFolder, script: string): Program {
  const source = `
    const { writeFileSync } = require("node:fs");
    const { createServer } = require("node:net");
    const read = require("node:fs").readFileSync(0, "utf8");
    const orders = JSON.parse(read);
    ${script}`;
  return { command: process.execPath, args: ["-e", source], env: { FROM: "us" }, cwd: folder.path };
}

const LISTENS = 'createServer().listen(orders.folder + "/control.sock");';

/** Ends whatever has written its number into the folder. */
function endsAfter(folder: ProxyFolder): void {
  onTestFinished(() => void process.kill(Number(readFileSync(join(folder.path, "pid"), "utf8"))));
}

describe("starting a proxy", () => {
  it("tells it its orders on its input, with the port that was had before, and waits until it answers", async () => {
    const folder = proxyFolder();
    writeProcessFile(folder.processFile, { pid: 1, port: 4321, version: "0", protocol: 1, startedAt: 0 });
    const script = `
      writeFileSync("told", JSON.stringify({ orders, argv: process.argv.slice(1), from: process.env.FROM }));
      writeFileSync("pid", String(process.pid));
      setTimeout(() => { ${LISTENS} }, 200);`;
    const settings = { store: "redis://user:hunter2@cache" };
    expect(await launchProxy(folder, program(folder, script), settings, 60_000, systemClock)).toEqual({ kind: "up" });
    endsAfter(folder);
    expect(JSON.parse(readFileSync(join(folder.path, "told"), "utf8"))).toEqual({
      orders: { folder: folder.path, settings, port: 4321, idleMs: 60_000 },
      argv: [],
      from: "us",
    });
  });

  it("lets it live in a group of its own, so that what ends us does not end it", async () => {
    const folder = proxyFolder();
    const script = `
      writeFileSync("pid", String(process.pid));
      writeFileSync("group", require("node:fs").readFileSync("/proc/self/stat", "latin1").replace(/^.*\\) /, "").split(" ")[2]);
      ${LISTENS}`;
    await launchProxy(folder, program(folder, script), {}, 60_000, systemClock);
    endsAfter(folder);
    const [pid, group] = ["pid", "group"].map((name) => readFileSync(join(folder.path, name), "utf8"));
    expect(group).toBe(pid);
  });

  it("says why it ended, by the end of its log, which begins anew", async () => {
    const folder = proxyFolder();
    writeFileSync(folder.log, "of an earlier one\n");
    const script = 'console.error("x".repeat(2_000)); console.error("no such store"); process.exit(3);';
    const launched = await launchProxy(folder, program(folder, script), {}, 60_000, systemClock);
    expect(launched).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/^it ended with 3: …x+\s+no such store$/),
    });
    expect(JSON.stringify(launched).length).toBeLessThan(800);
    expect(readFileSync(folder.log, "utf8")).not.toContain("earlier");
  });

  it("says what kept it from running at all", async () => {
    const folder = proxyFolder();
    const nothing = { command: join(folder.path, "none"), args: [], env: {}, cwd: folder.path };
    expect(await launchProxy(folder, nothing, {}, 60_000, systemClock)).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/ENOENT/),
    });
  });

  it("gives up on one that does not answer, and ends it", async () => {
    const folder = proxyFolder();
    const script = `
      process.on("SIGTERM", () => { writeFileSync("ended", ""); process.exit(); });
      writeFileSync("pid", String(process.pid));
      setInterval(() => {}, 1000);`;
    // Fifteen seconds are over as soon as it has begun.
    let isUp = false;
    const hurried = {
      ...systemClock,
      monotonic: () => (isUp ? 20_000 : 0),
      timer: (ms: number, run: () => void): CancelTimer => {
        isUp ||= exists(join(folder.path, "pid"));
        return systemClock.timer(ms, run);
      },
    };
    const launched = await launchProxy(folder, program(folder, script), {}, 60_000, hurried);
    expect(launched).toMatchObject({ kind: "failed", why: expect.stringMatching(/did not answer within 15 s/) });
    while (!exists(join(folder.path, "ended"))) await new Promise((later) => setTimeout(later, 20));
  });
});

function exists(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
