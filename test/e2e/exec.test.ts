import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireGh } from "../harness/gh.js";
import { type ExecDesk, execDesk, HAS_PROC, SQUAD_RATE_IN_SHELL } from "./exec/exec-desk.js";

const gh = await requireGh();
const GH_USER = [gh.program, "api", "user", "--jq", ".login"] as const;

describe.skipIf(gh.missing || !HAS_PROC)(`${gh.label} under exec`, { timeout: 60_000 }, () => {
  it("prints what it prints by itself, and pays once for what does not change", async () => {
    const desk = await execDesk();
    for (let time = 0; time < 2; time++) {
      expect(await desk.run(["exec", "--agent", "data", "--", ...GH_USER])).toEqual({
        how: 0,
        stdout: "mona\n",
        stderr: "",
      });
    }
    expect(desk.github.log.map(({ status }) => status)).toEqual([200, 304]);
  });

  it("is booked to the agent, priority and session that were named, and in a command inside to its own", async () => {
    const desk = await execDesk();
    const trace = join(desk.home, "trace.jsonl");
    const inner = `${SQUAD_RATE_IN_SHELL} exec --agent inner -- ${gh.program} api repos/acme/app --jq .name`;
    const script = `${gh.program} api user --jq .login && ${inner}`;
    const words = ["exec", "--agent", "outer", "--priority", "2", "--session", "ta-51", "--trace", trace];
    expect(await desk.run([...words, "--", "sh", "-c", script])).toEqual({ how: 0, stdout: "mona\napp\n", stderr: "" });
    expect(desk.daemons()).toHaveLength(1);
    await desk.run(["proxy", "--stop", "--trace", trace]);
    const calls = readFileSync(trace, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === "call");
    expect(calls.map(({ agent, priority, session, route }) => ({ agent, priority, session, route }))).toEqual([
      { agent: "outer", priority: 2, session: "ta-51", route: "GET /user" },
      { agent: "inner", priority: 2, session: "ta-51", route: "GET /repos/{owner}/{repo}" },
    ]);
  });

  it("leaves the user's configuration as it was, to the byte, and the login in it works", async () => {
    const desk = await execDesk();
    writeFileSync(join(desk.ghFolder, "config.yml"), "# mine\ngit_protocol: ssh\nhttp_unix_socket: /tmp/other.sock\n");
    const login = "github.com:\n    oauth_token: ghp_mona\n    user: mona\n    git_protocol: https\n";
    writeFileSync(join(desk.ghFolder, "hosts.yml"), login, { mode: 0o600 });
    mkdirSync(join(desk.ghFolder, "extra"));
    const before = snapshot(desk.ghFolder);
    const script = `${GH_USER.slice(0, 3).join(" ")} --jq .login; ${gh.program} config get git_protocol; ${gh.program} auth status 2>&1 | grep -c mona`;
    const run = await desk.run(["exec", "--", "sh", "-c", script], { env: { GH_TOKEN: undefined } });
    expect(run).toMatchObject({ how: 0, stdout: "mona\nssh\n1\n" });
    expect(run.stderr).toBe(
      "squad-rate: the http_unix_socket of your gh configuration (/tmp/other.sock) is not used under exec\n",
    );
    expect(snapshot(desk.ghFolder)).toEqual(before);
    expect(readdirSync(join(desk.folder(), "gh"))).toEqual([]);
  });

  it("writes a first login to the user's folder", async () => {
    const desk = await execDesk();
    const script = `echo ghp_mona | ${gh.program} auth login --with-token && ${GH_USER.slice(0, 3).join(" ")} --jq .login`;
    const run = await desk.run(["exec", "--", "sh", "-c", script], { env: { GH_TOKEN: undefined } });
    expect(run).toMatchObject({ how: 0, stdout: "mona\n" });
    expect(readFileSync(join(desk.ghFolder, "hosts.yml"), "utf8")).toContain("oauth_token: ghp_mona");
    expect(readdirSync(desk.ghFolder)).toEqual(["hosts.yml"]);
  });

  it("works where the user has no configuration at all, and makes none", async () => {
    const desk = await execDesk();
    rmSync(join(desk.home, ".config"), { recursive: true });
    expect(await desk.run(["exec", "--", ...GH_USER])).toMatchObject({ how: 0, stdout: "mona\n", stderr: "" });
    expect(readdirSync(desk.home).filter((name) => name === ".config")).toEqual([]);
  });

  it("needs no token, and sees none, where the proxy adds it; nor does a command inside", async () => {
    const desk = await execDesk();
    const inner = `${SQUAD_RATE_IN_SHELL} exec --agent inner`;
    const user = GH_USER.join(" ");
    writeFileSync(join(desk.ghFolder, "hosts.yml"), "github.com:\n    oauth_token: ghp_login\n    user: mona\n");
    const script = `env | grep -c ghp_; cat "$GH_CONFIG_DIR"/* | grep -c ghp_; ${user}; ${inner} -- ${user}; ${inner} --inject-token -- ${user}`;
    const run = await desk.run(["exec", "--inject-token", "--", "sh", "-c", script], {
      env: { GITHUB_TOKEN: "ghp_other" },
    });
    expect(run).toEqual({ how: 0, stdout: "0\n0\nmona\nmona\nmona\n", stderr: "" });
  });

  it("asks the Enterprise Server that was named, with the token for it", async () => {
    const desk = await execDesk({ ghes: true });
    const words = ["exec", "--host", "ghe.example", "--inject-token", "--", ...GH_USER];
    const run = await desk.run(words, { env: { GH_TOKEN: undefined, GH_ENTERPRISE_TOKEN: "ghp_mona" } });
    expect(run).toEqual({ how: 0, stdout: "mona\n", stderr: "" });
  });
});

