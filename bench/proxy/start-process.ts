import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of this benchmark that has told where it listens. */
export interface Started {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts `name` beside this file, and waits until it says where it listens. */
export async function startProcess(name: string, ...words: readonly string[]): Promise<Started> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), [...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const told = once(child, "message").then(([message]) => (message as { readonly url: string }).url);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${name} ended with ${code} before it listened.`);
  });
  return { url: await Promise.race([told, ended]), child };
}
