import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ExecDesk, execDesk, HAS_PROC } from "./exec/exec-desk.js";

async function statusOf(
  desk: ExecDesk,
): Promise<{ pid: number; clients: number; proxy: { clients: { agent: string }[] } }> {
  const { how, stdout, stderr } = await desk.run(["proxy", "--status", "--json"]);
  expect({ how, stderr }).toEqual({ how: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe.skipIf(!HAS_PROC)("the proxy of a user", { timeout: 90_000 }, () => {
  it("is started once by many commands that begin at the same time", async () => {
    const desk = await execDesk();
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        desk.run([
          "exec",
          "--agent",
          `agent-${number}`,
          "--",
          "sh",
          "-c",
          'curl -sSf "$GITHUB_API_URL/meta" >/dev/null && echo ok',
        ]),
      ),
    );
    expect(runs.filter(({ how, stdout }) => how !== 0 || stdout !== "ok\n")).toEqual([]);
    expect(desk.daemons()).toHaveLength(1);
    expect(await statusOf(desk)).toMatchObject({ pid: desk.daemons()[0], clients: 0 });
    const folder = desk.folder();
    expect(readdirSync(join(folder, "clients"))).toEqual([]);
    expect(readdirSync(join(folder, "gh"))).toEqual([]);
    // Nothing of the start is left behind.
    expect(readdirSync(folder).sort()).toEqual(["clients", "control.sock", "gh", "proxy.json", "proxy.log"]);
  });

  it("is started where one has died and left its socket", async () => {
    const desk = await execDesk();
    await desk.run(["exec", "--", "true"]);
    const [first] = desk.daemons();
    process.kill(first as number, "SIGKILL");
    while (desk.daemons().length > 0) await new Promise((later) => setTimeout(later, 20));
    expect(existsSync(join(desk.folder(), "control.sock"))).toBe(true);
    expect(await desk.run(["exec", "--", "true"])).toEqual({ how: 0, stdout: "", stderr: "" });
    expect(desk.daemons()).toHaveLength(1);
    expect(desk.daemons()[0]).not.toBe(first);
  });

  it("is another one for other settings", async () => {
    const desk = await execDesk();
    await Promise.all([desk.run(["exec", "--", "true"]), desk.run(["exec", "--pool", "team", "--", "true"])]);
    expect(desk.daemons()).toHaveLength(2);
  });

  it("can be looked at by nobody else", async () => {
    const desk = await execDesk();
    const script = `stat -c %a "$SQUAD_RATE_SOCKET" "$GH_CONFIG_DIR" "$GH_CONFIG_DIR/config.yml"`;
    const before = process.umask(0);
    try {
      expect((await desk.run(["exec", "--", "sh", "-c", script])).stdout).toBe("600\n700\n600\n");
    } finally {
      process.umask(before);
    }
    const modes = readdirSync(desk.runtime, { recursive: true, withFileTypes: true }).map(
      (entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o077,
    );
    expect(modes.length).toBeGreaterThan(5);
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  it("tells all who wait why it does not start, in a line each", async () => {
    const desk = await execDesk();
    const upstream = "http://203.0.113.9";
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => desk.run(["exec", "--", "true"], { env: { SQUAD_RATE_UPSTREAM: upstream } })),
    );
    for (const run of runs) {
      expect([64, 69]).toContain(run.how);
      expect(run.stderr).toMatch(/^squad-rate: .*https:/);
      expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
    }
    expect(desk.daemons()).toEqual([]);
  });

  it("is told from one of another version, with what to do", async () => {
    const desk = await execDesk();
    await desk.run(["exec", "--", "true"]);
    await desk.run(["proxy", "--stop"]);
    const other = createServer((_request, response) => {
      response.writeHead(409, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: "The proxy that runs is of another version", remedy: "end it" }));
    }).listen(join(desk.folder(), "control.sock"));
    onTestFinished(() => void other.close());
    expect(await desk.run(["exec", "--", "true"])).toEqual({
      how: 69,
      stdout: "",
      stderr: "squad-rate: The proxy that runs is of another version; end it\n",
    });
  });
});

