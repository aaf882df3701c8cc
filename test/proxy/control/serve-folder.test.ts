import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Clock, systemClock } from "../../../src/clock.js";
import { askForLease, askForStatus, askToStop, type Lease } from "../../../src/proxy/control/control-client.js";
import { isServed } from "../../../src/proxy/control/is-served.js";
import { readProcessFile } from "../../../src/proxy/control/process-file.js";
import { PROTOCOL, PROTOCOL_HEADER } from "../../../src/proxy/control/protocol.js";
import type { ProxyFolder } from "../../../src/proxy/control/proxy-folder.js";
import { type Serving, serveFolder } from "../../../src/proxy/control/serve-folder.js";
import { createVirtualClock } from "../../../src/sim/index.js";
import { thisOwner } from "../../../src/store/file/owner.js";
import { type FakeProxy, fakeProxy } from "./fake-proxy.js";
import { proxyFolder } from "./folder-for-test.js";

interface Desk {
  readonly folder: ProxyFolder;
  readonly proxy: FakeProxy;
  readonly serving: Serving;
}

async function serve(options: { idleMs?: number; clock?: Clock } = {}): Promise<Desk> {
  const folder = proxyFolder();
  const proxy = fakeProxy();
  const serving = await serveFolder({
    folder,
    makeProxy: async () => proxy,
    idleMs: options.idleMs,
    clock: options.clock ?? systemClock,
  });
  if (serving === undefined) throw new Error("somebody serves it");
  onTestFinished(() => serving.close());
  return { folder, proxy, serving };
}

async function lease(folder: ProxyFolder, admission: object = {}): Promise<Lease> {
  const answer = await askForLease(folder.controlSocket, admission, systemClock);
  if (answer.kind !== "done") throw new Error(JSON.stringify(answer));
  onTestFinished(() => answer.value.leave());
  return answer.value;
}

interface Raw {
  readonly method?: string;
  readonly path?: string;
  readonly protocol?: string;
  readonly body?: string;
}

