import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { SquadRateError } from "../../errors.js";
import { isGone, parseOwner, thisOwner } from "../../store/file/owner.js";
import { readWholeSync, writePrivateSync } from "../../store/file/whole-file.js";
import { withSocket } from "./gh-config.js";

/** A configuration folder of gh that differs from the user's in its socket alone. */
export interface Overlay {
  /** For `GH_CONFIG_DIR`. */
  readonly path: string;
  /** The socket of the user's own configuration. */
  readonly replaced: string | undefined;
  remove(): void;
}

const CONFIG = "config.yml";
const HOSTS = "hosts.yml";
/** Made and not yet signed; longer than that takes. */
const UNSIGNED_MS = 60_000;

/** Where gh keeps its configuration, by its own rules; undefined where there is no home. */
export function userGhFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.GH_CONFIG_DIR) return resolve(env.GH_CONFIG_DIR);
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "gh");
  return env.HOME ? join(env.HOME, ".config", "gh") : undefined;
}

/** What an overlay is made of. */
export interface OverlayParts {
  readonly userFolder: string | undefined;
  /** Where gh's requests go. */
  readonly socketPath: string;
  /** False where the proxy adds the token: then the user's lies at hand nowhere. */
  readonly hasLogin: boolean;
}

/**
 * Makes a folder under `parent` that stands in for the user's. Everything but `config.yml` is a link to their own, so that a
 * login, and what is done to it, is theirs; nothing of it is written to.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` where the user's cannot be read, or is not as gh writes it.
 */
export function createOverlay(parent: string, { userFolder, socketPath, hasLogin }: OverlayParts): Overlay {
  const own = join(parent, randomBytes(6).toString("hex"));
  const path = join(own, "gh");
  mkdirSync(own, { mode: 0o700 });
  const remove = (): void => {
    try {
      rmSync(own, { recursive: true, force: true });
    } catch {
      // The command's end is what counts; a later one sweeps.
    }
  };
  try {
    writePrivateSync(join(own, "owner.json"), JSON.stringify(thisOwner()));
    mkdirSync(path, { mode: 0o700 });
    const { config, links } = read(userFolder);
    const { text, replaced } = withSocket(config, socketPath);
    writePrivateSync(join(path, CONFIG), text);
    for (const [name, target] of links) if (hasLogin || name !== HOSTS) symlinkSync(target, join(path, name));
    return { path, replaced, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Removes what processes that are gone left under `parent`; `now` is epoch milliseconds. */
export function sweepOverlays(parent: string, now: number): void {
  const me = thisOwner();
  for (const name of readdirSync(parent)) {
    const own = join(parent, name);
    const signed = readWholeSync(join(own, "owner.json"));
    const owner = signed === undefined ? undefined : parseOwner(signed);
    const left = owner === undefined ? isOlder(own, now - UNSIGNED_MS) : isGone(owner, me);
    if (left) rmSync(own, { recursive: true, force: true });
  }
}

/** The user's `config.yml`, and links to all else. */
function read(userFolder: string | undefined): {
  readonly config: string | undefined;
  readonly links: ReadonlyMap<string, string>;
} {
  if (userFolder === undefined) return { config: undefined, links: new Map() };
  try {
    return { config: readWholeSync(join(userFolder, CONFIG)), links: linksTo(userFolder) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SquadRateError("SQUAD_RATE_OPTIONS", `gh's configuration in ${userFolder} cannot be read (${code}).`, {
      remedy: "Make it readable to you, or name another folder in GH_CONFIG_DIR.",
      cause,
    });
  }
}

/** What the links are called, and where they lead. */
function linksTo(userFolder: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  // A first login writes through a link that leads nowhere yet, into the user's folder.
  links.set(HOSTS, join(userFolder, HOSTS));
  for (const entry of namesIn(userFolder)) {
    if (entry.name === CONFIG) continue;
    const path = join(userFolder, entry.name);
    // In an overlay of an overlay the links lead where those of the outer one lead: it may be gone sooner.
    links.set(entry.name, entry.isSymbolicLink() ? resolve(userFolder, readlinkSync(path)) : path);
  }
  return links;
}

function namesIn(folder: string): readonly { readonly name: string; isSymbolicLink(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function isOlder(path: string, than: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < than;
}
