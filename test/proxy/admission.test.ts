import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProxy, createSquad, type ProxyOptions } from "../../src/proxy/index.js";
import { anUpstream, aProxy, ask, ownFolder } from "./desk.js";

const OPTIONS = "SQUAD_RATE_OPTIONS";

describe("a client's socket", () => {
  const fine = () => anUpstream((_incoming, response) => response.end("ok"));

  it("is its user's alone", async () => {
    const proxy = await aProxy({});
    const socketPath = join(await ownFolder(), "client.sock");
    await proxy.admit({ socketPath });
    expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  });

  it("is taken away at the end", async () => {
    const proxy = await aProxy({});
    const socketPath = join(await ownFolder(), "client.sock");
    await proxy.admit({ socketPath });
    await proxy.close();
    await expect(stat(socketPath)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.each([0o755, 0o770, 0o701])("is not in a folder that others can enter: %o", async (mode) => {
    const proxy = await aProxy({});
    const folder = join(await ownFolder(), "open");
    await mkdir(folder);
    await chmod(folder, mode);
    await expect(proxy.admit({ socketPath: join(folder, "s") })).rejects.toMatchObject({
      code: OPTIONS,
      message: `client.socketPath is to be in ${folder}, which others can enter.`,
      remedy: `Run \`chmod 700 ${folder}\`, or choose another folder.`,
    });
  });

  it("is not in a folder that is a link, or is not there", async () => {
    const proxy = await aProxy({});
    const folder = await ownFolder();
    await symlink(folder, join(folder, "link"));
    for (const name of ["link", "gone"]) {
      await expect(proxy.admit({ socketPath: join(folder, name, "s") })).rejects.toMatchObject({
        code: OPTIONS,
        message: `client.socketPath is to be in ${join(folder, name)}, which is no folder.`,
      });
    }
  });

  it("takes the place of one that nobody listens on", async () => {
    const upstream = await fine();
    const folder = await ownFolder();
    const socketPath = join(folder, "client.sock");
    // A socket file whose process is gone: renamed, it outlives its server.
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(join(folder, "dead.sock"), resolve));
    const { rename } = await import("node:fs/promises");
    await rename(join(folder, "dead.sock"), socketPath);
    await new Promise((resolve) => dead.close(resolve));
    const proxy = await aProxy({ upstream: upstream.url });
    await proxy.admit({ socketPath });
    expect((await ask({ socketPath, path: "/a" }, { headers: { host: "api.github.com" } })).text).toBe("ok");
  });

  it("does not take the place of one in use, and leaves nothing of the client behind", async () => {
    const proxy = await aProxy({});
    const socketPath = join(await ownFolder(), "client.sock");
    const first = await proxy.admit({ socketPath });
    await expect(proxy.admit({ socketPath })).rejects.toMatchObject({
      code: OPTIONS,
      message: `client.socketPath ${socketPath} is in use.`,
    });
    expect(proxy.status().clients.map(({ id }) => id)).toEqual([first.id]);
  });

  it("does not take the place of a file", async () => {
    const proxy = await aProxy({});
    const socketPath = join(await ownFolder(), "notes.txt");
    await writeFile(socketPath, "mine");
    await expect(proxy.admit({ socketPath })).rejects.toMatchObject({
      code: OPTIONS,
      message: expect.stringMatching(/no socket/),
    });
    expect((await stat(socketPath)).size).toBe(4);
  });

  it("has a path that a socket may have", async () => {
    const proxy = await aProxy({});
    await expect(proxy.admit({ socketPath: `/tmp/${"a".repeat(120)}` })).rejects.toMatchObject({
      code: OPTIONS,
      message: "client.socketPath is longer than the 103 bytes that a socket's path may have.",
    });
  });
});

describe("a client's secret", () => {
  it("can be given, to have the same address again", async () => {
    const proxy = await aProxy({});
    const secret = "s".repeat(43);
    const client = await proxy.admit({ secret });
    expect(client).toMatchObject({
      secret,
      apiUrl: `http://127.0.0.1:${proxy.port}/${secret}`,
      graphqlUrl: `http://127.0.0.1:${proxy.port}/${secret}/graphql`,
      rootedApiUrl: `http://127.0.0.1:${proxy.port}/${secret}/rooted`,
    });
    await expect(proxy.admit({ secret })).rejects.toMatchObject({
      code: OPTIONS,
      message: expect.stringMatching(/another client's already/),
    });
  });

  it("is another for each", async () => {
    const proxy = await aProxy({});
    const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await proxy.admit({})).secret));
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
  });

  it("has an Enterprise Server's paths after it", async () => {
    const proxy = await aProxy({ host: "github.example.com" });
    const { secret, apiUrl, graphqlUrl, rootedApiUrl } = await proxy.admit({});
    const root = `http://127.0.0.1:${proxy.port}/${secret}`;
    expect([apiUrl, graphqlUrl, rootedApiUrl]).toEqual([
      `${root}/api/v3`,
      `${root}/api/graphql`,
      `${root}/rooted/api/v3`,
    ]);
  });
});

