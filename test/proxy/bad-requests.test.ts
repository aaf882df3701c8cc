import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anUpstream, aProxy, ownFolder, type RawConnection, rawConnection } from "./desk.js";

/** A proxy before a server that notes what it is asked. */
async function setUp() {
  const asked: string[] = [];
  const upstream = await anUpstream((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.headers.host} ${incoming.url}`);
    incoming.resume().on("end", () => response.writeHead(200, { "content-length": "2" }).end("ok"));
  });
  const proxy = await aProxy({ upstream: upstream.url });
  const socketPath = join(await ownFolder(), "client.sock");
  const client = await proxy.admit({ agent: "data", socketPath });
  const connection = () => rawConnection({ path: socketPath });
  /** What comes of a request that ends its connection. */
  const outcome = async (text: string): Promise<string> => {
    const raw = await connection();
    raw.write(text);
    return raw.closed;
  };
  return { asked, proxy, client, connection, outcome };
}

const ok = async (raw: RawConnection): Promise<void> => {
  raw.write("GET /fine HTTP/1.1\r\nHost: api.github.com\r\n\r\n");
  expect(await raw.until("ok")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
};

describe("what is no request, or more than one", () => {
  it.each([
    [
      "both lengths",
      "POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["two lengths", "POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd"],
    ["a length with a sign", "POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: +4\r\n\r\nabcd"],
    ["a negative length", "POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: -4\r\n\r\nabcd"],
    ["a list of lengths", "POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 4, 4\r\n\r\nabcd"],
    [
      "chunks inside another coding",
      "POST /a HTTP/1.1\r\nHost: api.github.com\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    ],
    [
      "a coding that is not chunked",
      "POST /a HTTP/1.1\r\nHost: api.github.com\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    ],
    [
      "a chunk's length that is none",
      "POST /a HTTP/1.1\r\nHost: api.github.com\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n",
    ],
    ["a header that goes on in the next line", "GET /a HTTP/1.1\r\nHost: api.github.com\r\nX-A: b\r\n c\r\n\r\n"],
    ["a line that ends without CR", "GET /a HTTP/1.1\nHost: api.github.com\n\n"],
    ["a header that ends without CR", "GET /a HTTP/1.1\r\nHost: api.github.com\nX-A: b\r\n\r\n"],
    ["space before a colon", "GET /a HTTP/1.1\r\nHost: api.github.com\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"],
    ["a control character in a header", "GET /a HTTP/1.1\r\nHost: api.github.com\r\nX-A: b\0c\r\n\r\n"],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a method that is none", "GE(T /a HTTP/1.1\r\nHost: api.github.com\r\n\r\n"],
  ])("is turned away: %s", async (_what, text) => {
    const { asked, outcome, connection } = await setUp();
    const answer = await outcome(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"message":"This is no HTTP request that can be understood in one way."}');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(asked).toEqual([]);
    await ok(await connection());
  });

  it("tells of headers that are too long", async () => {
    const { asked, outcome, connection } = await setUp();
    const answer = await outcome(`GET /a HTTP/1.1\r\nHost: api.github.com\r\nX-A: ${"a".repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(asked).toEqual([]);
    await ok(await connection());
  });

  it.each(["GET /a", "GET /a HTTP/2.0"])("speaks no other version: %s", async (line) => {
    const { asked, outcome } = await setUp();
    expect(await outcome(`${line}\r\nHost: api.github.com\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 (?:400|505) /,
    );
    expect(asked).toEqual([]);
  });

  it("opens no tunnel", async () => {
    const { asked, outcome } = await setUp();
    expect(await outcome("CONNECT api.github.com:443 HTTP/1.1\r\nHost: api.github.com:443\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 405 /,
    );
    expect(asked).toEqual([]);
  });

  it("does not change the protocol", async () => {
    const { asked, connection } = await setUp();
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: api.github.com\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect(await raw.until("ok")).toMatch(/^HTTP\/1\.1 200 /);
    expect(asked).toEqual(["GET api.github.com /a"]);
  });

  it("hides no second request in a body", async () => {
    const { asked, connection } = await setUp();
    const raw = await connection();
    const hidden = "GET /hidden HTTP/1.1\r\nHost: api.github.com\r\n\r\n";
    raw.write(`POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`);
    await raw.until("ok");
    expect(asked).toEqual(["POST api.github.com /a"]);
  });

  it("does not write what is wrong with a request into the answer to the one before", async () => {
    const { connection } = await setUp();
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: api.github.com\r\n\r\nnonsense\r\n\r\n");
    expect((await raw.closed).match(/400 Bad Request/g)).toBeNull();
  });
});

describe("half a request", () => {
  it.each([
    ["in its first line", "GET /a HT"],
    ["in its headers", "GET /a HTTP/1.1\r\nHost: api.git"],
    ["before its last line", "GET /a HTTP/1.1\r\nHost: api.github.com\r\n"],
    ["in its body", "POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 10\r\n\r\nhalf"],
    ["in a chunk", "POST /graphql HTTP/1.1\r\nHost: api.github.com\r\nTransfer-Encoding: chunked\r\n\r\na\r\nhalf"],
  ])("is not sent, and its connection ends: cut off %s", async (_where, text) => {
    const { asked, proxy, connection } = await setUp();
    const raw = await connection();
    raw.write(text);
    raw.socket.end();
    expect(await raw.closed).toMatch(/^(?:HTTP\/1\.1 400 [\s\S]*)?$/);
    while (proxy.status().underWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).toEqual([]);
    await ok(await connection());
  });
});

/** What damage is done to. */
const WHOLE: readonly string[] = [
  "GET /a?b=c HTTP/1.1\r\nHost: api.github.com\r\nAccept: */*\r\nConnection: close\r\n\r\n",
  'POST /graphql HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{"a": 1 }',
  "PUT /a HTTP/1.1\r\nHost: api.github.com\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  "GET http://codeload.github.com/a HTTP/1.1\r\nHost: api.github.com\r\nConnection: close, X-A\r\nX-A: b\r\n\r\n",
];

describe("damaged requests", () => {
  it("lead nowhere else, stop nothing, and leave nothing", { timeout: 60_000 }, async () => {
    const { asked, proxy, connection } = await setUp();
    const piece = fc.constantFrom(
      "\r",
      "\n",
      "\0",
      " ",
      ":",
      "//",
      "..",
      "@evil.example",
      "%",
      "\xff",
      "a".repeat(70_000),
      "0",
      "-1",
      "\r\n\r\n",
    );
    const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(5), put: piece });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WHOLE),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        async (whole, damages) => {
          const text = damages.reduce((left, { at, cut, put }) => {
            const start = Math.floor(at * left.length);
            return left.slice(0, start) + put + left.slice(start + cut);
          }, whole);
          const raw = await connection();
          raw.write(text);
          raw.socket.end();
          expect(await raw.closed).toMatch(/^(?:HTTP\/1\.1 \d{3} [\s\S]*)?$/);
        },
      ),
      { numRuns: 400 },
    );
    while (proxy.status().underWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const hosts = asked.map((line) => line.split(" ")[1]);
    expect([...new Set(hosts)].filter((its) => its !== "api.github.com" && its !== "codeload.github.com")).toEqual([]);
    await ok(await connection());
  });
});

describe("requests for somebody else", () => {
  it.each([
    ["no host", "GET /a HTTP/1.1\r\n\r\n", 400],
    ["two hosts", "GET /a HTTP/1.1\r\nHost: api.github.com\r\nHost: evil.example\r\n\r\n", 400],
    ["another host", "GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421],
    ["another host as the target", "GET http://evil.example/a HTTP/1.1\r\nHost: api.github.com\r\n\r\n", 421],
    [
      "a user before the host",
      "GET http://api.github.com@evil.example/a HTTP/1.1\r\nHost: api.github.com\r\n\r\n",
      400,
    ],
    ["another scheme", "GET ftp://api.github.com/a HTTP/1.1\r\nHost: api.github.com\r\n\r\n", 400],
    ["another port", "GET /a HTTP/1.1\r\nHost: api.github.com:8080\r\n\r\n", 421],
    ["a longer name", "GET /a HTTP/1.1\r\nHost: api.github.com.evil.example\r\n\r\n", 421],
    ["no path", "OPTIONS * HTTP/1.1\r\nHost: api.github.com\r\n\r\n", 400],
    [
      "two tokens",
      "GET /a HTTP/1.1\r\nHost: api.github.com\r\nAuthorization: token a\r\nAuthorization: token b\r\n\r\n",
      400,
    ],
  ])("are turned away, and the connection goes on: %s", async (_what, text, status) => {
    const { asked, connection } = await setUp();
    const raw = await connection();
    raw.write(text);
    expect(await raw.until("}")).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(asked).toEqual([]);
    await raw.until("}").then(() => raw.write("GET /fine HTTP/1.1\r\nHost: api.github.com\r\n\r\n"));
    expect(await raw.until("ok")).toContain("HTTP/1.1 200 OK");
  });

  it("are not told who may come in by a base URL", async () => {
    const { asked, proxy } = await setUp();
    for (const target of ["/user", `/${"a".repeat(43)}/user`, "http://api.github.com/user", "/"]) {
      const raw = await rawConnection({ port: proxy.port });
      raw.write(`GET ${target} HTTP/1.1\r\nHost: api.github.com\r\nConnection: close\r\n\r\n`);
      expect(await raw.closed).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[\s\S]*started by `squad-rate exec`/);
    }
    expect(asked).toEqual([]);
  });
});

describe("requests of other times", () => {
  it("of HTTP/1.0 are answered, and end their connection", async () => {
    const { asked, outcome, proxy, client } = await setUp();
    expect(await outcome("GET /a HTTP/1.0\r\nHost: api.github.com\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/,
    );
    const raw = await rawConnection({ port: proxy.port });
    raw.write(`GET /${client.secret}/b HTTP/1.0\r\n\r\n`);
    expect(await raw.closed).toMatch(/ok$/);
    expect(asked).toEqual(["GET api.github.com /a", "GET api.github.com /b"]);
  });

  it("that come before earlier ones are answered are answered in their order", async () => {
    const { asked, connection } = await setUp();
    const raw = await connection();
    const paths = Array.from({ length: 20 }, (_, number) => `/${number}`);
    raw.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: api.github.com\r\n\r\n`).join(""));
    raw.write("GET /last HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    const answers = await raw.until("421 Misdirected Request");
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(20);
    expect(asked.map((line) => line.split(" ")[2]).sort()).toEqual([...paths].sort());
  });

  it("cut a connection that asks for hundreds at once", async () => {
    const { connection } = await setUp();
    const raw = await connection();
    raw.write("GET /a HTTP/1.1\r\nHost: api.github.com\r\n\r\n".repeat(500));
    await raw.closed;
    await ok(await connection());
  });

  it("wait to be asked for a body", async () => {
    const { asked, connection } = await setUp();
    const raw = await connection();
    raw.write("POST /a HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    await raw.until("HTTP/1.1 100 Continue\r\n\r\n");
    raw.write("hi");
    expect(await raw.until("ok")).toContain("HTTP/1.1 200 OK");
    expect(asked).toEqual(["POST api.github.com /a"]);
  });

  it("are answered without their body where it does not matter, and the connection ends", async () => {
    const { asked, outcome } = await setUp();
    const answer = await outcome(
      "POST /a HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 421 [\s\S]*Connection: close/);
    expect(asked).toEqual([]);
  });
});
