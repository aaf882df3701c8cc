import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { anUpstream, aProxy, ask, ownFolder, rawConnection } from "./desk.js";

type Handle = (incoming: IncomingMessage, response: ServerResponse) => void;

async function setUp(handle: Handle) {
  const upstream = await anUpstream(handle);
  const proxy = await aProxy({ upstream: upstream.url });
  const socketPath = join(await ownFolder(), "client.sock");
  const client = await proxy.admit({ agent: "data", socketPath });
  return { upstream, proxy, client, socketPath, connection: () => rawConnection({ path: socketPath }) };
}

const host = "api.github.com";

describe("an answer that goes through", () => {
  it("keeps the letters, the order and the number of its headers, but not those of the connection", async () => {
    const { connection } = await setUp((_incoming, response) => {
      response.sendDate = false;
      response.writeHead(404, "Nothing There", [
        ...[
          "Content-Type",
          "text/plain",
          "X-One",
          "1",
          "x-TWO",
          "a",
          "x-TWO",
          "b",
          "Set-Cookie",
          "a=1",
          "Set-Cookie",
          "b=2",
        ],
        ...["Connection", "close, X-Own", "X-Own", "secret", "Content-Length", "2", "Keep-Alive", "timeout=1"],
      ]);
      response.end("no");
    });
    const raw = await connection();
    raw.write(`GET /a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await raw.closed).toBe(
      "HTTP/1.1 404 Nothing There\r\nContent-Type: text/plain\r\nX-One: 1\r\nx-TWO: a\r\nx-TWO: b\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno",
    );
  });

  it("stays compressed, though the squad reads some", async () => {
    const bytes = gzipSync('{"login":"mona"}');
    const { socketPath } = await setUp((_incoming, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bytes);
    });
    const answer = await ask({ socketPath, path: "/a" }, { headers: { host, "accept-encoding": "gzip" } });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.bytes).toEqual(bytes);
  });

  it("is read and kept where it may be, whatever it is compressed with", async () => {
    const { socketPath } = await setUp((incoming, response) => {
      if (incoming.headers["if-none-match"] === '"a"') response.writeHead(304, { etag: '"a"' }).end();
      else {
        response.writeHead(200, {
          "content-type": "application/json",
          "content-encoding": "gzip",
          etag: '"a"',
        });
        response.end(gzipSync('{"login":"mona"}'));
      }
    });
    for (const how of ["miss", "revalidated"]) {
      const answer = await ask({ socketPath, path: "/a" }, { headers: { host, "accept-encoding": "gzip, zstd" } });
      expect([answer.text, answer.headers["x-squad-rate"]]).toEqual(['{"login":"mona"}', how]);
      expect(answer.headers).toMatchObject({ "content-length": "16", etag: '"a"' });
      expect(answer.headers).not.toHaveProperty("content-encoding");
    }
  });

  it.each(["zstd", "gzip, zstd"])(
    "keeps a coding that nobody here can undo, even where it is read: %s",
    async (coding) => {
      const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff]);
      const { socketPath } = await setUp((incoming, response) => {
        const status = incoming.url === "/refused" ? 403 : 200;
        response.writeHead(status, { "content-type": "application/json", "content-encoding": coding, etag: '"a"' });
        response.end(bytes);
      });
      for (const path of ["/a", "/refused"]) {
        const answer = await ask({ socketPath, path }, { headers: { host } });
        expect([answer.headers["content-encoding"], answer.bytes]).toEqual([coding, bytes]);
      }
    },
  );

  it("is a 304 for who asks with a validator of its own", async () => {
    const { socketPath } = await setUp((incoming, response) => {
      response.writeHead(incoming.headers["if-none-match"] === '"mine"' ? 304 : 200, { etag: '"mine"' }).end();
    });
    const answer = await ask({ socketPath, path: "/a" }, { headers: { host, "if-none-match": '"mine"' } });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, "", '"mine"']);
  });

  it("may be a head alone, with the length of a body that is not there", async () => {
    const { socketPath } = await setUp((_incoming, response) =>
      response.writeHead(200, { "content-length": "5000" }).end(),
    );
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let time = 0; time < 2; time++) {
      const answer = await ask({ socketPath, path: "/a" }, { method: "HEAD", headers: { host }, agent });
      expect([answer.status, answer.headers["content-length"]]).toEqual([200, "5000"]);
    }
  });

  it("without a body leaves the connection for the next", async () => {
    const { socketPath, upstream } = await setUp((incoming, response) => {
      response.writeHead(incoming.method === "HEAD" ? 200 : 304, { etag: '"a"', "content-length": "5" }).end();
    });
    let connections = 0;
    upstream.server.on("connection", () => connections++);
    for (const method of ["HEAD", "GET", "HEAD", "GET"]) {
      await ask({ socketPath, path: "/a" }, { method, headers: { host, "if-none-match": '"a"' } });
    }
    expect(connections).toBe(1);
  });

  it("may be a redirect, which is the client's to follow", async () => {
    let requests = 0;
    const { socketPath } = await setUp((_incoming, response) => {
      requests++;
      response.writeHead(302, { location: "https://codeload.github.com/o/r/zip" }).end();
    });
    const answer = await ask({ socketPath, path: "/a" }, { headers: { host } });
    expect([answer.status, answer.headers.location, requests]).toEqual([302, "https://codeload.github.com/o/r/zip", 1]);
  });

  it("of events comes event by event", async () => {
    let response: ServerResponse | undefined;
    const { connection } = await setUp((_incoming, its) => {
      response = its;
      its.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    });
    const raw = await connection();
    raw.write(`GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await raw.until("text/event-stream");
    for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
      response?.write(event);
      await raw.until(event);
    }
  });

  it("ends with the upstream's connection where it has no length", async () => {
    const { connection } = await setUp((incoming) => incoming.socket.end("HTTP/1.0 200 OK\r\n\r\nto the end"));
    const raw = await connection();
    raw.write(`GET /a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await raw.closed).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*to the end\r\n0\r\n\r\n$/);
  });
});

describe("a request that goes through", () => {
  it("keeps its headers, but not those of the connection or of other proxies", async () => {
    let raw: string[] = [];
    const { connection } = await setUp((incoming, response) => {
      raw = incoming.rawHeaders;
      response.end("ok");
    });
    const client = await connection();
    client.write(
      `GET /a HTTP/1.1\r\nX-First: 1\r\nHost: ${host}\r\nX-Two: a\r\nx-two: b\r\nAccept-Encoding: gzip, zstd;q=0.5, br\r\nCookie: a=b\r\n` +
        "Connection: keep-alive, X-Own\r\nX-Own: 1\r\nTE: trailers\r\nProxy-Authorization: basic x\r\nX-Squad-Rate-Agent: me\r\nUpgrade: h2c\r\n\r\n",
    );
    await client.until("ok");
    expect(raw).toEqual([
      ...["Host", host, "X-First", "1", "X-Two", "a", "x-two", "b", "Accept-Encoding", "gzip, br", "Cookie", "a=b"],
      ...["Connection", "keep-alive"],
    ]);
  });

  it.each([
    ["POST", undefined, "0"],
    ["DELETE", undefined, undefined],
    ["POST", "body", "4"],
    ["DELETE", "body", "4"],
    ["GET", "body", "4"],
  ])("tells the length of its body: %s of %s", async (method, body, length) => {
    const seen: unknown[] = [];
    const { socketPath } = await setUp(async (incoming, response) => {
      let text = "";
      for await (const chunk of incoming) text += chunk;
      seen.push(incoming.headers["content-length"], incoming.headers["transfer-encoding"], text);
      response.end();
    });
    const headers = { host, ...(body !== undefined && { "content-length": body.length }) };
    await ask({ socketPath, path: "/a" }, { method, headers, ...(body !== undefined && { body }) });
    expect(seen).toEqual([length, undefined, body ?? ""]);
  });

  it("of unknown length streams in chunks, trailers left out", async () => {
    const seen: unknown[] = [];
    const { connection } = await setUp(async (incoming, response) => {
      let text = "";
      for await (const chunk of incoming) text += chunk;
      seen.push(incoming.headers["transfer-encoding"], text, incoming.trailers);
      response.end("ok");
    });
    const raw = await connection();
    raw.write(
      `DELETE /a HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n3\r\nabc\r\n0\r\nX-A: 1\r\n\r\n`,
    );
    await raw.until("ok");
    expect(seen).toEqual(["chunked", "abc", {}]);
  });

  it("keeps a compressed body as it is", async () => {
    const bytes = gzipSync('{"query":"{viewer{login}}"}');
    let seen: Buffer | undefined;
    const { socketPath } = await setUp(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      seen = Buffer.concat(chunks);
      response.end("{}");
    });
    await ask(
      { socketPath, path: "/graphql" },
      { method: "POST", headers: { host, "content-encoding": "gzip" }, body: bytes },
    );
    expect(seen).toEqual(bytes);
  });

  it("of GraphQL in chunks is read for its operation, and streams on where it is too long for that", async () => {
    let asked = 0;
    let size = 0;
    const { connection } = await setUp(async (incoming, response) => {
      asked++;
      for await (const chunk of incoming) size += (chunk as Buffer).byteLength;
      response.end('{"data":{}}');
    });
    const raw = await connection();
    raw.write(`POST /graphql HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    const body = JSON.stringify({ query: "query A { viewer { login } }", variables: { text: "a".repeat(1_500_000) } });
    raw.write(chunk(body.slice(0, 1_400_000)));
    while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    raw.write(`${chunk(body.slice(1_400_000))}0\r\n\r\n`);
    await raw.until('{"data":{}}');
    expect(size).toBe(body.length);
  });
});

describe("64 MB", () => {
  const SIZE = 64 * 1_048_576;
  /** A stream of that many bytes that are made when they are read. */
  const bytes = (): Readable =>
    Readable.from(
      (function* () {
        for (let at = 0; at < SIZE; at += 65_536) yield Buffer.alloc(65_536, at);
      })(),
      { objectMode: false },
    );
  it.each(["api.github.com", "codeload.github.com"])("from %s go to a slow reader without being held", async (from) => {
    let sent = 0;
    const { socketPath } = await setUp((_incoming, response) => {
      response.writeHead(200, { "content-length": SIZE, "content-type": "application/zip" });
      bytes()
        .on("data", (chunk: Buffer) => {
          sent += chunk.byteLength;
        })
        .pipe(response);
    });
    let received = 0;
    let mostAhead = 0;
    const download = new Promise<void>((resolve, reject) => {
      http
        .get({ socketPath, path: "/a", headers: { host: from, "user-agent": "test" } }, (answer) => {
          answer.on("data", (chunk: Buffer) => {
            received += chunk.byteLength;
            mostAhead = Math.max(mostAhead, sent - received);
            // Half a millisecond for each 64 kB.
            if (received % 1_048_576 < chunk.byteLength) {
              answer.pause();
              setTimeout(() => answer.resume(), 8);
            }
          });
          answer.on("end", resolve).on("error", reject);
        })
        .on("error", reject);
    });
    await download;
    expect(received).toBe(SIZE);
    // Most of it lies in the sockets of the system, which make themselves as large as they like.
    expect(mostAhead).toBeLessThan(24 * 1_048_576);
  });

  it.each(["uploads.github.com", "api.github.com", "github.com"])("to %s stream to a slow reader", async (to) => {
    let received = 0;
    const { socketPath } = await setUp((incoming, response) => {
      incoming.on("data", (chunk: Buffer) => {
        received += chunk.byteLength;
        if (received % 1_048_576 < chunk.byteLength) {
          incoming.pause();
          setTimeout(() => incoming.resume(), 8);
        }
      });
      incoming.on("end", () => response.writeHead(201).end("done"));
    });
    let sent = 0;
    let mostAhead = 0;
    const upload = new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(
        { socketPath, path: "/a", method: "POST", headers: { host: to, "user-agent": "test", "content-length": SIZE } },
        (answer) => answer.resume().on("end", () => resolve(answer.statusCode)),
      );
      request.on("error", reject);
      bytes()
        .on("data", (chunk: Buffer) => {
          sent += chunk.byteLength;
          mostAhead = Math.max(mostAhead, sent - received);
        })
        .pipe(request);
    });
    expect([await upload, received]).toEqual([201, SIZE]);
    expect(mostAhead).toBeLessThan(24 * 1_048_576);
  });
});
