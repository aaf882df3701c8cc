import { lstatSync } from "node:fs";
import type { Clock } from "../../../clock.js";
import { runtimeRoot } from "../../../proxy/control/runtime-root.js";
import { printable } from "../../../report/printable.js";
import { some } from "../../../report/words/format.js";
import type { CommandContext } from "../../context.js";
import { seeProxies } from "../status/proxies.js";
import type { Check } from "./check.js";

/** Whether proxies can have their sockets where only this user comes, and who runs. */
export function runtimeCheck(env: CommandContext["env"], clock: Clock): Check {
  return {
    name: "proxies",
    look: async () => {
      const { path, uid } = runtimeRoot(env);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) return { state: "ok", found: `none; ${path} is made when one begins` };
      if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
        const why = found.isDirectory() && found.uid === uid ? "open to others" : "not a folder of yours alone";
        return {
          state: "bad",
          found: `${path} is ${why}`,
          remedy: `chmod 700 ${path}, or set SQUAD_RATE_RUNTIME_DIR to a folder of your own`,
        };
      }
      const { running, others } = await seeProxies(env, clock);
      const silent = others.filter(({ kind }) => kind !== "gone");
      const hosts = [...new Set(running.map(({ host }) => host))];
      const told =
        running.length === 0 ? "none runs" : `${some(running.length, "proxy", "proxies")} of ${hosts.join(", ")}`;
      const first = silent[0];
      if (first === undefined) {
        const lost = running.find(({ store }) => store?.state === "lost");
        if (lost === undefined) return { state: "ok", found: `${told}; in ${path}` };
        const { pid, store } = lost;
        return {
          state: "warn",
          found: `${told}; process ${pid} goes on without its store ${printable(store?.uri ?? "")}: ${printable(store?.why ?? "")}`,
          // A server that is back it finds by itself; what Node could not load it does not try to load again.
          remedy: "mend that; a driver that was missing is seen by the next proxy, after squad-rate proxy --stop",
        };
      }
      const who = first.pid === undefined ? first.folder : `process ${first.pid}`;
      return {
        state: "warn",
        found: `${told}; ${who} does not answer`,
        remedy: first.pid === undefined ? "look at it" : `end it: kill ${first.pid}`,
      };
    },
  };
}
