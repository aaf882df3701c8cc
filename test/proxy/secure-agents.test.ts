import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { aProxy, ask } from "./desk.js";

/** A proxy for the way out, which notes whom it is asked for and lets nobody through. */
async function aWayOut() {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", ({ url = "", headers }: IncomingMessage, socket: Socket) => {
    asked.push(`${url} ${headers["proxy-authorization"] ?? ""}`.trim());
    socket.end("HTTP/1.1 503 Not today\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, port: (server.address() as AddressInfo).port };
}

function environment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

it("reaches GitHub through the proxy that the environment names", async () => {
  const { asked, port } = await aWayOut();
  environment({ HTTPS_PROXY: `http://user:secret@127.0.0.1:${port}`, NO_PROXY: "" });
  const { apiUrl } = await (await aProxy({ squad: { retry: false } })).admit({ agent: "data" });

  const answer = await ask(`${apiUrl}/user`, { headers: { authorization: "token ghp_mona" } });

  expect(answer.status).toBe(503);
  expect(answer.text).not.toContain("secret");
  expect(asked).toEqual([`api.github.com:443 Basic ${btoa("user:secret")}`]);
});

it("asks it for nothing that NO_PROXY takes out", async () => {
  const { asked, port } = await aWayOut();
  // No such host: what is not tunnelled cannot be reached either.
  environment({ HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "github.invalid" });
  const proxy = await aProxy({ host: "github.invalid", squad: { retry: false } });
  const { apiUrl } = await proxy.admit({ agent: "data" });

  expect((await ask(`${apiUrl}/user`)).status).toBe(502);
  expect(asked).toEqual([]);
});
