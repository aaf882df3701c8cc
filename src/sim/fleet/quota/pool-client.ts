import type { CancelTimer } from "../../../clock.js";
import type { Priority } from "../../../policy/light.js";
import { PRIORITIES } from "../../../policy/share/quota-document.js";
import type { ShareMode } from "../../../policy/share/report.js";
import type { SpendTicket } from "../../../policy/spender.js";
import { quotaKey } from "../../../pool/keys.js";
import { type Arrival, PoolSpender } from "../../../pool/pool-spender.js";
import type { PoolUpdate } from "../../../pool/pool-update.js";
import type { SpendWord } from "../../../pool/spend-word.js";
import type { QuotaCall, QuotaClient, QuotaWorld } from "./client.js";

const KEY: string = quotaKey({ host: "github.com", name: "fleet" }, "core");

/** Callers of one process in front of its {@link PoolSpender}. `watch` sees what became of every report. */
export function createPoolClient(
  world: QuotaWorld,
  share: ShareMode = "lend",
  watch: (update: PoolUpdate) => void = () => undefined,
): QuotaClient {
  return new PoolClient(world, share, watch);
}

interface Waiting {
  readonly call: QuotaCall;
  readonly arrival: Arrival;
  readonly deadlineMono: number;
  overdue: boolean;
  cancelTimer: CancelTimer | undefined;
}

/** Stands for the waiting room: by class and arrival, and who cannot be served in time is told so at once. */
class PoolClient implements QuotaClient {
  readonly #world: QuotaWorld;
  readonly #spender: PoolSpender;
  readonly #queues: readonly [Set<Waiting>, Set<Waiting>, Set<Waiting>] = [new Set(), new Set(), new Set()];

  constructor(world: QuotaWorld, share: ShareMode, watch: (update: PoolUpdate) => void) {
    const { process, clock, time, documents, windowMs } = world;
    let names = 0;
    this.#world = world;
    this.#spender = new PoolSpender({
      documents,
      key: KEY,
      resource: "core",
      newName: () => `${process}~${names++}`,
      windowMs,
      requestTimeoutMs: 60_000,
      share,
      clock,
      time,
      onMore: () => {
        for (const priority of PRIORITIES) this.#serve(priority);
      },
      onUpdate: watch,
    });
  }

  call(call: QuotaCall): void {
    const { clock } = this.#world;
    const { priority } = call;
    const arrival = this.#spender.arrive(priority, 1);
    const waitMs = call.deadlineAt - clock.now();
    const deadlineMono = clock.monotonic() + waitMs;
    const waiting: Waiting = { call, arrival, deadlineMono, overdue: false, cancelTimer: undefined };
    const queue = this.#queues[priority];
    queue.add(waiting);
    this.#serve(priority);
    if (!queue.has(waiting)) return;
    waiting.cancelTimer = clock.timer(waitMs, () => {
      waiting.overdue = true;
      this.#serve(priority);
    });
  }

  /** A class's calls need a unit each and are let go in order, so the first that can wait stands for all behind it. */
  #serve(priority: Priority): void {
    let word: SpendWord | undefined;
    for (const waiting of this.#queues[priority]) {
      if (word?.kind !== "wait") word = this.#spender.spend(waiting.arrival);
      if (word.kind === "go") this.#send(waiting, word.ticket);
      else if (!word.brief && this.#isTooLate(waiting, word.untilAt)) this.#giveUp(waiting);
      else return;
    }
  }

  #isTooLate({ overdue, deadlineMono }: Waiting, untilAt: number): boolean {
    const { clock, time } = this.#world;
    return overdue || clock.monotonic() + untilAt - time.now() > deadlineMono;
  }

  #send(waiting: Waiting, ticket: SpendTicket): void {
    this.#leaveQueue(waiting);
    const { call } = waiting;
    this.#world.send(({ refused, chargedUnits, limit, used, resetAt }) => {
      // As the pipeline books it: an answer does not say what it cost, and only an unchanged one is known to be free.
      const charged = refused ? 1 : chargedUnits;
      const header = { limit, used, resetAt, at: this.#world.time.now() };
      this.#spender.settle(ticket, call.priority, { answered: true, charged, header });
      call.done(refused ? "refused" : "answered");
    });
  }

  #giveUp(waiting: Waiting): void {
    this.#leaveQueue(waiting);
    this.#spender.leave(waiting.arrival);
    waiting.call.done("gave-up");
  }

  #leaveQueue(waiting: Waiting): void {
    this.#queues[waiting.call.priority].delete(waiting);
    waiting.cancelTimer?.();
  }
}
