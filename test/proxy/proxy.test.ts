import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TraceRecord } from "../../src/trace/index.js";
import { aGitHub, aProxy, ask } from "./desk.js";

const auth = { authorization: "token ghp_mona" };
const viewer = JSON.stringify({ query: "query Who { viewer { login } }" });

async function setUp() {
  const { github, upstream, folder } = await aGitHub();
  const trace: TraceRecord[] = [];
  const proxy = await aProxy({ upstream, squad: { agent: "squad", trace: (record) => void trace.push(record) } });
  const client = await proxy.admit({ agent: "data", session: "ta-51", socketPath: join(folder, "client.sock") });
  const onSocket = { socketPath: client.socketPath as string };
  return { github, proxy, client, onSocket, trace };
}

describe("a proxy", () => {
  it("answers reads by a socket, and asks about them again for free", async () => {
    const { github, onSocket } = await setUp();
    const request = { headers: { ...auth, host: "api.github.com" } };
    const first = await ask({ ...onSocket, path: "/repos/mona/hello" }, request);
    const second = await ask({ ...onSocket, path: "/repos/mona/hello" }, request);
    expect([first.status, first.headers["x-squad-rate"]]).toEqual([200, "miss"]);
    expect([second.status, second.headers["x-squad-rate"]]).toEqual([200, "revalidated"]);
    expect(second.text).toBe(first.text);
    expect(github.usage("ghp_mona").used).toBe(1);
    expect(github.log.map(({ status }) => status)).toEqual([200, 304]);
  });

  it("answers reads by a base URL from the same cache", async () => {
    const { client, onSocket } = await setUp();
    await ask({ ...onSocket, path: "/user" }, { headers: { ...auth, host: "api.github.com" } });
    const answer = await ask(`${client.apiUrl}/user`, { headers: auth });
    expect([answer.status, answer.headers["x-squad-rate"]]).toEqual([200, "revalidated"]);
    expect(JSON.parse(answer.text)).toMatchObject({ login: "mona" });
  });

  it.each(["socket", "base URL"])("passes queries on by its %s, and learns what they cost", async (by) => {
    const { github, proxy, client, onSocket, trace } = await setUp();
    const where = by === "socket" ? { ...onSocket, path: "/graphql" } : client.graphqlUrl;
    const headers = by === "socket" ? { ...auth, host: "api.github.com" } : auth;
    const answer = await ask(where, { method: "POST", headers, body: viewer });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { data: { viewer: { login: "mona" } } }]);
    expect(github.log.at(-1)).toMatchObject({ method: "POST", status: 200 });
    expect(proxy.squad.status().principals[0]?.windows).toHaveProperty("graphql");
    expect(trace[0]).toMatchObject({ kind: "attempt", agent: "data", graphql: { operation: "Who", cost: 1 } });
  });

  it("says what it does, and for whom", async () => {
    const { proxy, client, onSocket } = await setUp();
    await ask({ ...onSocket, path: "/user" }, { headers: { ...auth, host: "api.github.com" } });
    const status = proxy.status();
    expect(status).toMatchObject({ host: "github.com", requests: 1, underWay: 0 });
    expect(status.clients).toMatchObject([
      { id: client.id, agent: "data", session: "ta-51", priority: 1, requests: 1 },
    ]);
    expect(JSON.stringify(status)).not.toContain(client.secret);
  });
});
