import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../../../src/cli/run.js";
import { systemClock } from "../../../src/clock.js";
import type { SquadOptions } from "../../../src/options.js";
import { createSquad, type Squad } from "../../../src/squad.js";
import { createStubGithub } from "../../harness/stub-github.js";
import { type FakeContext, type FakeContextOptions, fakeContext } from "../fake-context.js";

/** What a command has printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder of its own for a store, and one that no proxy is in. */
export interface StoreFolder {
  readonly uri: string;
  readonly path: string;
  /** Runs the command line on it. */
  run(words: readonly string[], options?: FakeContextOptions): Promise<Ran>;
  context(options?: FakeContextOptions): FakeContext;
  squad(options?: SquadOptions): Squad;
}

const REQUEST = { headers: { authorization: "token ghp_x" } };

export async function storeFolder(): Promise<StoreFolder> {
  const root = await mkdtemp(join(tmpdir(), "squad-rate-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const path = join(root, "store");
  const uri = `file:${path}`;
  const context = ({ env, ...more }: FakeContextOptions = {}): FakeContext =>
    fakeContext({
      clock: systemClock,
      env: { SQUAD_RATE_STORE: uri, SQUAD_RATE_RUNTIME_DIR: join(root, "run"), ...env },
      home: root,
      cwd: root,
      ...more,
    });
  return {
    uri,
    path,
    context,
    async run(words, options) {
      const its = context(options);
      const code = await run(its, words);
      return { code, out: its.written.out(), err: its.written.err() };
    },
    squad(options) {
      const { fetch } = createStubGithub({ clock: systemClock });
      const squad = createSquad({ agent: "ralph", store: uri, fetch, storeTimeoutMs: 5_000, ...options });
      onTestFinished(() => squad.close());
      return squad;
    },
  };
}

/** A call of `squad`, which is answered. */
export async function call(squad: Squad, path = "/repos/o/r"): Promise<void> {
  await (await squad.fetch(`https://api.github.com${path}`, REQUEST)).text();
}

/** Until a command says what it should: lists are written within a second. */
export async function until(look: () => Promise<Ran>, is: (ran: Ran) => boolean): Promise<Ran> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const ran = await look();
    if (is(ran)) return ran;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it never said so");
}
