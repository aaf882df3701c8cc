import type { ServableProxy } from "../../proxy/control/serve-folder.js";
import { type ProxySettings, proxyOptionsOf } from "../../proxy/control/settings.js";
import { createProxy, type ProxyOptions } from "../../proxy/index.js";

/** A proxy on a port that was had before, or on any free one where that is taken by now. */
export async function makeProxyAgain(
  settings: ProxySettings,
  port: number,
  onWarning: (message: string) => void,
): Promise<ServableProxy> {
  const options: ProxyOptions = { ...proxyOptionsOf(settings), onWarning };
  try {
    return await createProxy({ ...options, port });
  } catch (error) {
    if (port === 0 || !isPortTaken(error)) throw error;
    return createProxy(options);
  }
}

/** Whether a port could not be had because somebody else has it. */
export function isPortTaken(error: unknown): boolean {
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException | undefined };
  return cause?.code === "EADDRINUSE" || cause?.code === "EACCES";
}