async function send(folder: ProxyFolder, { method = "POST", path = "/clients", protocol, body = "{}" }: Raw) {
  const sent = request({
    socketPath: folder.controlSocket,
    method,
    path,
    headers: { [PROTOCOL_HEADER]: protocol ?? String(PROTOCOL) },
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += part;
  return { status: response.statusCode, protocol: response.headers[PROTOCOL_HEADER], body: JSON.parse(text) };
}

describe("a client's lease", () => {
  it("brings a client with what was asked for, and a socket in the folder", async () => {
    const { folder, proxy } = await serve();
    const { admitted } = await lease(folder, { agent: "data", priority: 2, session: "ta-51", token: "ghp_x" });
    expect(proxy.admitted[0]).toMatchObject({ agent: "data", priority: 2, session: "ta-51", token: "ghp_x" });
    expect(admitted.socketPath).toMatch(new RegExp(`^${folder.clients}/[0-9a-f]{8}\\.sock$`));
    expect(admitted.apiUrl).toContain(admitted.secret);
    expect(JSON.stringify(admitted)).not.toContain("ghp_x");
  });

  it("ends the client when it is left", async () => {
    const { folder, proxy } = await serve();
    const { leave } = await lease(folder);
    expect(proxy.present.size).toBe(1);
    leave();
    await vi.waitFor(() => expect(proxy.present.size).toBe(0));
  });

  it("ends the client when its connection breaks in the middle of nothing", async () => {
    const { folder, proxy } = await serve();
    const socket = connect(folder.controlSocket);
    socket.write(`POST /clients HTTP/1.1\r\nhost: x\r\n${PROTOCOL_HEADER}: ${PROTOCOL}\r\ncontent-length: 2\r\n\r\n{}`);
    await once(socket, "data");
    expect(proxy.present.size).toBe(1);
    socket.destroy();
    await vi.waitFor(() => expect(proxy.present.size).toBe(0));
  });

  it("is lost when the proxy ends, at once", async () => {
    // On this clock nobody's patience ends.
    const { folder, serving } = await serve({ clock: createVirtualClock() });
    const { lost } = await lease(folder);
    await serving.close();
    await lost;
  });

  it("has an earlier socket and secret again", async () => {
    const { folder, proxy } = await serve();
    const socketPath = join(folder.clients, "01234567.sock");
    const { admitted } = await lease(folder, { socketPath, secret: "s".repeat(43) });
    expect(admitted).toMatchObject({ socketPath, secret: "s".repeat(43) });
    expect(proxy.admitted[0]).toMatchObject({ socketPath, secret: "s".repeat(43) });
  });

  it.each(["/etc/x.sock", "%/../x.sock", "%/a/b.sock", "%/x.pid", "^/x.sock"])("has no socket at %s", async (path) => {
    const { folder, proxy } = await serve();
    const sibling = folder.clients.replace(/.$/, "x");
    const answer = await askForLease(
      folder.controlSocket,
      { socketPath: path.replace("%", folder.clients).replace("^", sibling) },
      systemClock,
    );
    expect(answer).toMatchObject({
      kind: "refused",
      status: 400,
      message: expect.stringMatching(/not in the folder/),
    });
    expect(proxy.admitted).toEqual([]);
  });

  it("uses the token of the command around it, as long as that is there", async () => {
    const { folder, proxy } = await serve();
    const outer = await lease(folder, { token: "ghp_x" });
    await lease(folder, { tokenOf: outer.admitted.secret });
    expect(proxy.admitted[1]).toMatchObject({ token: "ghp_x" });
    expect(proxy.admitted[1]).not.toHaveProperty("tokenOf");
    outer.leave();
    await vi.waitFor(() => expect(proxy.present.size).toBe(1));
    const answer = await askForLease(folder.controlSocket, { tokenOf: outer.admitted.secret }, systemClock);
    expect(answer).toMatchObject({ kind: "refused", status: 400 });
  });
});

describe("the control socket", () => {
  it("is its user's alone", async () => {
    const { folder } = await serve();
    expect(statSync(folder.controlSocket).mode & 0o777).toBe(0o600);
  });

  it("tells how things are", async () => {
    const { folder } = await serve();
    await lease(folder);
    expect(await askForStatus(folder.controlSocket, systemClock)).toMatchObject({
      kind: "done",
      value: { pid: process.pid, port: 4000, clients: 1, proxy: { clients: ["c1"] } },
    });
  });

  it("ends the proxy, then leaves", async () => {
    const { folder, proxy, serving } = await serve();
    expect(await askToStop(folder.controlSocket, systemClock)).toMatchObject({ kind: "done" });
    expect(proxy.closes).toBe(1);
    await serving.ended;
    expect(await isServed(folder.controlSocket)).toBe(false);
    expect(await askForStatus(folder.controlSocket, systemClock)).toEqual({ kind: "nobody" });
  });

  it("admits nobody while it ends", async () => {
    const { folder, proxy, serving } = await serve();
    let finish = (): void => {};
    proxy.close = () => new Promise((resolve) => (finish = resolve));
    void serving.close();
    expect(await askForLease(folder.controlSocket, {}, systemClock)).toEqual({ kind: "nobody" });
    finish();
    await serving.ended;
  });

  it("tells another version what to do, and lets it end the proxy", async () => {
    const { folder, serving } = await serve();
    expect(await send(folder, { protocol: "99" })).toMatchObject({
      status: 409,
      protocol: String(PROTOCOL),
      body: { message: expect.stringMatching(/another version/), remedy: expect.stringMatching(/proxy --stop/) },
    });
    expect(await send(folder, { protocol: "99", path: "/stop" })).toMatchObject({ status: 200 });
    await serving.ended;
  });

  it.each<[string, Raw, number]>([
    ["no JSON", { body: "{" }, 400],
    ["a body that is too long", { body: `${" ".repeat(70_000)}{}` }, 400],
    ["a wrong value", { body: '{"priority":7}' }, 400],
    ["another path", { path: "/clients/" }, 404],
    ["another method", { method: "PUT" }, 404],
  ])("refuses %s, and goes on", async (_what, raw, status) => {
    const { folder, proxy } = await serve();
    const refused = await send(folder, raw);
    expect(refused).toMatchObject({ status, body: { message: expect.any(String), remedy: expect.any(String) } });
    await lease(folder);
    expect(proxy.present.size).toBe(1);
  });

  it("survives what is no HTTP", async () => {
    const { folder } = await serve();
    const socket = connect(folder.controlSocket);
    socket.end("\0\0\0 nonsense\r\n\r\n");
    await once(socket.resume(), "close");
    await lease(folder);
  });
});

describe("serving a folder", () => {
  it("is for one at a time", async () => {
    const { folder } = await serve();
    const made = vi.fn(async () => fakeProxy());
    expect(await serveFolder({ folder, makeProxy: made, idleMs: undefined, clock: systemClock })).toBeUndefined();
    expect(made).not.toHaveBeenCalled();
  });

  it("is for one of many who try at the same time", async () => {
    const folder = proxyFolder();
    const made = vi.fn(async () => fakeProxy());
    const tried = await Promise.all(
      Array.from({ length: 8 }, () => serveFolder({ folder, makeProxy: made, idleMs: undefined, clock: systemClock })),
    );
    onTestFinished(async () => void (await Promise.all(tried.map((serving) => serving?.close()))));
    expect(tried.filter((serving) => serving !== undefined)).toHaveLength(1);
    expect(made).toHaveBeenCalledTimes(1);
  });

  it("takes the place of a socket that nobody listens on, and clears away what was left", async () => {
    const folder = proxyFolder();
    leaveSocket(folder.controlSocket);
    writeFileSync(join(folder.clients, "01234567.sock"), "");
    writeFileSync(join(folder.path, "gone.owner"), JSON.stringify({ ...thisOwner(), pid: 2 ** 22 + 1, id: "gone" }));
    const serving = await serveFolder({
      folder,
      makeProxy: async () => fakeProxy(),
      idleMs: undefined,
      clock: systemClock,
    });
    onTestFinished(() => serving?.close());
    await lease(folder);
    expect(readdirSync(folder.clients)).toEqual([]);
    expect(readdirSync(folder.path).filter((name) => /owner|lock/.test(name))).toEqual([]);
  });

  it("tells who serves, without a secret, and where the port was after it has ended", async () => {
    const { folder, serving } = await serve();
    await lease(folder, { token: "ghp_x" });
    const told = readFileSync(folder.processFile, "utf8");
    expect(JSON.parse(told)).toMatchObject({ pid: process.pid, port: 4000, protocol: PROTOCOL });
    expect(told).not.toMatch(/ghp_x|c1-/);
    await serving.close();
    expect(readProcessFile(folder.processFile)?.port).toBe(4000);
  });

  it("fails as its proxy fails, and leaves the folder to others", async () => {
    const folder = proxyFolder();
    const fail = (): Promise<never> => Promise.reject(new Error("no such store"));
    await expect(serveFolder({ folder, makeProxy: fail, idleMs: undefined, clock: systemClock })).rejects.toThrow(
      "no such store",
    );
    const serving = await serveFolder({
      folder,
      makeProxy: async () => fakeProxy(),
      idleMs: undefined,
      clock: systemClock,
    });
    onTestFinished(() => serving?.close());
    expect(serving).toBeDefined();
  });

  it("ends when it never had a client", async () => {
    const clock = createVirtualClock();
    const { serving } = await serve({ idleMs: 600_000, clock });
    await clock.advance(600_000);
    await serving.ended;
  });

  it("ends when it has had no client for a while, counted from the last one", async () => {
    const clock = createVirtualClock();
    const { folder, proxy, serving } = await serve({ idleMs: 600_000, clock });
    let ended = false;
    void serving.ended.then(() => {
      ended = true;
    });
    await clock.advance(599_000);
    const { leave } = await lease(folder);
    await clock.advance(3_600_000);
    expect(proxy.closes).toBe(0);
    leave();
    await vi.waitFor(() => expect(proxy.present.size).toBe(0));
    await clock.advance(599_000);
    expect(proxy.closes).toBe(0);
    expect(ended).toBe(false);
    await clock.advance(1_000);
    await serving.ended;
    expect(proxy.closes).toBe(1);
  });
});

/** A socket's file, as a killed process leaves it. */
function leaveSocket(path: string): void {
  const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  try {
    execFileSync(process.execPath, ["-e", script]);
  } catch {
    // It was killed.
  }
  expect(statSync(path).isSocket()).toBe(true);
}
