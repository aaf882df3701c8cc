import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { execDesk, HAS_PROC } from "./exec/exec-desk.js";

const PASSWORD = "hunter2-of-the-store";

/** Every file's text under a folder, with its path; sockets have none. */
function textsUnder(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: `${path}\n${readFileSync(path, "utf8")}` }));
}

describe.skipIf(!HAS_PROC)("secrets under exec", { timeout: 60_000 }, () => {
  it("are on no command line, and in no file, log, trace or status", async () => {
    const desk = await execDesk();
    const trace = join(desk.home, "trace.jsonl");
    // Nobody listens there: what is said about that must not tell the password either.
    const store = `redis://squad:${PASSWORD}@127.0.0.1:1`;
    const env = { SQUAD_RATE_STORE: store, SQUAD_RATE_TRACE: trace };
    const script = 'curl -sS "$GITHUB_API_URL/user" >/dev/null; echo "$GITHUB_API_URL"; read line';
    const command = desk.start(["exec", "--inject-token", "--", "sh", "-c", script], { env, input: undefined });
    const url = await command.printed("\n");
    const secret = /\/([\w-]{43})\n/.exec(url)?.[1] as string;
    const [daemon] = desk.daemons();

    const commandLines = readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid))
      .map((pid) => ({ path: `/proc/${pid}/cmdline`, text: textOf(`/proc/${pid}/cmdline`) }));
    const daemonEnvironment = { path: "its environment", text: textOf(`/proc/${daemon}/environ`) };
    const status = { path: "status", text: (await desk.run(["proxy", "--status", "--json"], { env })).stdout };
    command.tell("\n");
    const run = await command.ended;
    const stop = await desk.run(["proxy", "--stop"], { env });
    const places = [
      ...commandLines,
      daemonEnvironment,
      status,
      ...textsUnder(desk.runtime),
      { path: "trace", text: readFileSync(trace, "utf8") },
      { path: "what was said", text: `${run.stderr}${stop.stdout}${stop.stderr}` },
    ];
    expect(places.length).toBeGreaterThan(8);
    expect(status.text).toContain('"proxy"');
    for (const needle of ["ghp_mona", PASSWORD, secret]) {
      expect(needle.length).toBeGreaterThan(7);
      expect(places.filter(({ text }) => text.includes(needle)).map(({ path }) => path)).toEqual([]);
    }
  });

  it("are not told where the proxy does not start", async () => {
    const desk = await execDesk();
    const env = {
      SQUAD_RATE_STORE: `postgres://squad:${PASSWORD}@127.0.0.1:1/x`,
      SQUAD_RATE_UPSTREAM: "http://203.0.113.9",
    };
    const run = await desk.run(["exec", "--inject-token", "--", "true"], { env });
    expect(run.how).not.toBe(0);
    for (const text of [run.stderr, ...textsUnder(desk.runtime).map((file) => file.text)]) {
      expect(text).not.toMatch(/hunter2|ghp_mona/);
    }
  });
});

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
