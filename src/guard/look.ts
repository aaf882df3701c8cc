import { WatchedRequest } from "../adapter/watched-request.js";
import { isSquadRateError } from "../errors.js";
import type { Call } from "../pipeline/call.js";
import { brokenAnswer } from "./broken-answer.js";
import type { CheckedGuard, CheckedRead } from "./check-guard.js";
import { type Owner, ownerOf, unseenOwner } from "./owner.js";
import { type GuardAnswer, signatureOf } from "./signature.js";

/** An Octokit's own `request`, as guards use it. */
export type GuardRequest = (route: string, parameters: Readonly<Record<string, unknown>>) => Promise<GuardAnswer>;

/** The Octokit that the reads are made with. */
export interface GuardClient {
  readonly request: GuardRequest;
  /** Names it among the Octokits of its squad. */
  readonly number: number;
  /** Whose values it has asked for; several, where its credentials change. */
  owner: Owner | "several" | undefined;
}

/** What the reads came to. */
interface Looked {
  /** One for each read; undefined where it did not begin. */
  readonly calls: readonly (Call | undefined)[];
  /** How many of them failed. */
  readonly failed: number;
}

/** What the reads said. */
export interface Seen extends Looked {
  readonly kind: "seen";
  readonly owner: Owner;
  readonly signature: string;
}

/** At least one read was refused or failed. */
export interface FailedLook extends Looked {
  readonly kind: "failed";
  /** Undefined: nobody knows. */
  readonly owner: Owner | undefined;
  readonly error: unknown;
  /** It is the program that is wrong, or at its end: no value makes that good. */
  readonly isFinal: boolean;
}

/** Makes the reads, all at once. `id` names them. */
export async function look(client: GuardClient, id: string, { reads }: CheckedGuard): Promise<Seen | FailedLook> {
  const watched = reads.map(({ squad }) => new WatchedRequest(squad));
  const ends = await Promise.allSettled(reads.map((read, index) => send(client, read, watched[index])));
  const calls = watched.map(({ call }) => call);
  const answers: GuardAnswer[] = [];
  const errors: unknown[] = [];
  for (const end of ends) {
    if (end.status === "fulfilled") answers.push(end.value);
    else errors.push(end.reason);
  }
  const known = ownerOf(calls, client.number);
  const looked = { calls, failed: errors.length };
  if (errors.length === 0) {
    const owner = known ?? unseenOwner(calls, client.number);
    remember(client, owner);
    return { kind: "seen", owner, signature: signatureOf(id, answers), ...looked };
  }
  if (known !== undefined) remember(client, known);
  // Without the credential of who asks: if it never had another, it is the values of that one that are asked for.
  const owner = known ?? (client.owner === "several" ? undefined : client.owner);
  const error = errors.find(isFinal) ?? errors[0];
  return { kind: "failed", owner, error, isFinal: isFinal(error), ...looked };
}

async function send(
  { request }: GuardClient,
  read: CheckedRead,
  squad: WatchedRequest | undefined,
): Promise<GuardAnswer> {
  const { route, params, request: settings } = read;
  const answer = await request(route, { ...params, request: { ...settings, squad } });
  const broken = brokenAnswer(read, answer);
  if (broken !== undefined) throw broken;
  return answer;
}

function isFinal(error: unknown): boolean {
  return isSquadRateError(error) && (error.code === "SQUAD_RATE_OPTIONS" || error.code === "SQUAD_RATE_CLOSED");
}

function remember(client: GuardClient, owner: Owner): void {
  if (client.owner === undefined) client.owner = owner;
  else if (client.owner !== "several" && client.owner.name !== owner.name) client.owner = "several";
}
