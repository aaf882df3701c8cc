import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Child, startChild } from "../harness/child.js";
import { type OwnServer, ownPostgres, ownRedis } from "../harness/own-server.js";

const TIMEOUT_MS = 250;
/** Beyond the timeout: the slack of a busy machine. A call that waits for the server waits for minutes. */
const SLACK_MS = 2_500;

interface Report {
  readonly codes: readonly string[];
  readonly tookMs: number;
}

describe.each([await ownRedis(), await ownPostgres()])("$label", ({ missing, create }) => {
  let server: OwnServer;
  let worker: Child;
  let answered: number;

  const ask = async (kind: "update" | "get", calls = 1): Promise<Report> => {
    worker.tell(`${kind} ${calls}`);
    answered++;
    const wanted = answered;
    await worker.line(() => worker.lines.filter((line) => line.startsWith("{")).length >= wanted);
    return JSON.parse(worker.lines.filter((line) => line.startsWith("{"))[wanted - 1] as string) as Report;
  };

  /** Asks until the store answers again; it must do so by itself. */
  const untilHealed = async (): Promise<void> => {
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await ask("update")).codes.includes("ok")) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("the store did not heal");
  };

  const startWorker = async (): Promise<void> => {
    answered = 0;
    worker = startChild("store/processes/outage-worker.ts", [
      server.url,
      `squad-rate:outage:${randomUUID()}`,
      String(TIMEOUT_MS),
    ]);
    await worker.line((line) => line === "open");
  };

  const expectCleanEnd = async (): Promise<void> => {
    worker.endInput();
    const { how, stderr } = await worker.ended;
    expect({ how, stderr }).toEqual({ how: "0", stderr: "" });
    expect(worker.lines.filter((line) => line.startsWith("unhandled"))).toEqual([]);
    expect(worker.lines.at(-1)).toBe("end of input");
  };

  beforeEach(async () => {
    if (missing) return;
    server = await create();
    await startWorker();
    await untilHealed();
  });

  afterEach(async () => {
    if (missing) return;
    worker.signal("SIGKILL");
    await worker.ended;
    await server.remove();
  });

  it.skipIf(missing)(
    "fails each call within the timeout while the server hangs, and goes on when it answers again",
    async () => {
      server.pause();

      for (const [kind, calls] of [
        ["update", 1],
        ["get", 1],
        ["update", 20],
        ["get", 20],
        ["update", 1],
      ] as const) {
        const { codes, tookMs } = await ask(kind, calls);
        expect(codes).toEqual(["SQUAD_RATE_STORE"]);
        expect(tookMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      }
      server.resume();
      await untilHealed();
      await expectCleanEnd();
    },
  );

  it.skipIf(missing)("fails each call at once while the server is gone, and goes on when it is back", async () => {
    await server.kill();

    for (const [kind, calls] of [
      ["update", 1],
      ["get", 1],
      ["update", 20],
      ["get", 20],
    ] as const) {
      const { codes, tookMs } = await ask(kind, calls);
      expect(codes).toEqual(["SQUAD_RATE_STORE"]);
      expect(tookMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    }
    await server.start();
    await untilHealed();
    expect((await ask("get", 20)).codes).toEqual(["ok"]);
    await expectCleanEnd();
  });

  it.skipIf(missing)("lets the process end by itself while the server hangs", async () => {
    server.pause();
    await ask("update", 3);

    await expectCleanEnd();
  });

  it.skipIf(missing)("opens while the server is gone, fails calls, and works when it comes", async () => {
    worker.endInput();
    await worker.ended;
    await server.kill();
    await startWorker();

    expect((await ask("update", 5)).codes).toEqual(["SQUAD_RATE_STORE"]);
    await server.start();
    await untilHealed();
    await expectCleanEnd();
  });

  it.skipIf(missing)("loses an idle connection without a crash", async () => {
    await server.kill();
    await server.start();
    await untilHealed();

    expect((await ask("get")).codes).toEqual(["ok"]);
    await expectCleanEnd();
  });
});
