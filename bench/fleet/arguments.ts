import { CLIENT_LABELS, CLIENTS, type ClientName } from "./clients.js";
import type { Extent } from "./extent.js";
import { SHORT_SIZES, SIZES } from "./families.js";
import { FAMILIES, type FamilyName } from "./family-names.js";

/** What the command line asks for. */
export type Asked =
  | { readonly kind: "run"; readonly extent: Extent }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string };

const MOST_SESSIONS = 1_000;
const AT_ONCE = 2;

export const HELP: string = `usage: npm run bench:fleet [-- options]

Fleets of agents on one GitHub credential, simulated on virtual time: what each client needs to meet the same needs.
Figures are the same on every machine; only seconds and memory are the machine's own.

  --short            a quick look, in less than a minute: fewer sessions, for less time
  --only a,b         only these scenarios: ${FAMILIES.join(", ")}
  --sizes 5,50       numbers of sessions; otherwise ${SIZES.join(", ")}
  --clients c,e      only these clients: ${CLIENTS.map((name) => `${name} (${CLIENT_LABELS[name]})`).join(", ")}
  --seed 1           of all chance
  --at-once 2        runs at the same time, each in a process of its own
  --help             this text`;

/** Reads the words of the command line. */
export function readArguments(words: readonly string[]): Asked {
  const given = new Map<string, string>();
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--help") return { kind: "help" };
    if (word === "--short") given.set(word, "");
    else if (!VALUED.includes(word)) return wrong(`There is no option "${word}".`);
    else {
      const value = rest.shift();
      if (value === undefined || value.startsWith("--")) return wrong(`${word} needs a value.`);
      given.set(word, value);
    }
  }
  try {
    return { kind: "run", extent: extentOf(given) };
  } catch (error) {
    return wrong((error as Error).message);
  }
}

const VALUED: readonly string[] = ["--only", "--sizes", "--clients", "--seed", "--at-once"];

function extentOf(given: ReadonlyMap<string, string>): Extent {
  const short = given.has("--short");
  return {
    short,
    families: namesOf<FamilyName>(given.get("--only"), FAMILIES, "--only", "scenario"),
    sizes: given.get("--sizes")?.split(",").map(sizeOf) ?? (short ? SHORT_SIZES : SIZES),
    clients: namesOf<ClientName>(given.get("--clients"), CLIENTS, "--clients", "client"),
    seed: wholeOf(given.get("--seed") ?? "1", "--seed", 0, 2 ** 31 - 1),
    atOnce: wholeOf(given.get("--at-once") ?? String(AT_ONCE), "--at-once", 1, 64),
  };
}

function namesOf<N extends string>(
  given: string | undefined,
  all: readonly N[],
  option: string,
  what: string,
): readonly N[] {
  if (given === undefined) return all;
  const names = given.split(",");
  const unknown = names.find((name) => !all.includes(name as N));
  if (unknown !== undefined)
    throw new Error(`${option}: there is no ${what} "${unknown}"; there are ${all.join(", ")}.`);
  return all.filter((name) => names.includes(name));
}

function sizeOf(text: string): number {
  return wholeOf(text, "--sizes", 1, MOST_SESSIONS);
}

function wholeOf(text: string, option: string, min: number, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`${option} takes whole numbers from ${min} to ${max.toLocaleString("en-US")}, not "${text}".`);
}

function wrong(why: string): Asked {
  return { kind: "wrong", why };
}
