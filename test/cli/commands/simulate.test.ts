import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../../src/cli/run.js";
import { systemClock } from "../../../src/clock.js";
import { askForStatus } from "../../../src/proxy/control/control-client.js";
import { openProxyFolder } from "../../../src/proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../../src/proxy/control/runtime-root.js";
import { serveFolder } from "../../../src/proxy/control/serve-folder.js";
import { createProxy } from "../../../src/proxy/index.js";
import { type FakeContext, type FakeContextOptions, fakeContext } from "../fake-context.js";
import { temporaryFolder } from "../temporary-folder.js";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function simulated(words: readonly string[], options: FakeContextOptions = {}): Promise<Ran> {
  const context = fakeContext({ clock: systemClock, cwd: temporaryFolder(), env: process.env, ...options });
  const code = await run(context, ["simulate", ...words]);
  return { code, out: context.written.out(), err: context.written.err() };
}

/** A command that runs `script` in node, with `ask(path)` to ask the simulated GitHub something. */
function node(script: string): readonly string[] {
  const ask = `
    const ask = async (path) => {
      const headers = { authorization: "token " + process.env.GITHUB_TOKEN };
      const answer = await fetch(process.env.GITHUB_API_URL + path, { headers });
      return { status: answer.status, limit: answer.headers.get("x-ratelimit-limit"), body: await answer.json() };
    };
    const put = (value) => require("node:fs").writeFileSync("seen.json", JSON.stringify(value));`;
  return ["--", process.execPath, "-e", `${ask}\n(async () => { ${script} })()`];
}

