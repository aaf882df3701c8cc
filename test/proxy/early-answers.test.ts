import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { aProxy, aRawUpstream, rawConnection } from "./desk.js";

const ANSWER = "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 7\r\n\r\ntoo big";
/** More than all buffers on the way hold. */
const BODY_BYTES = 24 * 1_048_576;
const PIECE = "b".repeat(65_536);

/** A proxy whose upstream answers as soon as it has read a head, and then does as `then` says with what still comes. */
async function setUp(then: (socket: Socket) => void) {
  const { url, connections } = await aRawUpstream((socket) => {
    socket.write(ANSWER);
    then(socket);
  });
  const proxy = await aProxy({ upstream: url, squad: { retry: false } });
  const { secret } = await proxy.admit({});
  return { proxy, secret, connections };
}

/** Writes all of a body before it looks at an answer, as many clients do. */
async function upload(port: number, secret: string, then = "") {
  const raw = await rawConnection({ port });
  raw.write(`POST /${secret}/assets HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
  for (let sent = 0; sent < BODY_BYTES; sent += PIECE.length) {
    if (!raw.socket.write(PIECE)) await new Promise((resolve) => raw.socket.once("drain", resolve));
  }
  raw.write(then);
  return raw;
}

describe.each<[string, (socket: Socket) => void]>([
  ["reads on", (socket) => socket.resume()],
  ["reads no more", (socket) => socket.pause()],
  ["hangs up", (socket) => socket.resume().end()],
])("an upstream that answers before it has read a body, and %s", (_what, then) => {
  it("keeps neither the client from sending the rest, nor its next request from being answered", async () => {
    const { proxy, secret } = await setUp(then);
    const raw = await upload(
      proxy.port,
      secret,
      `GET /${secret}/next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect((await raw.closed).match(/HTTP\/1\.1 413 Payload/g)).toHaveLength(2);
  });
});

it("a client that leaves after an early answer leaves no connection to GitHub behind", async () => {
  const { proxy, secret, connections } = await setUp((socket) => socket.resume());
  const raw = await rawConnection({ port: proxy.port });
  raw.write(`POST /${secret}/assets HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n${PIECE}`);
  await raw.until("too big");
  raw.socket.destroy();
  while (connections.size > 0) await wait(5);
});
