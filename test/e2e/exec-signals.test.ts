import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type ExecDesk, execDesk, HAS_PROC, SQUAD_RATE_IN_SHELL } from "./exec/exec-desk.js";

/** Prints each signal that it hears, and ends by SIGTERM after the third. */
const HEARING = `
  let heard = 0;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGWINCH"])
    process.on(signal, () => { console.log("heard", signal); if (signal === "SIGTERM") process.exit(5); });
  console.log("up");
  setInterval(() => {}, 1000);`;
const PTY = `
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
def until(text):
    global seen
    while text not in seen: seen += os.read(terminal, 1024)
until(b"up")
os.write(terminal, b"\\x03")
until(b"heard SIGINT")
time.sleep(1)
os.kill(pid, 15)
try:
    while True:
        part = os.read(terminal, 1024)
        if not part: break
        seen += part
except OSError: pass
status = os.waitpid(pid, 0)[1]
sys.stdout.write(seen.decode().replace("\\r", "") + "status %d\\n" % os.waitstatus_to_exitcode(status))
`;
const hasPython = spawnSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"]).status === 0;

async function endsOf(desk: ExecDesk, scripts: readonly string[]): Promise<readonly unknown[]> {
  const runs = await Promise.all(scripts.map((script) => desk.run(["exec", "--", "sh", "-c", script])));
  return runs.map(({ how }) => how);
}

describe.skipIf(!HAS_PROC)("the end of a command under exec", { timeout: 90_000 }, () => {
  it("is ours: its exit code, or the signal that ended it", async () => {
    const desk = await execDesk();
    const codes = [0, 1, 7, 127, 255];
    expect(
      await endsOf(
        desk,
        codes.map((code) => `exit ${code}`),
      ),
    ).toEqual(codes);
    const signals = ["TERM", "INT", "HUP", "KILL", "USR1", "USR2"];
    expect(
      await endsOf(
        desk,
        signals.map((signal) => `kill -${signal} $$`),
      ),
    ).toEqual(signals.map((signal) => `SIG${signal}`));
    // Of the first two ours would be a core dump of no use, and Node ignores the third.
    const others = ["kill -QUIT $$", "kill -ABRT $$", "kill -PIPE $$"];
    expect(await endsOf(desk, others)).toEqual([131, 134, 141]);
    expect(readdirSync(join(desk.folder(), "gh"))).toEqual([]);
  });

  it("comes at once where there is none to run, or it may not be", async () => {
    const desk = await execDesk();
    const file = join(desk.home, "no-program");
    writeFileSync(file, "#!/bin/sh\n");
    const nowhere = join(desk.home, "bad-interpreter");
    writeFileSync(nowhere, "#!/no/such/interpreter\n");
    chmodSync(nowhere, 0o755);
    mkdirSync(join(desk.home, "folder"));
    for (const [command, code, message] of [
      ["no-such-command", 127, /^squad-rate: there is no command no-such-command; /],
      [nowhere, 127, /^squad-rate: there is no command /],
      [file, 126, /^squad-rate: .*no-program cannot be run \(EACCES\); /],
      [join(desk.home, "folder"), 126, /^squad-rate: .*folder cannot be run \(EACCES\); /],
      [join(file, "below"), 126, /^squad-rate: .*below cannot be run \(ENOTDIR\); /],
      ["", 126, /^squad-rate: .*cannot be run \(ERR_INVALID_ARG_VALUE\); /],
    ] as const) {
      const run = await desk.run(["exec", "--", command]);
      expect(run).toMatchObject({ how: code, stdout: "" });
      expect(run.stderr).toMatch(message);
    }
    expect(readdirSync(join(desk.folder(), "gh"))).toEqual([]);
    expect(readdirSync(join(desk.folder(), "clients"))).toEqual([]);
  });
});

describe.skipIf(!HAS_PROC)("a signal to exec", { timeout: 90_000 }, () => {
  it("goes on to the command, once, and does not end us before it", async () => {
    const desk = await execDesk();
    const command = desk.start(["exec", "--", process.execPath, "-e", HEARING]);
    await command.printed("up");
    for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGWINCH", "SIGTERM"] as const) {
      command.kill(signal);
      await command.printed(`heard ${signal}`);
    }
    const { how, stdout } = await command.ended;
    expect(how).toBe(5);
    expect(stdout.match(/heard/g)).toHaveLength(6);
  });

  it("while it starts ends it, and nothing runs", async () => {
    const desk = await execDesk();
    const command = desk.start(["exec", "--", "sh", "-c", "echo ran"]);
    await vi.waitFor(() => expect(desk.lockedFolder()).toBeDefined(), { timeout: 20_000, interval: 5 });
    command.kill("SIGTERM");
    expect(await command.ended).toEqual({ how: "SIGTERM", stdout: "", stderr: "" });
  });

  it.skipIf(!hasPython)("from a terminal reaches the command once, not twice", async () => {
    const desk = await execDesk();
    await desk.run(["exec", "--", "true"]);
    const script = join(desk.home, "hear.cjs");
    writeFileSync(script, HEARING);
    const command = `${SQUAD_RATE_IN_SHELL} exec -- '${process.execPath}' '${script}'`;
    const run = await desk.run(["exec", "--", "python3", "-c", PTY, "sh", "-c", `exec ${command}`]);
    expect(run.stdout.match(/heard SIGINT/g)).toHaveLength(1);
    expect(run.stdout).toMatch(/heard SIGTERM\nstatus 5\n$/);
  });
});