/** What `script` puts. */
async function seenBy(flags: readonly string[], script: string): Promise<Ran & { readonly seen: unknown }> {
  const cwd = temporaryFolder();
  const ran = await simulated([...flags, ...node(script)], { cwd });
  return { ...ran, seen: JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8")) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts one without a command; ends it at the end of the test. */
async function started(flags: readonly string[]): Promise<{
  readonly context: FakeContext;
  readonly end: () => Promise<number>;
}> {
  const controller = new AbortController();
  const context = fakeContext({ clock: systemClock, cwd: temporaryFolder(), signal: controller.signal });
  const ending = run(context, ["simulate", ...flags]);
  const end = (): Promise<number> => {
    controller.abort(new Error("end"));
    return ending;
  };
  onTestFinished(async () => void (await end()));
  await expect.poll(() => context.written.out(), { timeout: 20_000 }).toContain("Ctrl-C ends it.");
  return { context, end };
}

describe("squad-rate simulate with a command", () => {
  it("tells the command where it is and gives it a token that works", async () => {
    const { code, out, err, seen } = await seenBy(
      ["--user", "hubot"],
      `put({ user: (await ask("/user")).body.login, env: process.env })`,
    );
    expect({ code, out }).toEqual({ code: 0, out: "" });
    const { user, env } = seen as { user: string; env: Record<string, string> };
    expect(user).toBe("hubot");
    expect(env.GH_TOKEN).toBe(env.GITHUB_TOKEN);
    expect(env.GITHUB_TOKEN).toMatch(/^ghp_simulated[0-9a-f]{27}$/);
    expect(env.SQUAD_RATE_UPSTREAM).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(env).toMatchObject({
      GITHUB_API_URL: env.SQUAD_RATE_UPSTREAM,
      GITHUB_GRAPHQL_URL: `${env.SQUAD_RATE_UPSTREAM}/graphql`,
    });
    expect(err).toMatch(/^\nresource +requests +304 +refused +units\ncore +1 +0 +0 +1\n$/);
  });

  it("ends as the command ends", async () => {
    expect((await simulated(node("process.exit(3)"))).code).toBe(3);
    expect((await simulated(node(`process.kill(process.pid, "SIGKILL")`))).code).toBe(137);
    expect(await simulated(["--", "no-such-command-anywhere"])).toEqual({
      code: 127,
      out: "",
      err: "squad-rate: there is no command no-such-command-anywhere; is it on your PATH?\n",
    });
    expect((await simulated(["--", "/"])).code).toBe(126);
  });

  it("holds what it was told to hold", async () => {
    const flags = ["--owner", "crew", "--repos", "2", "--pulls", "3", "--issues", "4", "--token", "ghp_mine"];
    const { seen } = await seenBy(
      flags,
      `put({
        token: process.env.GITHUB_TOKEN,
        pulls: (await ask("/repos/crew/app-2/pulls")).body.length,
        issues: (await ask("/repos/crew/app-1/issues?per_page=100")).body.length,
        third: (await ask("/repos/crew/app-3")).status,
      })`,
    );
    expect(seen).toEqual({ token: "ghp_mine", pulls: 3, issues: 7, third: 404 });
  });

  it("refuses what is over the limit that was given, and shows it at the end", async () => {
    const script = `
      const answers = [await ask("/user"), await ask("/user"), await ask("/user")];
      put({ limits: answers.map((one) => one.limit), statuses: answers.map((one) => one.status) })`;
    const { seen, err } = await seenBy(["--limit", "core=2/60", "--limit", "graphql=5"], script);
    expect(seen).toEqual({ limits: ["2", "2", "2"], statuses: [200, 200, 403] });
    expect(err).toMatch(/\ncore +3 +0 +1 +3\n/);
    expect((await seenBy(["--no-limits"], script)).seen).toMatchObject({ statuses: [200, 200, 200] });
  });

  it("over a socket leads squads there, and nobody to another GitHub", async () => {
    const cwd = temporaryFolder();
    const env = { ...process.env, GITHUB_API_URL: "https://api.github.com" };
    await simulated(["--socket", "s.sock", ...node("put(process.env)")], { cwd, env });
    const seen = JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8")) as Record<string, string>;
    expect(seen.SQUAD_RATE_UPSTREAM).toBe(`http+unix://${cwd}/s.sock`);
    expect(seen).not.toHaveProperty("GITHUB_API_URL");
    expect(seen).not.toHaveProperty("GITHUB_GRAPHQL_URL");
  });

  it("ends the proxies that lead to it, and no others", async () => {
    const port = await freePort();
    const SQUAD_RATE_RUNTIME_DIR = join(temporaryFolder(), "run");
    const serve = async (upstream: string): Promise<() => Promise<"ended" | "serves">> => {
      const folder = openProxyFolder(runtimeRoot({ SQUAD_RATE_RUNTIME_DIR }), { upstream });
      const makeProxy = () => createProxy({ upstream, squad: { trace: false } });
      const serving = await serveFolder({ folder, makeProxy, idleMs: undefined, clock: systemClock });
      onTestFinished(async () => serving?.close());
      return () =>
        askForStatus(folder.controlSocket, systemClock).then(({ kind }) => (kind === "done" ? "serves" : "ended"));
    };
    const leadsHere = await serve(`http://127.0.0.1:${port}`);
    const leadsElsewhere = await serve("http://127.0.0.1:9");
    const env = { ...process.env, SQUAD_RATE_RUNTIME_DIR };
    expect((await simulated(["--port", String(port), ...node("")], { env })).code).toBe(0);
    expect([await leadsHere(), await leadsElsewhere()]).toEqual(["ended", "serves"]);
  });

  it("says nothing with --quiet", async () => {
    expect((await simulated(["--quiet", ...node("")])).err).toBe("");
  });
});

describe("squad-rate simulate", () => {
  it("says what to do next, serves until it is told to end, and then what it was asked", async () => {
    const { context, end } = await started(["--repos", "2"]);
    const text = context.written.out();
    expect(text).toContain("with 2 repositories (acme/app-1, …): 25 pull requests and 30 issues each.");
    const url = /SQUAD_RATE_UPSTREAM=(\S+)/.exec(text)?.[1] as string;
    const token = /GITHUB_TOKEN=(\S+)/.exec(text)?.[1] as string;
    const answer = await fetch(`${url}/user`, { headers: { authorization: `token ${token}` } });
    expect(answer.status).toBe(200);
    await answer.text();
    expect(await end()).toBe(0);
    expect(context.written.out().slice(text.length)).toMatch(/^\nresource .*\ncore +1 +0 +0 +1\n$/);
    await expect(fetch(`${url}/user`)).rejects.toThrow();
  });

  it("says when nobody asked anything", async () => {
    const { context, end } = await started([]);
    await end();
    expect(context.written.out()).toMatch(/\nIt was asked nothing\.\n$/);
  });

  it("listens on a socket, and says how that is reached", async () => {
    const { context } = await started(["--socket", "a b.sock"]);
    const path = join(context.cwd, "a b.sock");
    expect(context.written.out()).toContain(`  export SQUAD_RATE_UPSTREAM=http+unix://${context.cwd}/a%20b.sock\n`);
    expect(context.written.out()).toContain(`  curl --unix-socket '${path}' -H`);
  });

  it("says so if somebody else has the port", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    expect(await simulated(["--port", String(port)])).toEqual({
      code: 69,
      out: "",
      err: `squad-rate: it cannot listen on port ${port} (somebody else does); give another --port, or none\n`,
    });
  });

  it.each([
    [["--limit", "core"], '--limit takes a resource and units, not "core"'],
    [["--limit", "cor=5"], '--limit must be one of "core"'],
    [["--port", "70000"], "It must be a whole number from 0 to 65535"],
  ])("says what is wrong with %j", async (words, message) => {
    const { code, err } = await simulated(words);
    expect(code).toBe(64);
    expect(err).toContain(message);
  });
});

describe("squad-rate simulate fleet", () => {
  const small = ["fleet", "--sessions", "3", "--minutes", "2", "--quiet"];

  it("prints a scorecard on which a squad pays nothing for what has not changed", async () => {
    const { code, out, err } = await simulated(small);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^3 sessions in one process, squad, quiet, 2 min \(seed 1\)\n/);
    expect(out).toMatch(/\nREST units +0 {2}an hour\n/);
    expect(out).toMatch(/\n304s +100 % {2}of \d+ reads\n/);
    expect(out).toMatch(/\nresponse-time +\d/);
  });

  it("lets plain clients pay for everything: four reads and a query at each poll", async () => {
    const { out } = await simulated([...small, "--client", "plain"]);
    expect(out).toMatch(/\nREST units +1,440 {2}an hour\nGraphQL units +360 {2}an hour\n/);
  });

  it("prints the same as JSON, the same each time and another with another seed", async () => {
    const reactive = [...small, "--workload", "reactive", "--changes", "0.5", "--json"];
    const first = await simulated(reactive);
    expect(JSON.parse(first.out)).toMatchObject({ v: 1, sessions: 3, polls: { failed: 0, unmet: {} } });
    expect((await simulated(reactive)).out).toBe(first.out);
    expect((await simulated([...reactive, "--seed", "2"])).out).not.toBe(first.out);
  });
});
