import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOverlay, type Overlay, sweepOverlays, userGhFolder } from "../../../src/cli/exec/overlay.js";
import { thisOwner } from "../../../src/store/file/owner.js";
import { privateFolder } from "../../proxy/control/folder-for-test.js";

const NOW = Date.now();

function overlay(parent: string, userFolder: string | undefined, socketPath: string): Overlay {
  return createOverlay(parent, { userFolder, socketPath, hasLogin: true });
}

function userFolder(files: Readonly<Record<string, string>>): string {
  const path = privateFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

describe("where gh has its configuration", () => {
  it("is what gh's own rules say", () => {
    expect(userGhFolder({ GH_CONFIG_DIR: "/a", XDG_CONFIG_HOME: "/b", HOME: "/c" })).toBe("/a");
    expect(userGhFolder({ GH_CONFIG_DIR: "", XDG_CONFIG_HOME: "/b", HOME: "/c" })).toBe("/b/gh");
    expect(userGhFolder({ HOME: "/c" })).toBe("/c/.config/gh");
    expect(userGhFolder({})).toBeUndefined();
  });
});

describe("an overlay", () => {
  it("differs from the user's folder in its socket alone", () => {
    const users = userFolder({ "config.yml": "editor: vi\n", "hosts.yml": "github.com:\n", "state.yml": "x: 1\n" });
    const { path } = overlay(privateFolder(), users, "/run/c.sock");
    expect(readdirSync(path).sort()).toEqual(["config.yml", "hosts.yml", "state.yml"]);
    expect(readFileSync(join(path, "config.yml"), "utf8")).toBe('http_unix_socket: "/run/c.sock"\neditor: vi\n');
    expect(readlinkSync(join(path, "hosts.yml"))).toBe(join(users, "hosts.yml"));
    expect(readFileSync(join(path, "state.yml"), "utf8")).toBe("x: 1\n");
  });

  it("is private, and so is what is in it", () => {
    const { path } = overlay(privateFolder(), undefined, "/run/c.sock");
    expect([dirname(path), path].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(statSync(join(path, "config.yml")).mode & 0o777).toBe(0o600);
  });

  it("lets a first login be written to the user's folder", () => {
    const users = userFolder({});
    const { path } = overlay(privateFolder(), users, "/run/c.sock");
    writeFileSync(join(path, "hosts.yml"), "github.com:\n");
    expect(readFileSync(join(users, "hosts.yml"), "utf8")).toBe("github.com:\n");
  });

  it("has no login where the proxy adds the token", () => {
    const users = userFolder({ "hosts.yml": "github.com:\n", "state.yml": "x: 1\n" });
    const { path } = createOverlay(privateFolder(), { userFolder: users, socketPath: "/run/c.sock", hasLogin: false });
    expect(readdirSync(path).sort()).toEqual(["config.yml", "state.yml"]);
  });

  it("works without a folder of the user's", () => {
    const missing = join(privateFolder(), "gh");
    const { path } = overlay(privateFolder(), missing, "/run/c.sock");
    expect(readFileSync(join(path, "config.yml"), "utf8")).toBe('http_unix_socket: "/run/c.sock"\n');
    expect(existsSync(missing)).toBe(false);
  });

  it("leads to the user's own files where it lies over another overlay", () => {
    const users = userFolder({ "hosts.yml": "github.com:\n" });
    const parent = privateFolder();
    const outer = overlay(parent, users, "/run/outer.sock");
    const inner = overlay(parent, outer.path, "/run/inner.sock");
    expect(inner.replaced).toBe("/run/outer.sock");
    outer.remove();
    expect(readFileSync(join(inner.path, "hosts.yml"), "utf8")).toBe("github.com:\n");
  });

  it("is removed without what its links lead to", () => {
    const users = userFolder({ "hosts.yml": "github.com:\n" });
    mkdirSync(join(users, "extensions"));
    writeFileSync(join(users, "extensions", "a"), "a");
    const parent = privateFolder();
    overlay(parent, users, "/run/c.sock").remove();
    expect(readdirSync(parent)).toEqual([]);
    expect(readdirSync(users).sort()).toEqual(["extensions", "hosts.yml"]);
    expect(readFileSync(join(users, "extensions", "a"), "utf8")).toBe("a");
  });

  it("says of the user's what is wrong with it", () => {
    const users = userFolder({ "a-file": "" });
    mkdirSync(join(users, "config.yml"));
    const wrong: readonly (readonly [string, string])[] = [
      [users, "EISDIR"],
      [join(users, "a-file"), "ENOTDIR"],
    ];
    for (const [folder, code] of wrong) {
      expect(() => overlay(privateFolder(), folder, "/run/c.sock")).toThrow(
        expect.objectContaining({
          code: "SQUAD_RATE_OPTIONS",
          message: `gh's configuration in ${folder} cannot be read (${code}).`,
        }),
      );
    }
  });

  it("leaves nothing where it cannot be made", () => {
    const parent = privateFolder();
    expect(() => overlay(parent, userFolder({ "config.yml": "{ a: 1 }" }), "/run/c.sock")).toThrow(/braces/);
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe("overlays of processes that are gone", () => {
  it("are removed, and those of the living stay", () => {
    const parent = privateFolder();
    const users = userFolder({ "hosts.yml": "github.com:\n" });
    const living = overlay(parent, users, "/run/c.sock");
    const dead = overlay(parent, users, "/run/c.sock");
    writeFileSync(join(dirname(dead.path), "owner.json"), JSON.stringify({ ...thisOwner(), pid: 2 ** 22 + 1 }));
    sweepOverlays(parent, NOW);
    expect(existsSync(living.path)).toBe(true);
    expect(existsSync(dead.path)).toBe(false);
    expect(existsSync(join(users, "hosts.yml"))).toBe(true);
  });

  it("are removed without a name in them once they are old", () => {
    const parent = privateFolder();
    for (const name of ["new", "old"]) mkdirSync(join(parent, name));
    utimesSync(join(parent, "old"), NOW / 1_000 - 120, NOW / 1_000 - 120);
    sweepOverlays(parent, NOW);
    expect(readdirSync(parent)).toEqual(["new"]);
  });
});

describe("a link of the user's", () => {
  it("is followed from the user's folder, not from ours", () => {
    const users = userFolder({});
    writeFileSync(join(users, "real.yml"), "github.com:\n");
    symlinkSync("real.yml", join(users, "hosts.yml"));
    chmodSync(users, 0o500);
    const { path } = overlay(privateFolder(), users, "/run/c.sock");
    chmodSync(users, 0o700);
    expect(lstatSync(join(path, "hosts.yml")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(path, "hosts.yml"), "utf8")).toBe("github.com:\n");
  });
});
