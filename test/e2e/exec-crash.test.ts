import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type ExecDesk, execDesk, HAS_PROC } from "./exec/exec-desk.js";

/** Asks by both ways every tenth of a second; prints each answer's status, 000 for none, until a file appears. */
function asking(until: string): readonly string[] {
  const asked = "curl -s -o /dev/null -w '%{http_code} ' -m 5";
  const script = `
    echo "$GITHUB_API_URL"
    while ! [ -e "${until}" ]; do
      ${asked} --unix-socket "$SQUAD_RATE_SOCKET" http://api.github.com/user
      ${asked} "$GITHUB_API_URL/user"
      echo; sleep 0.1
    done`;
  return ["sh", "-c", script];
}

/** The lines of an asking command, less the first. */
function answersIn(stdout: string): readonly string[] {
  return stdout
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

async function killDaemon(desk: ExecDesk, signal: NodeJS.Signals): Promise<void> {
  const [pid] = desk.daemons();
  process.kill(pid as number, signal);
  await vi.waitFor(() => expect(desk.daemons()).not.toContain(pid), { timeout: 20_000 });
}

const LONG = { timeout: 30_000, interval: 50 };

describe.skipIf(!HAS_PROC)("a proxy that dies under a command", { timeout: 90_000 }, () => {
  it.each<NodeJS.Signals>(["SIGKILL", "SIGTERM"])(
    "by %s is followed by another, at the same addresses",
    async (signal) => {
      const desk = await execDesk();
      const until = join(desk.home, "until");
      let seen = "";
      const command = desk.start(["exec", "--agent", "data", "--inject-token", "--", ...asking(until)], {
        onOutput: (stdout) => (seen = stdout),
      });
      const good = (): number => answersIn(seen).filter((line) => line === "200 200").length;
      await vi.waitFor(() => expect(good()).toBeGreaterThan(1), LONG);
      for (let time = 0; time < 2; time++) {
        const [first] = desk.daemons();
        await killDaemon(desk, signal);
        const before = good();
        await vi.waitFor(() => expect(good()).toBeGreaterThan(before + 2), LONG);
        expect(desk.daemons()).toHaveLength(1);
        expect(desk.daemons()[0]).not.toBe(first);
      }
      writeFileSync(until, "");
      const run = await command.ended;
      expect(run).toMatchObject({ how: 0, stderr: "" });
      // While nobody is there, connections are refused; nothing is answered by halves.
      const answers = new Set(answersIn(run.stdout).join(" ").split(" "));
      expect([...answers].filter((status) => !["000", "200", "503"].includes(status))).toEqual([]);
      const status = JSON.parse((await desk.run(["proxy", "--status", "--json"])).stdout);
      expect(status.clients).toBe(0);
    },
  );

  it("is followed by one for all commands under it", async () => {
    const desk = await execDesk();
    const until = join(desk.home, "until");
    const commands = Array.from({ length: 6 }, (_, number) => {
      const command = { seen: "", ended: undefined as unknown as Promise<{ how: unknown; stderr: string }> };
      command.ended = desk.start(["exec", "--agent", `a${number}`, "--inject-token", "--", ...asking(until)], {
        onOutput: (stdout) => (command.seen = stdout),
      }).ended;
      return command;
    });
    const good = (seen: string): number => answersIn(seen).filter((line) => line === "200 200").length;
    await vi.waitFor(() => expect(commands.every(({ seen }) => good(seen) > 0)).toBe(true), LONG);
    await killDaemon(desk, "SIGKILL");
    const before = commands.map(({ seen }) => good(seen));
    await vi.waitFor(() => expect(commands.every(({ seen }, at) => good(seen) > (before[at] ?? 0))).toBe(true), LONG);
    expect(desk.daemons()).toHaveLength(1);
    writeFileSync(until, "");
    for (const { ended } of commands) expect(await ended).toMatchObject({ how: 0, stderr: "" });
  });

  it("together with its folder, as folders for temporary files are swept, is followed by another", async () => {
    const desk = await execDesk();
    const script = 'echo up; read line; curl -sS --unix-socket "$SQUAD_RATE_SOCKET" http://api.github.com/user';
    const command = desk.start(["exec", "--inject-token", "--", "sh", "-c", script], { input: undefined });
    await command.printed("up");
    const [pid] = desk.daemons();
    rmSync(desk.folder(), { recursive: true });
    process.kill(pid as number, "SIGKILL");
    await vi.waitFor(() => expect(readdirSync(join(desk.folder(), "clients"))).toHaveLength(1), LONG);
    command.tell("\n");
    expect((await command.ended).stdout).toMatch(/"login": ?"mona"/);
  });

  it("and cannot be started again lets the command go on, with one warning", async () => {
    const desk = await execDesk();
    const until = join(desk.home, "until");
    const command = desk.start([
      "exec",
      "--",
      "sh",
      "-c",
      `echo up; while ! [ -e ${until} ]; do sleep 0.1; done; exit 3`,
    ]);
    await command.printed("up");
    const [pid] = desk.daemons();
    const folder = desk.folder();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    process.kill(pid as number, "SIGKILL");
    await vi.waitFor(() => expect(command.stderr()).toMatch(/does not come back/), LONG);
    writeFileSync(until, "");
    const run = await command.ended;
    expect(run.how).toBe(3);
    expect(run.stderr.match(/^squad-rate: /gm)).toHaveLength(1);
    expect(run.stderr).toMatch(/^squad-rate: the proxy is gone and does not come back, so calls to GitHub fail: .*\n$/);
  });
});

describe.skipIf(!HAS_PROC)("a command that dies", { timeout: 60_000 }, () => {
  it("takes its client with it, and the next one clears away its overlay", async () => {
    const desk = await execDesk();
    const command = desk.start(["exec", "--agent", "victim", "--", "sh", "-c", "echo $$; exec sleep 60"]);
    const child = Number(await command.printed("\n"));
    const folder = desk.folder();
    expect(readdirSync(join(folder, "clients"))).toHaveLength(1);
    command.kill("SIGKILL");
    await command.died;
    const clients = async () => JSON.parse((await desk.run(["proxy", "--status", "--json"])).stdout).proxy.clients;
    expect(await clients()).toEqual([]);
    expect(readdirSync(join(folder, "clients"))).toEqual([]);
    expect(readdirSync(join(folder, "gh"))).toHaveLength(1);
    expect(await desk.run(["exec", "--", "true"])).toMatchObject({ how: 0 });
    expect(readdirSync(join(folder, "gh"))).toEqual([]);
    process.kill(child, "SIGKILL");
  });

  it("while it starts the proxy leaves it to the next", async () => {
    const desk = await execDesk();
    const command = desk.start(["exec", "--", "true"]);
    await vi.waitFor(() => expect(desk.lockedFolder()).toBeDefined(), { timeout: 20_000, interval: 5 });
    command.kill("SIGKILL");
    await command.died;
    expect(await desk.run(["exec", "--", "true"])).toEqual({ how: 0, stdout: "", stderr: "" });
    // What the first one had started may be a moment in finding that it is not needed.
    await vi.waitFor(() => expect(desk.daemons()).toHaveLength(1), LONG);
  });
});

describe.skipIf(!HAS_PROC)("a proxy that is told to end", { timeout: 60_000 }, () => {
  it("gives units back to the pool, and leaves a whole trace", async () => {
    const desk = await execDesk();
    const [pool, trace] = [join(desk.home, "pool"), join(desk.home, "trace.jsonl")];
    const settings = ["--store", `file:${pool}`, "--trace", trace];
    const words = [
      "exec",
      "--inject-token",
      ...settings,
      "--",
      "sh",
      "-c",
      'curl -sSf "$GITHUB_API_URL/user" >/dev/null',
    ];
    expect(await desk.run(words)).toMatchObject({ how: 0, stderr: "" });
    const [pid] = desk.daemons();
    process.kill(pid as number, "SIGTERM");
    await vi.waitFor(() => expect(desk.daemons()).toEqual([]), LONG);
    const documents = readdirSync(pool, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    const quota = documents.find((text) => text.includes("totalLimit"));
    expect(quota).toBeDefined();
    expect(quota).toMatch(/"allocations": ?\{\}/);
    const kinds = readFileSync(trace, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toContain("call");
    expect(existsSync(join(desk.folder(), "control.sock"))).toBe(false);
  });
});
