import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What {@link requireProgram} found. */
export interface TestProgram {
  readonly program: string;
  /** True when it does not run: skip. */
  readonly missing: boolean;
  /** For the name of the test or suite, so that a skipped one says why. */
  readonly label: string;
}

/** A program that tests run, and how to see that it is there with all that it needs. */
export interface Wanted {
  readonly name: string;
  readonly program: string;
  /** Succeeds where all is there. */
  readonly probe: readonly string[];
  /** What to install. */
  readonly remedy: string;
  /** The variable that turns its absence into a failure when it is 1. */
  readonly requiredBy: string;
}

export const CURL: Wanted = {
  name: "curl",
  program: "curl",
  probe: ["--version"],
  remedy: "install curl",
  requiredBy: "SQUAD_RATE_REQUIRE_CURL",
};

/**
 * Later ones warn of the way in which all of them take a token. Only Debian's own Python has Debian's packages, whichever comes
 * first on the path.
 */
export const PYGITHUB: Wanted = {
  name: "PyGithub 1",
  program: process.env.SQUAD_RATE_TEST_PYTHON ?? "/usr/bin/python3",
  probe: ["-c", "import importlib.metadata as m; assert m.version('PyGithub').startswith('1.')"],
  remedy: "install python3-github, or set SQUAD_RATE_TEST_PYTHON to a Python that has PyGithub 1",
  requiredBy: "SQUAD_RATE_REQUIRE_PYGITHUB",
};

/**
 * Looks for a program. Missing, its tests are skipped by name; where its variable is 1 they fail instead.
 *
 * @throws Error when it is missing and required.
 */
export async function requireProgram(
  { name, program, probe, remedy, requiredBy }: Wanted,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<TestProgram> {
  try {
    await promisify(execFile)(program, probe, { timeout: 20_000 });
    return { program, missing: false, label: name };
  } catch (cause) {
    if (environment[requiredBy] === "1")
      throw new Error(`These tests need ${name} (${requiredBy}=1); ${remedy}.`, { cause });
    return { program, missing: true, label: `${name} (skipped: ${remedy})` };
  }
}
