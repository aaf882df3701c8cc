import { hostname } from "node:os";
import { type ResolvedOptions, resolveOptions } from "../../options.js";
import type { Settings } from "../config.js";

/** Whom calls are booked to, with the defaults that a squad of this process would have. */
export function whoAsks({
  agent,
  priority,
  session,
}: Settings): Pick<ResolvedOptions, "agent" | "priority" | "session"> {
  const resolved = resolveOptions({ agent, priority, session }, {}, { hostname: hostname(), pid: process.pid });
  return { agent: resolved.agent, priority: resolved.priority, session: resolved.session };
}