describe.skipIf(!HAS_PROC)("squad-rate proxy", { timeout: 60_000 }, () => {
  it("serves in the foreground for exec and for a client of its own, until Ctrl-C", async () => {
    const desk = await execDesk();
    const socket = join(desk.home, "own", "github.sock");
    mkdirSync(join(desk.home, "own"), { mode: 0o700 });
    const words = ["proxy", "--agent", "own", "--inject-token", "--socket", socket];
    const proxy = desk.start(words);
    await proxy.printed("SQUAD_RATE_SOCKET");
    const addresses = join(desk.home, "addresses.sh");
    expect((await desk.run(["exec", "--", "true"])).how).toBe(0);
    expect(desk.daemons()).toEqual([]);
    const status = await statusOf(desk);
    expect(status).toMatchObject({ pid: proxy.pid, proxy: { clients: [{ agent: "own" }] } });

    proxy.kill("SIGINT");
    const { how, stdout, stderr } = await proxy.ended;
    writeFileSync(addresses, stdout);
    expect(how).toBe(130);
    expect(stderr).toMatch(/^squad-rate: serves on port \d+, .*\n$/);
    const shown = execFileSync("sh", ["-c", `. ${addresses}; echo "$SQUAD_RATE_SOCKET $GITHUB_API_URL"`], {
      encoding: "utf8",
    });
    expect(shown).toMatch(new RegExp(`^${socket} http://127\\.0\\.0\\.1:\\d+/[\\w-]{43}\n$`));
    expect(existsSync(join(desk.folder(), "control.sock"))).toBe(false);
  });

  it("answers by the addresses that it prints", async () => {
    const desk = await execDesk();
    const proxy = desk.start(["proxy", "--inject-token"]);
    const addresses = await proxy.printed("SQUAD_RATE_ROOTED_API_URL");
    const script = 'eval "$ADDRESSES"; curl -sS "$GITHUB_API_URL/user"';
    const shown = await desk.run(["exec", "--", "sh", "-c", script], { env: { ADDRESSES: addresses } });
    expect(shown.stdout).toMatch(/"login": ?"mona"/);
    expect((await statusOf(desk)).proxy.clients).toHaveLength(1);
  });

  it("does not serve beside one with the same settings", async () => {
    const desk = await execDesk();
    await desk.run(["exec", "--", "true"]);
    expect(await desk.run(["proxy"])).toEqual({
      how: 69,
      stdout: "",
      stderr:
        "squad-rate: a proxy with these settings runs already; use it with squad-rate exec, or end it with squad-rate proxy --stop\n",
    });
    expect(desk.daemons()).toHaveLength(1);
  });

  it("says who is there, and ends the one that runs", async () => {
    const desk = await execDesk();
    const command = desk.start([
      "exec",
      "--agent",
      "data",
      "--priority",
      "0",
      "--session",
      "ta-51",
      "--",
      "sh",
      "-c",
      "echo up; exec sleep 60",
    ]);
    await command.printed("up");
    const { stdout } = await desk.run(["proxy", "--status"]);
    expect(stdout).toMatch(/^Proxy \d+ for github\.com at http:\/\/127/);
    expect(stdout).toMatch(/^ {2}data \(P0\) for ta-51: 0 requests, 0 under way/m);
    expect((await desk.run(["proxy", "--stop"])).stdout).toMatch(
      /^The proxy \d+ has ended; 1 under squad-rate exec start another\.\n$/,
    );
    command.kill("SIGTERM");
    await command.ended;
  });

  it.each(["--status", "--stop"])("has nobody to ask for %s where none runs", async (flag) => {
    const desk = await execDesk();
    const run = await desk.run(["proxy", flag]);
    expect(run).toMatchObject({ how: 69, stdout: "" });
    expect(run.stderr).toMatch(/^squad-rate: no proxy with these settings runs; squad-rate exec starts one/);
  });

  it("is refused a daemon's orders that are none", async () => {
    const desk = await execDesk();
    expect(await desk.run(["proxy", "--daemon"], { input: "nonsense" })).toMatchObject({ how: 64, stdout: "" });
  });

  it("leaves a log of a few lines", async () => {
    const desk = await execDesk();
    await desk.run(["exec", "--", "true"]);
    await desk.run(["proxy", "--stop"]);
    while (desk.daemons().length > 0) await new Promise((later) => setTimeout(later, 20));
    expect(readFileSync(join(desk.folder(), "proxy.log"), "utf8")).toMatch(/^\S+Z serves on port \d+\n\S+Z ended\n$/);
  });
});
