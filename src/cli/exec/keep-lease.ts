import { type Clock, sleep } from "../../clock.js";
import type { Lease } from "../../proxy/control/control-client.js";
import type { LeaseOutcome } from "../../proxy/control/obtain-lease.js";
import type { Admitted } from "../../proxy/control/protocol.js";

/** Waits between attempts to come back to a proxy, after the first, which is at once. */
const BACKOFF_MS: readonly number[] = [100, 500, 2_000, 5_000];

export interface KeptLease {
  /** The command has ended: the client goes, whichever proxy has it. */
  leave(): void;
}

/**
 * Keeps a command's client alive: where its proxy ends, by whatever, the client comes back to the next one, with the same socket
 * and secret, for which `again` asks. `warn` is told once where that does not work.
 */
export function keepLease(
  first: Lease,
  again: (before: Admitted) => Promise<LeaseOutcome>,
  warn: (message: string) => void,
  clock: Clock,
): KeptLease {
  let lease: Lease | undefined = first;
  let left = false;
  let warned = false;
  const warnOnce = (message: string): void => {
    if (!warned) warn(message);
    warned = true;
  };

  const comeBack = async (before: Admitted): Promise<Lease | undefined> => {
    let why = "";
    for (const waitMs of [0, ...BACKOFF_MS]) {
      await sleep(clock, waitMs);
      if (left) return undefined;
      try {
        const outcome = await again(before);
        if (outcome.kind === "lease") return outcome.lease;
        why = `${outcome.message}; ${outcome.remedy}`;
      } catch (error) {
        // The folder cannot be used any more. The command must not be left alone for that.
        why = (error as Error).message;
      }
    }
    warnOnce(`the proxy is gone and does not come back, so calls to GitHub fail: ${why}`);
    return undefined;
  };

  void (async () => {
    while (lease !== undefined && !left) {
      const { admitted, lost }: Lease = lease;
      await lost;
      if (left) return;
      lease = await comeBack(admitted);
      if (left) lease?.leave();
      else if (lease !== undefined && lease.admitted.apiUrl !== admitted.apiUrl) {
        warnOnce("the proxy came back on another port: gh goes on, but base URLs such as GITHUB_API_URL lead nowhere");
      }
    }
  })();

  return {
    leave: () => {
      left = true;
      lease?.leave();
    },
  };
}
