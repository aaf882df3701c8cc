import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/index.js";
import { anUpstream, aProxy, ask, ownFolder, rawConnection } from "./desk.js";

type Handle = (incoming: IncomingMessage, response: ServerResponse) => void;

async function setUp(handle: Handle, options: { readonly retry?: boolean } = {}) {
  const upstream = await anUpstream(handle);
  const clock = createVirtualClock({ startAt: Date.now() });
  const proxy = await aProxy({ upstream: upstream.url, squad: { clock, retry: options.retry ?? false } });
  const socketPath = join(await ownFolder(), "client.sock");
  const client = await proxy.admit({ agent: "data", socketPath });
  const get = (path: string, host = "api.github.com") =>
    ask({ socketPath, path }, { headers: { host, accept: "*/*" } });
  return { proxy, client, clock, get, connection: () => rawConnection({ path: socketPath }) };
}

/** Resolves when `isSo`; the proxy learns of what another socket does in its own time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}

const fine: Handle = (incoming, response) => {
  incoming.resume().on("end", () => response.end('{"fine":true}'));
};

describe.each(["api.github.com", "codeload.github.com"])("an upstream that fails %s", (host) => {
  it("before it answers is told of as a bad gateway", async () => {
    let answers = 0;
    const { get, proxy } = await setUp((incoming, response) => {
      if (answers++ === 0) incoming.socket.resetAndDestroy();
      else fine(incoming, response);
    });
    const answer = await get("/a", host);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      502,
      { message: `The connection to ${host} failed before an answer came (ECONNRESET).` },
    ]);
    expect((await get("/b", host)).status).toBe(200);
    await until(() => proxy.status().underWay === 0);
  });

  it("in the midst of its answer cuts the client off", async () => {
    const { get, proxy } = await setUp((_incoming, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half", () => setTimeout(() => response.destroy(), 20));
    });
    await expect(get("/a", host)).rejects.toThrow(/aborted|hang up/);
    await until(() => proxy.status().underWay === 0);
  });

  it("in the midst of chunks cuts the client off before the last", async () => {
    const { connection } = await setUp((_incoming, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("half", () => setTimeout(() => response.destroy(), 20));
    });
    const raw = await connection();
    raw.write(`GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await raw.closed).toMatch(/half\r\n$/);
  });

  it("with nonsense is told of as a bad gateway", async () => {
    const { get } = await setUp((incoming) => {
      incoming.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nabcd");
    });
    expect((await get("/a", host)).status).toBe(502);
  });
});

describe("an upstream that is not there", () => {
  it("is told of as a bad gateway", async () => {
    const { url, server } = await anUpstream(fine);
    server.close();
    const proxy = await aProxy({ upstream: url, squad: { retry: false } });
    const { apiUrl } = await proxy.admit({});
    const answer = await ask(`${apiUrl}/user`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      502,
      { message: "The connection to api.github.com failed before an answer came (ECONNREFUSED)." },
    ]);
  });
});

describe("an upstream that answers before it has heard all", () => {
  it("is heard, and the connection goes on after what nobody wanted", async () => {
    const { connection } = await setUp((incoming, response) => {
      if (incoming.method === "GET") fine(incoming, response);
      else response.writeHead(413, { connection: "close", "content-length": "9" }).end("too large");
    });
    const raw = await connection();
    raw.write("POST /a HTTP/1.1\r\nHost: uploads.github.com\r\nContent-Length: 5000000\r\n\r\n");
    await raw.until("too large");
    raw.write("a".repeat(5_000_000));
    raw.write("GET /b HTTP/1.1\r\nHost: api.github.com\r\n\r\n");
    expect(await raw.until("fine")).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 OK/);
  });
});

describe("a kept connection that the server closes", () => {
  it("costs nobody a read", async () => {
    let requests = 0;
    const { get } = await setUp((incoming, response) => {
      requests++;
      // The second comes on the connection of the first, which is gone by then.
      if (requests === 2) incoming.socket.destroy();
      else fine(incoming, response);
    });
    expect((await get("/a")).status).toBe(200);
    expect((await get("/b")).status).toBe(200);
    expect(requests).toBe(3);
  });
});

describe("a client that leaves", () => {
  it("while its body is still to come leaves nothing behind, and nothing is sent", async () => {
    let requests = 0;
    const { connection, proxy } = await setUp(() => requests++);
    const raw = await connection();
    raw.write("POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 100\r\n\r\nhalf");
    await until(() => proxy.status().underWay === 1);
    raw.socket.destroy();
    await until(() => proxy.status().underWay === 0);
    expect(requests).toBe(0);
  });

  it("while its body streams ends the upload", async () => {
    const ends: string[] = [];
    const { connection, proxy } = await setUp((incoming) => {
      incoming.on("error", () => undefined).on("close", () => ends.push(incoming.complete ? "complete" : "broken off"));
      incoming.resume();
    });
    const raw = await connection();
    raw.write("POST /a HTTP/1.1\r\nHost: uploads.github.com\r\nContent-Length: 5000000\r\n\r\nhalf");
    await until(() => proxy.status().squad.counters.exchanges === 1);
    raw.socket.destroy();
    await until(() => ends.length === 1);
    expect(ends).toEqual(["broken off"]);
    await until(() => proxy.status().underWay === 0);
  });

  it("before the answer begins takes its request back", async () => {
    let closed = 0;
    let asked = 0;
    const { connection, proxy } = await setUp((_incoming, response) => {
      asked++;
      response.on("close", () => closed++);
    });
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: api.github.com\r\n\r\n");
    await until(() => asked === 1);
    raw.socket.destroy();
    await until(() => closed === 1 && proxy.status().underWay === 0);
  });

  it("leaves another's share of the same answer alone", async () => {
    const answers: ServerResponse[] = [];
    const { connection, get, proxy } = await setUp((_incoming, response) => void answers.push(response));
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: api.github.com\r\nUser-Agent: test\r\nAccept: */*\r\n\r\n");
    await until(() => answers.length === 1);
    const other = get("/a");
    await until(() => proxy.status().underWay === 2);
    raw.socket.destroy();
    await until(() => proxy.status().underWay === 1);
    answers[0]?.writeHead(200, { etag: '"a"', "content-type": "application/json" }).end("{}");
    const answer = await other;
    expect([answer.status, answer.text, answer.headers["x-squad-rate"]]).toEqual([200, "{}", "shared"]);
    expect(answers).toHaveLength(1);
  });

  it("in the midst of a body leaves those who wait for the same answer to ask for themselves", async () => {
    let asked = 0;
    const { connection, get, proxy } = await setUp((incoming, response) => {
      asked++;
      incoming.on("error", () => undefined);
      fine(incoming, response);
    });
    const raw = await connection();
    raw.write(
      "GET /a HTTP/1.1\r\nHost: api.github.com\r\nUser-Agent: test\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    await until(() => asked === 1);
    const other = get("/a");
    await until(() => proxy.status().underWay === 2);
    raw.socket.destroy();
    expect((await other).status).toBe(200);
    expect(asked).toBe(2);
  });

  it.each(["api.github.com", "codeload.github.com"])("while it reads ends the download from %s", async (host) => {
    let closed = 0;
    const { connection, proxy } = await setUp((_incoming, response) => {
      response.on("close", () => closed++);
      response.writeHead(200, { "content-type": "application/zip" });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const raw = await connection();
    raw.write(`GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await raw.until("application/zip");
    raw.socket.destroy();
    await until(() => closed === 1 && proxy.status().underWay === 0);
  });

  it("while earlier answers of its connection are still to come takes all of them back", async () => {
    let closed = 0;
    let asked = 0;
    const { connection, proxy } = await setUp((_incoming, response) => {
      asked++;
      response.on("close", () => closed++);
    });
    const raw = await connection();
    for (const path of ["/a", "/b", "/c"]) raw.write(`GET ${path} HTTP/1.1\r\nHost: api.github.com\r\n\r\n`);
    await until(() => asked === 3);
    raw.socket.destroy();
    await until(() => closed === 3 && proxy.status().underWay === 0);
  });
});

describe("a client that stands still", () => {
  it("is cut when it has taken nothing for two minutes", async () => {
    const { connection, proxy, clock } = await setUp((_incoming, response) => {
      response.writeHead(200, { "content-type": "application/zip" });
      response.end(Buffer.alloc(20_000_000));
    });
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: codeload.github.com\r\n\r\n");
    await raw.until("application/zip");
    raw.socket.pause();
    await wait(100);
    await clock.advance(110_000);
    expect(proxy.status().underWay).toBe(1);
    await clock.advance(40_000);
    await until(() => proxy.status().underWay === 0);
  });

  it("is cut when its body does not come for two minutes", async () => {
    const { connection, proxy, clock } = await setUp(fine);
    const raw = await connection();
    raw.write("POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 100\r\n\r\nhalf");
    await until(() => proxy.status().underWay === 1);
    await clock.advance(110_000);
    raw.write("more");
    await wait(20);
    await clock.advance(110_000);
    expect(proxy.status().underWay).toBe(1);
    await clock.advance(40_000);
    await until(() => proxy.status().underWay === 0);
  });

  it("may wait for ever where it is GitHub's turn", async () => {
    const answers: ServerResponse[] = [];
    const { connection, proxy, clock } = await setUp((_incoming, response) => {
      answers.push(response);
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    });
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: api.github.com\r\n\r\n");
    await raw.until("data: 1");
    await clock.advance(3_600_000);
    answers[0]?.end("data: 2\n\n");
    expect(await raw.until("data: 2")).toContain("0\r\n\r\n");
    await until(() => proxy.status().underWay === 0);
  });
});
