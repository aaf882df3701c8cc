import { clearPoolCooldown } from "../../../pool/outside/clear-pool-cooldown.js";
import type { CooldownView, PoolView } from "../../../pool/outside/pool-view.js";
import { printable } from "../../../report/printable.js";
import { some } from "../../../report/words/format.js";
import { CommandEnd } from "../../command-end.js";
import { confirmed } from "../../confirm.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { loadSettings } from "../../settings.js";
import type { Flags } from "../../shared-options.js";
import { checkNamedPool, choosePools, readPools, shownName } from "../pool/choose-pools.js";
import { documentsOf } from "../pool/run-evict.js";
import { withStore } from "../pool/with-store.js";
import { roughly, timeOfDay } from "../status/words.js";

interface Cooling {
  readonly pool: PoolView;
  readonly cooldown: CooldownView;
}

/** What `squad-rate cooldown clear` does. */
export async function runClearCooldown(
  context: CommandContext,
  { yes }: { readonly yes?: boolean },
  flags: Flags,
): Promise<void> {
  const settings = await loadSettings(context, flags);
  const { clock, env, out } = context;
  await withStore(context, settings, async (store) => {
    const chosen = await choosePools(store, clock, { env, settings });
    checkNamedPool(chosen, settings, store.describe().uri);
    const views = await readPools(store, chosen.pools, clock);
    checkReadable(views);
    const cooling = views.flatMap((pool): readonly Cooling[] =>
      pool.cooldown === undefined ? [] : [{ pool, cooldown: pool.cooldown }],
    );
    const [first, ...more] = cooling;
    if (first === undefined) {
      out.write("There is no cooldown.\n");
      return;
    }
    if (more.length > 0) throw severalPools(cooling);
    const { pool, cooldown } = first;
    await confirmed(context, question(first), yes);
    const cleared = await clearPoolCooldown(documentsOf(store, clock.monotonic), pool, cooldown, clock.now());
    if (cleared.kind === "newer") {
      throw new CommandEnd(EXIT.found, {
        message: `a newer refusal has come, and holds until ${timeOfDay(cleared.cooldown.until, clock.now())}; nothing was cleared`,
        remedy: "look at it with squad-rate status before you clear it too",
      });
    }
    out.write(
      cleared.kind === "none"
        ? "The cooldown is over.\n"
        : "The cooldown is ended. Processes that run notice within five seconds, and begin in order: P0, P1, P2.\n",
    );
  });
}

function question({ pool, cooldown }: Cooling): string {
  const { until, why, by, repeats, startedAt } = cooldown;
  const name = printable(shownName(pool.name));
  const whom = by === "" ? "somebody" : printable(by);
  const again = repeats > 0 ? `, the ${repeats + 1}. time in a row` : "";
  return `GitHub refused ${whom} at ${timeOfDay(startedAt, pool.now)}${again}: ${printable(why)}. Pool ${name} holds back until ${timeOfDay(until, pool.now)}, for another ${roughly(until - pool.now)}. Who goes on may be blocked for longer. End it now?`;
}

function severalPools(cooling: readonly Cooling[]): CommandEnd {
  const names = cooling.map(({ pool }) => printable(shownName(pool.name))).join(", ");
  return new CommandEnd(EXIT.usage, {
    message: `${some(cooling.length, "pool")} hold back: ${names}`,
    remedy: "say which with --pool",
  });
}

function checkReadable(views: readonly PoolView[]): void {
  for (const { unreadable, name } of views) {
    const broken = unreadable.find(({ document }) => document === "cooldown");
    if (broken === undefined) continue;
    throw new CommandEnd(EXIT.unavailable, {
      message: `the cooldown of pool ${printable(shownName(name))} cannot be read: ${printable(broken.why)}`,
      remedy: "find out who else writes under its key",
    });
  }
}
