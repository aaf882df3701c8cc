import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { cannotBeSent, wasNeverSent } from "../../src/call/never-sent.js";

function coded(code: string, more: object = {}): Error {
  return Object.assign(new Error("it failed"), { code, ...more });
}

/** The error of a `fetch` of `url`. */
async function failureOf(url: string): Promise<unknown> {
  return fetch(url).then(
    () => expect.unreachable("it was answered"),
    (error: unknown) => error,
  );
}

/** A server on this machine that reads a request and hangs up, while `use` runs. */
async function withRudeServer(use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await use(`http://127.0.0.1:${port}/`).finally(() => server.close());
}

describe("a failure that came before the request was sent", () => {
  it("is known by its code, however deep among the causes", () => {
    expect(wasNeverSent(coded("ENOTFOUND", { syscall: "getaddrinfo" }))).toBe(true);
    expect(wasNeverSent(new TypeError("fetch failed", { cause: coded("ECONNREFUSED", { syscall: "connect" }) }))).toBe(
      true,
    );
    const aggregate = new AggregateError([coded("ENETUNREACH")], "");
    const deep = new Error("outer", {
      cause: new TypeError("fetch failed", { cause: Object.assign(aggregate, { code: "ENETUNREACH" }) }),
    });
    expect(wasNeverSent(deep)).toBe(true);
    expect(wasNeverSent(new TypeError("fetch failed", { cause: coded("CERT_HAS_EXPIRED") }))).toBe(true);
  });

  it("is known when Node's own fetch finds nobody who listens, or no address", async () => {
    let gone = "";
    await withRudeServer(async (url) => {
      gone = url;
    });
    expect(wasNeverSent(await failureOf(gone))).toBe(true);
    expect(wasNeverSent(await failureOf("not an address"))).toBe(true);
  });
});

describe("a failure of which nobody knows whether the request was sent", () => {
  it.each([
    ["a connection that was reset", new TypeError("fetch failed", { cause: coded("ECONNRESET", { syscall: "read" }) })],
    ["a host that became unreachable while it was read from", coded("EHOSTUNREACH", { syscall: "read" })],
    ["a connection that was closed", new TypeError("fetch failed", { cause: coded("UND_ERR_SOCKET") })],
    ["a timeout of the answer", new TypeError("fetch failed", { cause: coded("UND_ERR_HEADERS_TIMEOUT") })],
    ["an abort", new DOMException("This operation was aborted", "AbortError")],
    ["an error without a code", new TypeError("fetch failed")],
    ["a code that is no text", coded("x", { code: 404 })],
    ["a thrown text", "ENOTFOUND"],
    ["nothing", undefined],
  ])("%s", (_, error) => {
    expect(wasNeverSent(error)).toBe(false);
  });

  it("one whose causes are a circle", () => {
    const circle: { cause?: unknown } = new Error("circle");
    circle.cause = circle;
    expect(wasNeverSent(circle)).toBe(false);
  });

  it("one of Node's own fetch, when the server hangs up after it has read the request", async () => {
    await withRudeServer(async (url) => {
      expect(wasNeverSent(await failureOf(url))).toBe(false);
    });
  });
});

describe("a request that cannot be sent at all", () => {
  it("is known from one that only found nobody", async () => {
    expect(cannotBeSent(await failureOf("not an address"))).toBe(true);
    expect(cannotBeSent(new TypeError("fetch failed", { cause: coded("CERT_HAS_EXPIRED") }))).toBe(true);
    for (const code of ["ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "UND_ERR_CONNECT_TIMEOUT"]) {
      expect(cannotBeSent(new TypeError("fetch failed", { cause: coded(code) }))).toBe(false);
    }
    expect(cannotBeSent("nothing")).toBe(false);
  });
});