describe("a client's options", () => {
  it.each([
    [{ agnet: "x" }, "client.agnet: unknown option; did you mean `agent`?"],
    [{ agent: "" }, 'client.agent must be 1 to 200 printable characters; got "".'],
    [{ priority: 3 }, "client.priority must be 0, 1 or 2 (or P0, P1, P2); got 3."],
    [
      { secret: "ghp_geheim" },
      "client.secret must be 43 letters, digits, hyphens or underscores; what was given is not shown.",
    ],
    [{ token: "ghp_a b" }, "client.token must be 1 to 1,000 visible characters; what was given is not shown."],
    [{ token: 5 }, "client.token must be 1 to 1,000 visible characters; what was given is not shown."],
    [
      { socketPath: "" },
      'client.socketPath must be the path of a file, at least one character and none of them NUL; got "".',
    ],
  ])("are checked: %o", async (options, message) => {
    const proxy = await aProxy({});
    await expect(proxy.admit(options as object)).rejects.toMatchObject({
      code: OPTIONS,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(proxy.status().clients).toEqual([]);
  });
});

describe("a proxy's options", () => {
  it.each([
    [{ upsteam: "x" }, "proxy.upsteam: unknown option; did you mean `upstream`?"],
    [{ port: 70_000 }, "proxy.port must be the number of a port from 0 to 65535; got 70000."],
    [{ upstream: "nowhere" }, /^proxy\.upstream must be an address such as .*; got "nowhere"\.$/],
    [{ upstream: "https://me:secret@github.example.com" }, /without a user; what was given is not shown\.$/],
    [{ upstream: "https://github.example.com/?a=b" }, /without \? and #/],
    [{ upstream: "http://github.example.com" }, "proxy.upstream must begin with https:, or be on this machine."],
    [{ upstream: "ftp://127.0.0.1" }, /^proxy\.upstream must be/],
    [{ host: "https://github.example.com" }, /^proxy\.host must be a host's name, such as github\.example\.com; got/],
    [{ host: "-a" }, /^proxy\.host must be/],
    [{ alsoHosts: "a.example" }, 'proxy.alsoHosts must be an array of host names; got "a.example".'],
    [
      { alsoHosts: ["a.example", "*"] },
      'proxy.alsoHosts[1] must be a host\'s name, such as github.example.com; got "*".',
    ],
    [{ onWarning: 1 }, "proxy.onWarning must be a function; got 1."],
    [{ squad: { agnet: "x" } }, /agnet: unknown option; did you mean `agent`\?$/],
  ])("are checked: %o", async (options, message) => {
    await expect(createProxy(options as ProxyOptions)).rejects.toMatchObject({
      code: OPTIONS,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  it.each([
    [{}, "github.com", undefined],
    [{ upstream: "https://api.github.com" }, "github.com", undefined],
    [{ upstream: "http://127.0.0.1:9999/" }, "github.com", "http://127.0.0.1:9999"],
    [{ upstream: "http://[::1]:9999/base/" }, "github.com", "http://[::1]:9999/base"],
    [{ upstream: "http+unix:///run/github.sock" }, "github.com", "http+unix:///run/github.sock"],
    [{ upstream: "https://GitHub.example.com/api/v3" }, "github.example.com", "https://github.example.com"],
    [{ upstream: "http://localhost:1/api/v3", host: "github.example.com" }, "github.example.com", "http://localhost:1"],
    [{ host: "api.octocorp.ghe.com" }, "octocorp.ghe.com", undefined],
    [{ host: "api.github.com" }, "github.com", undefined],
  ])("say which GitHub it is: %o", async (options, host, upstream) => {
    const proxy = await aProxy(options);
    expect(proxy.status()).toMatchObject({ host, url: `http://127.0.0.1:${proxy.port}` });
    expect(proxy.status().upstream).toBe(upstream);
  });

  it("tell of a port that is taken", async () => {
    const { port } = await aProxy({});
    await expect(createProxy({ port })).rejects.toMatchObject({
      code: OPTIONS,
      message: `proxy.port ${port} could not be listened on.`,
    });
  });

  it("may hold further hosts, by name and by ending", async () => {
    const proxy = await aProxy({ alsoHosts: ["a.example", "*.b.example"], upstream: "http://127.0.0.1:1" });
    const socketPath = join(await ownFolder(), "s");
    await proxy.admit({ socketPath });
    const statusOf = async (host: string) => (await ask({ socketPath, path: "/" }, { headers: { host } })).status;
    // None of them is there; what counts is who is asked for at all.
    expect(await statusOf("a.example")).toBe(502);
    expect(await statusOf("x.y.b.example")).toBe(502);
    expect(await statusOf("b.example")).toBe(421);
    expect(await statusOf("xb.example")).toBe(421);
    expect(await statusOf("x.a.example")).toBe(421);
  });
});

describe("the end of a proxy", () => {
  it("closes the squad that it made, and leaves one that it was given", async () => {
    const own = await createProxy({});
    await own.close();
    expect(own.squad.status().closed).toBe(true);
    const squad = createSquad();
    onTestFinished(() => squad.close());
    const proxy = await createProxy({ squad });
    await proxy.close();
    expect(squad.status().closed).toBe(false);
  });

  it("leaves nothing of a client that was being let in", async () => {
    const proxy = await createProxy({});
    const socketPath = join(await ownFolder(), "client.sock");
    const admitted = proxy.admit({ socketPath });
    await Promise.all([proxy.close(), expect(admitted).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" })]);
    await expect(stat(socketPath)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("lets what is under way end, and lets nobody else in", async () => {
    let finish: (() => void) | undefined;
    const upstream = await anUpstream((_incoming, response) => {
      finish = () => response.end("late");
    });
    const proxy = await createProxy({ upstream: upstream.url });
    const { apiUrl } = await proxy.admit({});
    const answer = ask(`${apiUrl}/a`);
    while (finish === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const closing = proxy.close();
    expect(proxy.close()).toBe(closing);
    await expect(ask(`${apiUrl}/b`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await expect(proxy.admit({})).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
    finish();
    expect((await answer).text).toBe("late");
    await closing;
  });

  it("cuts what does not end in two seconds", async () => {
    const { createVirtualClock } = await import("../../src/sim/index.js");
    const clock = createVirtualClock();
    let asked = 0;
    const upstream = await anUpstream(() => asked++);
    const proxy = await createProxy({ upstream: upstream.url, squad: { clock } });
    const { apiUrl } = await proxy.admit({});
    const answer = ask(`${apiUrl}/a`).catch((error: NodeJS.ErrnoException) => error.code);
    while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const closing = proxy.close();
    await clock.advance(1_900);
    expect(proxy.status().underWay).toBe(1);
    await clock.settle(closing);
    expect(await answer).toBe("ECONNRESET");
  });
});