describe.skipIf(!HAS_PROC)("a command under exec", { timeout: 60_000 }, () => {
  it("has our input, output and error as they are", async () => {
    const desk = await execDesk();
    const input = Buffer.alloc(3_000_000, "0123456789abcdef\n");
    const run = await desk.run(["exec", "--", "sh", "-c", "cat; echo done >&2"], { input });
    expect(run.how).toBe(0);
    expect(run.stdout.length).toBe(input.length);
    expect(run.stdout).toBe(input.toString());
    expect(run.stderr).toBe("done\n");
  });

  it("lets a pipe end with it, though the proxy that it started lives on", async () => {
    const desk = await execDesk();
    const script = `${SQUAD_RATE_IN_SHELL} exec -- sh -c 'echo through > "$0"; cat "$1"' >(cat; echo over) <(echo in)`;
    const run = await desk.run([
      "exec",
      "--pool",
      "outer",
      "--",
      "bash",
      "-c",
      `unset SQUAD_RATE_POOL; ${script}; sleep 1`,
    ]);
    expect(run).toMatchObject({ how: 0, stderr: "" });
    expect(run.stdout.trimEnd().split("\n").sort()).toEqual(["in", "over", "through"]);
    expect(desk.daemons()).toHaveLength(2);
  });

  it("has its own words, whatever they look like", async () => {
    const desk = await execDesk();
    const run = await desk.run(["exec", "--agent", "a", "printf", "%s\\n", "--agent", "b", "--", "-q"]);
    expect(run).toEqual({ how: 0, stdout: "--agent\nb\n--\n-q\n", stderr: "" });
  });

  it("runs in our folder", async () => {
    const desk = await execDesk();
    expect((await desk.run(["exec", "--", "pwd"], { cwd: desk.runtime })).stdout).toBe(`${desk.runtime}\n`);
  });

  it("reaches GitHub by each address that it is given", async () => {
    const desk = await execDesk();
    const script = `
      curl -sSf --unix-socket "$SQUAD_RATE_SOCKET" http://api.github.com/user
      for url in "$GITHUB_API_URL" "$SQUAD_RATE_API_URL" "$SQUAD_RATE_ROOTED_API_URL"; do curl -sSf "$url/user"; done
      curl -sSf "$GITHUB_GRAPHQL_URL" -d '{"query":"{ viewer { login } }"}'`;
    const run = await desk.run(["exec", "--inject-token", "--", "sh", "-c", script]);
    expect(run).toMatchObject({ how: 0, stderr: "" });
    expect(run.stdout.match(/"login": ?"mona"/g)).toHaveLength(5);
  });
});

describe("exec without a sound start", { timeout: 60_000 }, () => {
  it.each<[string, (desk: ExecDesk) => { words: readonly string[]; env?: Record<string, string> }, number, RegExp]>([
    ["no command", () => ({ words: ["exec"] }), 64, /^squad-rate: .*command/],
    [
      "a wrong priority",
      () => ({ words: ["exec", "--priority", "9", "--", "true"] }),
      64,
      /^squad-rate: --priority must be/,
    ],
    [
      "no token to inject",
      () => ({ words: ["exec", "--inject-token", "--", "true"], env: { GH_TOKEN: "" } }),
      64,
      /^squad-rate: --inject-token finds no token in GH_TOKEN or GITHUB_TOKEN; set one/,
    ],
    [
      "a runtime folder that others can enter",
      ({ home }) => {
        mkdirSync(join(home, "open"), { mode: 0o755 });
        return { words: ["exec", "--", "true"], env: { SQUAD_RATE_RUNTIME_DIR: join(home, "open") } };
      },
      64,
      /^squad-rate: The folder .* is open to others; close it: chmod 700/,
    ],
    [
      "a runtime folder whose path is too long",
      ({ home }) => ({ words: ["exec", "--", "true"], env: { SQUAD_RATE_RUNTIME_DIR: join(home, "x".repeat(90)) } }),
      64,
      /^squad-rate: .* too long for sockets; set SQUAD_RATE_RUNTIME_DIR/,
    ],
  ])("says in one line what to do: %s", async (_what, prepare, code, message) => {
    const desk = await execDesk();
    const { words, env = {} } = prepare(desk);
    const run = await desk.run(words, { env });
    expect(run).toMatchObject({ how: code, stdout: "" });
    expect(run.stderr).toMatch(message);
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

/** Every file's bytes, mode and time of writing. */
function snapshot(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mode, mtimeMs, size } = statSync(path);
      return { path, mode, mtimeMs, size, text: statSync(path).isFile() ? readFileSync(path, "utf8") : "" };
    });
}
