import { publish } from "../events.js";
import { Cooldown } from "./cooldown.js";

/** The cooldown of a principal whose quota no other process shares: nobody is told, and nobody tells. */
export function lonelyCooldown(host: string, name: string, githubNow: () => number, onMore: () => void): Cooldown {
  const cooldown: Cooldown = new Cooldown({
    documents: undefined,
    pool: { host, name },
    githubNow,
    onChange: () => {
      const [until, why] = [cooldown.until(), cooldown.why()];
      if (until > 0) publish("squad-rate:cooldown", () => ({ host, name, until, why }));
      onMore();
    },
    report: () => undefined,
  });
  return cooldown;
}
