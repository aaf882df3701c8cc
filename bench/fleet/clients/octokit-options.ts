import type { FleetSeat } from "../../../src/sim/fleet/client.js";
import { QUIET } from "./quiet.js";

/** What every Octokit of a process is made with; in no scenario here does the token change. */
export function octokitOptions({ fetch, token }: FleetSeat): {
  readonly auth: string;
  readonly log: typeof QUIET;
  readonly request: { readonly fetch: typeof globalThis.fetch };
} {
  return { auth: token(), log: QUIET, request: { fetch } };
}
