import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Who holds a lock: a process, told apart from any other that ever had its number. */
export interface Owner {
  readonly host: string;
  /** The kernel's boot id where there is one: host names repeat, numbers start anew after a boot. */
  readonly boot: string | undefined;
  readonly pid: number;
  /** When the process began, in the kernel's ticks; process numbers are used again. */
  readonly started: string | undefined;
  /** Process numbers mean nothing outside their namespace: containers share directories. */
  readonly pidNamespace: string | undefined;
  /** One opened store. */
  readonly id: string;
}

/** This process, as one store of it. */
export function thisOwner(): Owner {
  return {
    host: hostname(),
    boot: bootId(),
    pid: process.pid,
    started: processStat(process.pid)?.started,
    pidNamespace: pidNamespace(),
    id: randomUUID().slice(0, 13),
  };
}

/** Reads what an owner wrote about itself. */
export function parseOwner(text: string): Owner | undefined {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return undefined;
  }
  const owner = stored as Partial<Owner> | null;
  const sound =
    typeof owner?.host === "string" && Number.isSafeInteger(owner.pid) && /^[\w-]{1,40}$/.test(owner.id ?? "");
  return sound ? (owner as Owner) : undefined;
}

/** Whether `owner` is gone for certain; false also means that nobody here can tell. */
export function isGone(owner: Owner, me: Owner): boolean {
  if (owner.host !== me.host || owner.boot !== me.boot || owner.pidNamespace !== me.pidNamespace) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: somebody else's process, so there is one.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const stat = processStat(owner.pid);
  if (stat === undefined || owner.started === undefined) return false;
  // A zombie answers to kill until its parent collects it, which in a container may be never.
  return stat.started !== owner.started || stat.state === "Z" || stat.state === "X";
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name, in parentheses, may hold anything. */
function processStat(pid: number): { readonly state: string; readonly started: string } | undefined {
  const text = readOrUndefined(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function pidNamespace(): string | undefined {
  return readOrUndefined(() => readlinkSync("/proc/self/ns/pid"));
}

function bootId(): string | undefined {
  return readOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
}

/** Only Linux has these files, and not every sandbox shows them. */
function readOrUndefined(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
