import type { Client, Surroundings } from "./client.js";
import { HandWritten } from "./hand-written.js";
import { asOneBatch, pullByPull, SquadByRepository } from "./squad-by-repository.js";
import { SquadBySession } from "./squad-by-session.js";

/** Who is compared, and how they are called in tables. */
export const CLIENT_LABELS = {
  "hand-written": "(c) guards by hand",
  "by-session": "(e1) squadRate, sessions poll",
  "by-repository": "(e2) squadRate, a batch each",
  "pull-by-pull": "(e3) squadRate, pull by pull",
} as const;

export type ClientName = keyof typeof CLIENT_LABELS;
export const CLIENTS: readonly ClientName[] = ["hand-written", "by-session", "by-repository", "pull-by-pull"];

export function makeClient(name: ClientName, surroundings: Surroundings): Client {
  switch (name) {
    case "hand-written":
      return new HandWritten(surroundings);
    case "by-session":
      return new SquadBySession(surroundings);
    case "by-repository":
      return new SquadByRepository(surroundings, asOneBatch);
    case "pull-by-pull":
      return new SquadByRepository(surroundings, pullByPull);
  }
}
