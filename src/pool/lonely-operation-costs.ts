import type { Clock } from "../clock.js";
import type { GitHubTime } from "./github-time.js";
import { OperationCosts } from "./operation-costs.js";

/** What operations of a principal cost whose quota no other process shares: nobody is told, and nobody tells. */
export function lonelyOperationCosts(host: string, name: string, clock: Clock, time: GitHubTime): OperationCosts {
  return new OperationCosts({
    documents: undefined,
    pool: { host, name },
    clock,
    time,
    processId: "",
    report: () => undefined,
  });
}
