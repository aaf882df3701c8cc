import type { CommandContext, Output } from "../../src/cli/context.js";
import type { Clock } from "../../src/clock.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";

/** What a test may give instead of what a quiet pipe would have. */
export interface FakeContextOptions {
  readonly env?: CommandContext["env"];
  readonly cwd?: string;
  readonly home?: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly confirm?: CommandContext["confirm"];
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** What is piped in. */
  readonly input?: string;
}

/** A context whose outputs can be read. */
export interface FakeContext extends CommandContext {
  readonly written: { readonly out: () => string; readonly err: () => string };
}

/** A command's surroundings without a process: no terminal, no environment, a virtual clock. */
export function fakeContext(options: FakeContextOptions = {}): FakeContext {
  const { isTerminal = false, columns = 80, input = "" } = options;
  const texts = { out: "", err: "" };
  const output = (name: "out" | "err"): Output => ({
    write: (text) => {
      texts[name] += text;
    },
    isTerminal,
    columns,
  });
  return {
    out: output("out"),
    err: output("err"),
    input: { isTerminal: false, stream: streamOf(input) },
    env: options.env ?? {},
    cwd: options.cwd ?? "/nowhere",
    home: options.home ?? "/nowhere",
    clock: options.clock ?? createVirtualClock(),
    signal: options.signal ?? new AbortController().signal,
    confirm: options.confirm,
    written: { out: () => texts.out, err: () => texts.err },
  };
}

async function* streamOf(text: string): AsyncIterable<Uint8Array> {
  if (text !== "") yield new TextEncoder().encode(text);
}
