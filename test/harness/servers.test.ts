import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requireServer } from "./servers.js";

describe("requireServer", () => {
  let server: Server;
  let url: string;

  beforeEach(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `redis://someone:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    if (server.listening) await close(server);
  });

  it("finds a server that listens", async () => {
    await expect(requireServer("redis", { SQUAD_RATE_TEST_REDIS: url })).resolves.toEqual({
      url,
      missing: false,
      label: "redis",
    });
  });

  it("says in the label why tests are skipped, without the password", async () => {
    await close(server);

    const found = await requireServer("redis", { SQUAD_RATE_TEST_REDIS: url });

    expect(found.missing).toBe(true);
    expect(found.label).toMatch(/^redis \(skipped: nothing listens at 127\.0\.0\.1:\d+; .*SQUAD_RATE_TEST_REDIS\)$/);
  });

  it("fails where servers are required", async () => {
    await close(server);

    const looking = requireServer("redis", { SQUAD_RATE_TEST_REDIS: url, SQUAD_RATE_REQUIRE_SERVERS: "1" });

    await expect(looking).rejects.toThrow(/need redis .*nothing listens at 127\.0\.0\.1/);
  });
});

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
