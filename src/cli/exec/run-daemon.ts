import { redact } from "../../call/redact.js";
import type { Orders } from "../../proxy/control/launch.js";
import { proxyFolderAt } from "../../proxy/control/proxy-folder.js";
import { serveFolder } from "../../proxy/control/serve-folder.js";
import { CommandEnd } from "../command-end.js";
import type { CommandContext } from "../context.js";
import { EXIT } from "../exit-code.js";
import { closeInherited } from "./close-inherited.js";
import { makeProxyAgain } from "./make-proxy.js";
import { shortLog } from "./short-log.js";

/** The standard error, which whoever started us has made our log. */
const LOG = 2;

/** Serves the folder that the standard input names, until nobody needs it any more or a signal comes. */
export async function runDaemon(context: CommandContext): Promise<void> {
  closeInherited();
  const { clock, signal } = context;
  const log = shortLog(LOG, clock.now);
  const { folder, settings, port, idleMs } = await readOrders(context);
  const serving = await serveFolder({
    folder: proxyFolderAt(folder),
    makeProxy: () => makeProxyAgain(settings, port, (message) => log(redact(message))),
    idleMs,
    clock,
  });
  if (serving === undefined) {
    log("another proxy serves this folder");
    return;
  }
  log(`serves on port ${serving.proxy.port}`);
  signal.addEventListener("abort", () => void serving.close(), { once: true });
  if (signal.aborted) await serving.close();
  await serving.ended;
  log("ended");
  // Connections to a store, or of clients, may stay open; nobody waits for them.
  process.exit(EXIT.ok);
}

async function readOrders({ input }: CommandContext): Promise<Orders> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.stream) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Orders;
  } catch (cause) {
    throw new CommandEnd(EXIT.usage, {
      message: "--daemon is for squad-rate itself",
      remedy: "use squad-rate proxy, or squad-rate exec",
      cause,
    });
  }
}
