import type { Light, Priority } from "../policy/light.js";
import type { MemberFacts } from "../pool/membership.js";
import type { Principal } from "./principal.js";

/** Whose facts they are, and what of them its process knows. */
export interface Told {
  readonly priority: Priority;
  readonly dependsOn: readonly string[];
  /** A call of the agent waits, or somebody waits until it may begin work: it is alive though nothing is sent. */
  readonly waiting: boolean;
  /** Core's light now. */
  readonly light: Light;
}

/** What an agent of this process tells those who depend on it. `githubNow` in epoch milliseconds. */
export function memberFacts(
  { windows, cooldown }: Principal,
  { priority, dependsOn, waiting, light }: Told,
  githubNow: number,
): MemberFacts {
  let blockedUntil = cooldown.until();
  let breakerOpen = false;
  for (const { isLong, breaker, refusedUntil, spender } of windows.values()) {
    if (!isLong) continue;
    breakerOpen ||= priority > 0 && breaker.openUntil(githubNow) !== undefined;
    blockedUntil = Math.max(blockedUntil, refusedUntil, spender?.denial(priority)?.until ?? 0);
  }
  return { light, breakerOpen, blockedUntil: blockedUntil > githubNow ? blockedUntil : 0, dependsOn, waiting };
}
