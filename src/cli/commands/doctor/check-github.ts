import { fingerprint } from "../../../call/fingerprint.js";
import { redact } from "../../../call/redact.js";
import { INJECTED_TOKEN } from "../../../proxy/options.js";
import { printable } from "../../../report/printable.js";
import { count } from "../../../report/words/format.js";
import { shownName } from "../pool/choose-pools.js";
import { roughly } from "../status/words.js";
import type { GitHubAnswer } from "./ask-github.js";
import type { Check, Finding } from "./check.js";

/** Squads go by GitHub's clock, and by this machine's until the first answer. */
const FAST_BY_MS = 60_000;
const WORTH_SAYING_MS = 2_000;

/** Whether this machine's clock is GitHub's. */
export function clockCheck(ask: () => Promise<GitHubAnswer>): Check {
  return {
    name: "clock",
    look: async () => {
      const answer = await ask().catch(() => undefined);
      if (answer?.githubAt === undefined) {
        return { state: "warn", found: "GitHub has not told the time", remedy: "see token" };
      }
      const offsetMs = answer.machineAt - answer.githubAt;
      const words = `${roughly(Math.abs(offsetMs))} ${offsetMs > 0 ? "ahead of" : "behind"} GitHub's`;
      if (Math.abs(offsetMs) < WORTH_SAYING_MS) return { state: "ok", found: "within two seconds of GitHub's" };
      if (Math.abs(offsetMs) < FAST_BY_MS)
        return {
          state: "warn",
          found: words,
          remedy: "squads find out by their first answer; switch time synchronisation on",
        };
      return { state: "bad", found: words, remedy: "set it: what lies in the store runs out too early or too late" };
    },
  };
}

/** Whether GitHub takes the token, what kind it is, and how much is left. */
export function tokenCheck(token: string | undefined, ask: () => Promise<GitHubAnswer>): Check {
  return {
    name: "token",
    look: async () => {
      let answer: GitHubAnswer;
      try {
        answer = await ask();
      } catch (error) {
        return {
          state: "bad",
          found: `GitHub does not answer: ${reasonOf(error)}`,
          remedy: "look at the network, and at --upstream and --host",
        };
      }
      if (token === undefined || token === INJECTED_TOKEN) return withoutToken(answer, token);
      return withToken(answer, token);
    },
  };
}

function withoutToken({ origin, status }: GitHubAnswer, token: string | undefined): Finding {
  if (token === INJECTED_TOKEN)
    return { state: "ok", found: `the proxy around this command has it; ${origin} answers` };
  const reaches = status < 500 ? `${origin} answers` : `${origin} answers ${status}`;
  return {
    state: "warn",
    found: `neither GH_TOKEN nor GITHUB_TOKEN is set; ${reaches}`,
    remedy: "which is fine if your agents have one of their own",
  };
}

function withToken({ status, limits, scopes, origin }: GitHubAnswer, token: string): Finding {
  const whose = `${kindOf(token)} of pool ${shownName(fingerprint(token))}`;
  if (status === 401) {
    return {
      state: "bad",
      found: `${whose}: ${origin} does not take it`,
      remedy: "it is expired, revoked or another host's: make a new one",
    };
  }
  if (status === 404) return { state: "ok", found: `${whose}; ${origin} has no rate limits` };
  if (status !== 200)
    return { state: "bad", found: `${whose}: ${origin} answers ${status}`, remedy: "try again later" };
  const told = limits
    .filter(({ resource }) => SHOWN.includes(resource))
    .map(({ resource, remaining, limit }) => `${resource} ${count(remaining)} of ${count(limit)}`);
  const may = scopes === undefined ? "" : `; scopes: ${scopes === "" ? "none" : printable(scopes)}`;
  const empty = limits.find(({ resource, remaining }) => SHOWN.includes(resource) && remaining === 0);
  const found = `${whose}; left: ${told.join(", ")}${may}`;
  return empty === undefined
    ? { state: "ok", found }
    : {
        state: "warn",
        found,
        remedy: `${empty.resource} is used up; squad-rate status and squad-rate report say by whom`,
      };
}

const SHOWN: readonly string[] = ["core", "graphql", "search"];

/** @see https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats */
const KINDS: readonly (readonly [beginning: string, kind: string])[] = [
  ["github_pat_", "a fine-grained personal token"],
  ["ghp_", "a classic personal token"],
  ["gho_", "a token of an OAuth app"],
  ["ghu_", "a token of a user of a GitHub app"],
  ["ghs_", "a token of an app's installation, good for an hour"],
];

function kindOf(token: string): string {
  return KINDS.find(([beginning]) => token.startsWith(beginning))?.[1] ?? "a token of an unknown kind";
}

/** Of `fetch`, whose own message says nothing. */
function reasonOf(error: unknown): string {
  const cause = (error as { readonly cause?: unknown } | null)?.cause;
  const { message, code } = (cause ?? error ?? {}) as { readonly message?: string; readonly code?: string };
  return redact(message || code || String(error));
}
