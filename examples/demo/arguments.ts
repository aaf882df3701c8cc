/** What the demo is asked to do. */
export type Plan =
  | { readonly kind: "simulated"; readonly seconds: number; readonly seed: number }
  | {
      readonly kind: "real";
      readonly seconds: number;
      readonly owner: string;
      readonly repo: string;
      readonly token: string;
      /** Root of the REST API. */
      readonly baseUrl: string;
    }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

const SECONDS = { least: 5, most: 55, usual: 30 };

export const HELP = `npm run demo                       seven agents against a simulated GitHub, beside the same with plain Octokit
npm run demo -- --repo owner/name  the same agents against the real GitHub, which they only read

  --seconds N  how long, from ${SECONDS.least} to ${SECONDS.most} (default ${SECONDS.usual})
  --seed N     what happens in the simulated world (default 1)
  --help       this text

GITHUB_TOKEN is needed with --repo. GITHUB_API_URL is the root of another REST API than https://api.github.com, such as
https://github.example.com/api/v3. NO_COLOR=1 switches colours off.`;

/** Reads the command line and the environment; what is wrong comes back as one line. */
export function readArguments(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Plan {
  const given = new Map<string, string>();
  for (let index = 0; index < words.length; index++) {
    const [name = "", inline] = (words[index] ?? "").split(/=(.*)/s, 2);
    if (name === "--help" || name === "-h") return { kind: "help" };
    if (name !== "--repo" && name !== "--seconds" && name !== "--seed")
      return wrong(`There is no argument "${words[index]}"; there are --repo, --seconds, --seed and --help.`);
    const value = inline ?? words[++index];
    if (value === undefined) return wrong(`${name} needs a value, such as ${EXAMPLES[name]}.`);
    given.set(name, value);
  }
  const seconds = wholeNumber(given.get("--seconds") ?? String(SECONDS.usual), SECONDS.least, SECONDS.most);
  if (seconds === undefined)
    return wrong(
      `--seconds must be a whole number from ${SECONDS.least} to ${SECONDS.most}, not "${given.get("--seconds")}".`,
    );
  const repository = given.get("--repo");
  if (repository !== undefined) return real(repository, seconds, environment);
  const seed = wholeNumber(given.get("--seed") ?? "1", 0, 2 ** 32 - 1);
  if (seed === undefined)
    return wrong(`--seed must be a whole number from 0 to ${2 ** 32 - 1}, not "${given.get("--seed")}".`);
  return { kind: "simulated", seconds, seed };
}

const EXAMPLES = { "--repo": "--repo octokit/core.js", "--seconds": "--seconds 20", "--seed": "--seed 7" };

function real(repository: string, seconds: number, environment: Readonly<Record<string, string | undefined>>): Plan {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === undefined || repo === undefined)
    return wrong(`--repo must be owner/name, such as octokit/core.js, not "${repository}".`);
  const token = environment.GITHUB_TOKEN?.trim();
  if (token === undefined || token === "")
    return wrong(
      "--repo needs a token in GITHUB_TOKEN; one that may only read is enough. Without --repo, GitHub is simulated.",
    );
  const baseUrl = environment.GITHUB_API_URL?.trim() || "https://api.github.com";
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    return wrong(`GITHUB_API_URL must be an http or https address, not "${baseUrl}".`);
  return { kind: "real", seconds, owner, repo, token, baseUrl: baseUrl.replace(/\/+$/, "") };
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = Number(text);
  return /^\d+$/.test(text) && number >= least && number <= most ? number : undefined;
}

function wrong(message: string): Plan {
  return { kind: "wrong", message };
}
