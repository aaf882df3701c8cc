import type { SimulatedWorld } from "../../src/sim/github/world/world.js";
import type { Client } from "./cast.js";

/** The tokens that clients show, and what they were before. */
export class Badges {
  /** Every Authorization value that was ever used, with the scopes that GitHub's answers to it name. */
  readonly scopes: Map<string, string> = new Map();
  readonly #generations = new Map<string, number>();
  readonly #world: SimulatedWorld;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  authorizationOf({ badge, user, via }: Client): string | undefined {
    if (badge === undefined || user === undefined) return undefined;
    const token = this.#token(badge);
    const authorization = via === "octokit" ? `token ${token}` : `Bearer ${token}`;
    if (!this.scopes.has(authorization)) {
      this.scopes.set(authorization, `repo, ${token}`);
      this.#world.addToken(token, user, { scopes: `repo, ${token}` });
    }
    return authorization;
  }

  /** Gives all clients with this badge a new token; returns the old one. */
  rotate(badge: string): string {
    const old = this.#token(badge);
    this.#generations.set(badge, (this.#generations.get(badge) ?? 0) + 1);
    return old;
  }

  #token(badge: string): string {
    return `ghp_${badge}-${this.#generations.get(badge) ?? 0}`;
  }
}
