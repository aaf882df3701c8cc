import type { SecondaryCall } from "../../policy/secondary.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { TakenContent } from "../permit.js";
import type { TrackedWindow } from "../principal.js";
import type { MustWait } from "../wait-request.js";

/** GitHub's secondary limits, and the pause that it asks for between writes, as far as this process counts them itself. */
export function secondaryGate(
  engine: Engine,
  call: Call,
  secondaryCall: SecondaryCall,
  { principal }: TrackedWindow,
): MustWait | undefined {
  const { quota, clock } = engine;
  const word = principal.secondary.decide(secondaryCall, call.lane);
  if (word === undefined) return undefined;
  const untilAt = clock.now() + word.untilAt - quota.clocks.localTime();
  return { kind: "wait", gate: word.gate, untilAt, why: `${word.why}; P${call.request.priority} waits` };
}

const NOT_COUNTED = { kind: "go", content: undefined } as const;

/** Content writes, which the processes of a pool count together. On "go" one is taken. */
export function contentGate(
  engine: Engine,
  call: Call,
  secondaryCall: SecondaryCall,
  { principal }: TrackedWindow,
  githubNow: number,
): { readonly kind: "go"; readonly content: TakenContent | undefined } | MustWait {
  const { content } = principal.secondary;
  const limits = principal.secondary.contentLimits();
  if (content === undefined || limits === undefined || !secondaryCall.createsContent) return NOT_COUNTED;
  const { priority } = call.request;
  if (call.contentArrival === undefined) {
    content.arrive(priority);
    call.contentArrival = content;
  }
  const word = content.take(priority, limits, githubNow);
  if (word.kind === "go") {
    call.contentArrival.leave(priority);
    call.contentArrival = undefined;
    return { kind: "go", content: { of: content, slot: word.slot } };
  }
  const untilAt = engine.clock.now() + word.untilAt - githubNow;
  return { kind: "wait", gate: "secondary", untilAt, brief: word.brief, why: `${word.why}; P${priority} waits` };
}
