import type { Clock } from "../../../clock.js";
import { remedyWorthSaying } from "../../error-line.js";

/** What one look has found. */
export interface Finding {
  /** `warn`: it works, and could be better, or cannot be told. `bad`: something will not work. */
  readonly state: "ok" | "warn" | "bad";
  /** In one line, without a secret. */
  readonly found: string;
  /** What to do; undefined where there is nothing to do. */
  readonly remedy?: string | undefined;
}

/** One thing that `doctor` looks at. */
export interface Check {
  /** One word or two: `store`, `clock`. */
  readonly name: string;
  look(): Promise<Finding>;
}

/** A finding, and of what it is. */
export interface Result extends Finding {
  readonly name: string;
}

/** Nothing that is well takes as long. */
const BOUND_MS = 5_000;

/** Looks, for a few seconds at most. What a look throws is what it has found. */
export function runCheck({ name, look }: Check, clock: Clock): Promise<Result> {
  return new Promise((resolve) => {
    const cancel = clock.timer(BOUND_MS, () =>
      resolve({
        name,
        state: "bad",
        found: `no answer within ${BOUND_MS / 1_000} s`,
        remedy: "try again, and look at the network",
      }),
    );
    const settle = (finding: Finding): void => {
      cancel();
      resolve({ name, ...finding });
    };
    look().then(settle, (error: unknown) => settle(findingOf(error)));
  });
}

/** An error of ours says what to do; any other says what went wrong. */
export function findingOf(error: unknown): Finding {
  const { message = String(error), remedy } = (error ?? {}) as { readonly message?: string; readonly remedy?: string };
  return { state: "bad", found: message.replace(/\.$/, ""), remedy: remedyWorthSaying(remedy)?.replace(/\.$/, "") };
}
