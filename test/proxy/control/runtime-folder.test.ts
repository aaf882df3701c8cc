import { chmodSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openPrivateFolder } from "../../../src/proxy/control/private-folder.js";
import { openProxyFolder } from "../../../src/proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../../src/proxy/control/runtime-root.js";
import { privateFolder } from "./folder-for-test.js";

const uid = process.getuid?.() ?? 0;

describe("where proxies have their folders", () => {
  it("is where the variable says, as an absolute path", () => {
    expect(runtimeRoot({ SQUAD_RATE_RUNTIME_DIR: "run", XDG_RUNTIME_DIR: tmpdir() }, uid).path).toBe(resolve("run"));
  });

  it("is in the user's runtime folder where there is one", () => {
    const session = privateFolder();
    expect(runtimeRoot({ XDG_RUNTIME_DIR: session }, uid).path).toBe(join(session, "squad-rate"));
  });

  it("is among the temporary files where the runtime folder is missing or somebody else's", () => {
    const fallback = join(tmpdir(), `squad-rate-${uid}`);
    expect(runtimeRoot({}, uid).path).toBe(fallback);
    expect(runtimeRoot({ XDG_RUNTIME_DIR: "/nowhere" }, uid).path).toBe(fallback);
    expect(runtimeRoot({ XDG_RUNTIME_DIR: privateFolder() }, uid + 1).path).toBe(
      join(tmpdir(), `squad-rate-${uid + 1}`),
    );
  });

  it("is nowhere without users, as on Windows, and says what to do", () => {
    const { getuid } = process;
    process.getuid = undefined as never;
    try {
      expect(() => runtimeRoot({})).toThrow(expect.objectContaining({ remedy: expect.stringContaining("WSL") }));
    } finally {
      if (getuid !== undefined) process.getuid = getuid;
    }
  });
});

describe("a private folder", () => {
  it("is made with those above it, and closed to others whatever the umask is", () => {
    for (const umask of [0, 0o277]) {
      const path = join(privateFolder(), "a");
      const before = process.umask(umask);
      try {
        openPrivateFolder(path, uid);
      } finally {
        process.umask(before);
      }
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
    openPrivateFolder(join(privateFolder(), "a", "b", "c"), uid);
  });

  it.each<[string, (path: string) => void, RegExp, RegExp]>([
    ["is open to the group", (path) => makeWith(path, 0o750), /is open to others/, /chmod 700 /],
    ["is open to all", (path) => makeWith(path, 0o701), /is open to others/, /chmod 700 /],
    ["is a file", (path) => writeFileSync(path, ""), /is no folder/, /SQUAD_RATE_RUNTIME_DIR/],
    ["is a link", (path) => symlinkSync(privateFolder(), path), /is a link/, /SQUAD_RATE_RUNTIME_DIR/],
  ])("is refused when it %s", (_how, make, message, remedy) => {
    const path = join(privateFolder(), "run");
    make(path);
    const before = lstatSync(path).mode;
    expect(() => openPrivateFolder(path, uid)).toThrow(
      expect.objectContaining({
        code: "SQUAD_RATE_OPTIONS",
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(remedy),
      }),
    );
    expect(lstatSync(path).mode).toBe(before);
  });

  it("is refused when it is somebody else's", () => {
    expect(() => openPrivateFolder(privateFolder(), uid + 1)).toThrow(/belongs to another user/);
  });

  it("is refused where it cannot be made", () => {
    const file = join(privateFolder(), "file");
    writeFileSync(file, "");
    expect(() => openPrivateFolder(join(file, "run"), uid)).toThrow(/cannot be made \(E(NOTDIR|EXIST)\)/);
  });
});

describe("the folder of one proxy", () => {
  it("is another one for other settings, and the same for the same", () => {
    const root = { path: privateFolder(), uid };
    const { path } = openProxyFolder(root, { store: "redis://user:hunter2@cache" });
    expect(openProxyFolder(root, { store: "redis://user:hunter2@cache" }).path).toBe(path);
    expect(openProxyFolder(root, { store: "redis://user:hunter3@cache" }).path).not.toBe(path);
  });

  it("has a name that another user's secrets cannot be tried on", () => {
    const settings = { store: "redis://user:hunter2@cache" };
    const names = [1, 2].map(() => openProxyFolder({ path: privateFolder(), uid }, settings).path.slice(-12));
    expect(names[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  it("is refused where its sockets' paths would be too long", () => {
    const root = { path: join(privateFolder(), "x".repeat(80)), uid };
    expect(() => openProxyFolder(root, {})).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/too long for sockets/) }),
    );
  });
});

function makeWith(path: string, mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}
