import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openProxyFolder, type ProxyFolder } from "../../../src/proxy/control/proxy-folder.js";

/** A private folder of the running test, which is removed after it. */
export function privateFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "sr-"));
  chmodSync(path, 0o700);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The folder of a proxy, in a runtime folder of the running test. */
export function proxyFolder(): ProxyFolder {
  return openProxyFolder({ path: privateFolder(), uid: process.getuid?.() ?? 0 }, {});
}
