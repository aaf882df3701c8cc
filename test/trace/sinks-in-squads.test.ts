import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { setUpBench } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";

describe("a squad whose trace fails", () => {
  it("serves its calls, warns once and counts what is lost", async () => {
    const faults = recordEvents("squad-rate:fault");
    const failing = (): void => {
      throw new Error("no disk for token ghp_0123456789abcdef");
    };
    const { octokit, github, squad, logged } = setUpBench({ trace: failing });
    github.route("/user", { json: {} });
    for (let call = 0; call < 3; call++) await octokit("alice").request("GET /user");
    expect(squad.status().trace).toEqual({ where: "function", records: 6, dropped: 6 });
    expect(logged).toEqual([
      "warn: squad-rate: the function that takes the trace failed: no disk for token ***. Calls go on without it.",
    ]);
    expect(faults).toEqual([{ what: "the function that takes the trace failed", cause: "no disk for token ***" }]);
  });

  it("takes a promise that rejects for a failure, and not for the end of the program", async () => {
    const { octokit, github, squad } = setUpBench({
      trace: (async () => Promise.reject(new Error("late"))) as () => void,
    });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    await new Promise((resolve) => setImmediate(resolve));
    expect(squad.status().trace).toMatchObject({ records: 2, dropped: 2 });
  });

  it("serves its calls where the file cannot be", async () => {
    const { octokit, github, squad, logged, clock } = setUpBench({ trace: "/dev/null/trace.jsonl" });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    await clock.advance(1_000);
    await octokit("alice").request("GET /user");
    expect(logged).toEqual([expect.stringMatching(/^warn: squad-rate: the trace file .+ cannot be written: ENOTDIR/)]);
    await squad.close();
    expect(squad.status().trace).toMatchObject({ records: 4, dropped: 4 });
  });
});

describe("a squad with a trace file", () => {
  it("has written all of it when it is closed", async () => {
    const directory = mkdtempSync(join(tmpdir(), "squad-rate-trace-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, "trace.jsonl");
    const heard = recordEvents("squad-rate:trace");
    const { octokit, github, squad } = setUpBench({ trace: file });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    await octokit("alice").request("GET /user");
    await squad.close();
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(heard);
    expect(squad.status().trace).toEqual({ where: file, records: 4, dropped: 0 });
  });

  it("traces nothing when it is switched off", async () => {
    const { octokit, github, squad } = setUpBench({ trace: () => {}, enabled: false });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    expect(squad.status().trace).toBeUndefined();
  });
});
