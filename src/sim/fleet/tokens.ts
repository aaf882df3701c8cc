import type { Clock } from "../../clock.js";
import type { SimulatedGitHub } from "../github/surface.js";

const LOGIN = "mona";

/** The credential of a fleet: one identity, and the token by which it is known at the moment. */
export interface FleetTokens {
  /** The principal's key in ledgers. */
  readonly principal: string;
  readonly current: () => string;
}

/** Makes the identity, and a new token for it every `rotationMs`. A token that was exchanged stays good until the next is. */
export function issueTokens({ world }: SimulatedGitHub, clock: Clock, rotationMs: number | undefined): FleetTokens {
  const { id } = world.addUser(LOGIN);
  const issued: string[] = [];
  const issue = (): void => {
    const token = `ghp_fleet${issued.length}`;
    issued.push(token);
    world.addToken(token, LOGIN);
    const outdated = issued.at(-3);
    if (outdated !== undefined) world.revokeToken(outdated);
    if (rotationMs !== undefined) clock.timer(rotationMs, issue);
  };
  issue();
  return { principal: `user:${id}`, current: () => issued.at(-1) as string };
}
