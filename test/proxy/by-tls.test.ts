import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aProxy, ask, ownFolder } from "./desk.js";

const OPENSSL: string = "openssl";

const hasOpenssl = ((): boolean => {
  try {
    execFileSync(OPENSSL, ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** An Enterprise Server on this machine whose certificate nobody has signed, which tells how it was called. */
async function aServer(): Promise<string> {
  const folder = await ownFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync(
    OPENSSL,
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      ...names,
    ],
    { stdio: "ignore" },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, response) => {
    const { host, authorization } = incoming.headers;
    const name = (incoming.socket as { servername?: string | false }).servername;
    response.end(JSON.stringify({ host, name, authorization, url: incoming.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!hasOpenssl)(`an upstream by TLS${hasOpenssl ? "" : " (skipped: there is no openssl)"}`, () => {
  it("is asked for by its own name, and told the host that is meant", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    // The way out of this machine is none to itself.
    vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const proxy = await aProxy({ upstream: await aServer(), host: "github.example.com" });
    const { apiUrl } = await proxy.admit({ token: "ghp_mona" });
    for (let time = 0; time < 2; time++) {
      expect(JSON.parse((await ask(`${apiUrl}/user`)).text)).toEqual({
        host: "github.example.com",
        name: "localhost",
        authorization: "token ghp_mona",
        url: "/api/v3/user",
      });
    }
  });

  it("is told nothing where its certificate is not to be trusted", async () => {
    const proxy = await aProxy({ upstream: await aServer() });
    const { apiUrl } = await proxy.admit({ token: "ghp_mona" });
    const answer = await ask(`${apiUrl}/user`);
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([
      502,
      "The connection to api.github.com failed before an answer came (DEPTH_ZERO_SELF_SIGNED_CERT).",
    ]);
  });
});
