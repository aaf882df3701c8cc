import type { Priority } from "../../policy/light.js";
import { PRIORITIES, type QuotaDocument } from "../../policy/share/quota-document.js";
import type { SeenQuota, ShareMode, ShareReport, ShareUpdate } from "../../policy/share/report.js";
import { updateShare } from "../../policy/share.js";
import {
  adopt,
  arrive,
  beginReport,
  leave,
  newSpender,
  planReport,
  reportFailed,
  type SpenderState,
  settle,
  spend,
} from "../../policy/spender.js";
import type { FleetAnswer, FleetCall, FleetClient, FleetWorld } from "./client.js";

/** Sees every update as it is made. */
export type WatchUpdate = (
  before: QuotaDocument | undefined,
  report: ShareReport,
  update: ShareUpdate,
  now: number,
) => void;

export function createPoolClient(world: FleetWorld, mode: ShareMode = "lend", watch?: WatchUpdate): FleetClient {
  return new PoolClient(world, mode, watch);
}

interface Waiting {
  readonly call: FleetCall;
  readonly stop: () => void;
}

/** The thinnest client of the pool: queues by class, and what `spender` says. */
class PoolClient implements FleetClient {
  readonly #world: FleetWorld;
  readonly #mode: ShareMode;
  readonly #watch: WatchUpdate | undefined;
  readonly #queues: readonly [Set<Waiting>, Set<Waiting>, Set<Waiting>] = [new Set(), new Set(), new Set()];
  #state: SpenderState;
  #clockKnown = false;
  #wake: (() => void) | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(world: FleetWorld, mode: ShareMode, watch: WatchUpdate | undefined) {
    this.#world = world;
    this.#mode = mode;
    this.#watch = watch;
    this.#state = newSpender({ spender: world.process, windowMs: world.windowMs, requestTimeoutMs: 60_000 });
  }

  call(call: FleetCall): void {
    const now = this.#world.githubNow();
    this.#state = arrive(this.#state, call.priority, 1, now);
    if (this.#queues[call.priority].size === 0 && this.#go(call)) {
      this.#plan();
      return;
    }
    if (this.#localTime(this.#state.classes[call.priority].retryAt) > call.deadlineAt) {
      this.#state = leave(this.#state, call.priority, 1);
      call.done("gave-up");
      this.#plan();
      return;
    }
    const waiting: Waiting = {
      call,
      stop: this.#world.clock.timer(call.deadlineAt - this.#world.clock.now(), () => this.#giveUp(waiting)),
    };
    this.#queues[call.priority].add(waiting);
    this.#plan();
  }

  kill(): void {
    this.#wake?.();
  }

  wake(): void {
    this.#pump();
  }

  #giveUp(waiting: Waiting): void {
    const { priority } = waiting.call;
    if (!this.#queues[priority].delete(waiting)) return;
    waiting.stop();
    this.#state = leave(this.#state, priority, 1);
    waiting.call.done("gave-up");
    this.#plan();
  }

  #go(call: FleetCall): boolean {
    const outcome = spend(this.#state, call.priority, 1, this.#world.githubNow());
    this.#state = outcome.state;
    if (outcome.kind === "wait") return false;
    const { ticket } = outcome;
    this.#world.send((answer) => {
      this.#clockKnown = true;
      const now = this.#world.githubNow();
      this.#state = settle(
        this.#state,
        ticket,
        { answered: true, charged: answer.chargedUnits, header: seenQuota(answer, now) },
        now,
      );
      call.done(answer.refused ? "refused" : "answered");
      this.#pump();
    });
    return true;
  }

  #pump(): void {
    for (const priority of PRIORITIES) {
      for (const waiting of this.#queues[priority]) {
        if (!this.#go(waiting.call)) break;
        this.#queues[priority].delete(waiting);
        waiting.stop();
      }
    }
    this.#plan();
  }

  #plan(): void {
    const plan = planReport(this.#state, this.#world.githubNow());
    if (plan.kind === "now") {
      this.#report();
      return;
    }
    const at = plan.kind === "at" ? plan.at : Number.POSITIVE_INFINITY;
    if (at === this.#wakeAt) return;
    this.#wake?.();
    this.#wakeAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.#wake = this.#world.clock.timer(at - this.#world.githubNow(), () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.#pump();
    });
  }

  #report(): void {
    const now = this.#world.githubNow();
    const { state, report } = beginReport(this.#state, now, { clockKnown: this.#clockKnown, mode: this.#mode });
    this.#state = state;
    const id = state.reportId;
    this.#world.update(
      (read) => {
        const before = read as QuotaDocument | undefined;
        const at = this.#world.githubNow();
        const update = updateShare(before, report, at);
        this.#watch?.(before, report, update, at);
        return { doc: update.doc, result: update.grant };
      },
      (grant) => {
        const at = this.#world.githubNow();
        this.#state = grant === undefined ? reportFailed(this.#state, id, at) : adopt(this.#state, id, grant, at);
        this.#letGo();
        this.#pump();
      },
    );
  }

  #localTime(githubTime: number): number {
    return githubTime - this.#world.githubNow() + this.#world.clock.now();
  }

  /** Callers that cannot be served in time are told at once. */
  #letGo(): void {
    for (const priority of PRIORITIES) {
      const { retryAt } = this.#state.classes[priority as Priority];
      for (const waiting of this.#queues[priority]) {
        if (this.#localTime(retryAt) <= waiting.call.deadlineAt) break;
        this.#giveUp(waiting);
      }
    }
  }
}

function seenQuota(answer: FleetAnswer, at: number): SeenQuota {
  return { limit: answer.limit, used: answer.used, resetAt: answer.resetAt, at };
}
