import { describe, expect, it } from "vitest";
import { createSimulatedGitHub, type SimulatedGitHub, type SimulatedGitHubOptions } from "../../src/sim/index.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad, type Squad } from "../../src/squad.js";

const API = "https://api.github.com";
const PATHS: readonly string[] = [
  "/user",
  "/repos/mona/hello",
  "/repos/mona/hello/issues?per_page=2",
  "/repos/mona/hello/issues?per_page=2&page=2",
  "/repos/mona/hello/issues/1",
  "/repos/mona/hello/labels",
  "/repos/mona/hello/stargazers",
  "/repos/mona/hello/commits",
  "/repos/mona/secret",
  "/repos/mona/secret/issues",
];

interface Desk {
  readonly github: SimulatedGitHub;
  readonly squad: Squad;
  /** One read; resolves to what GitHub's own log says of it. */
  read(
    path: string,
    token: string,
  ): Promise<{ readonly conditional: string; readonly mark: string | null; readonly body: string }>;
}

function setUp(options: SimulatedGitHubOptions = {}, root: string = API): Desk {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, secondary: false, ...options });
  github.world.addUser("mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  github.world.addRepository({ owner: "mona", name: "secret", private: true });
  for (let number = 1; number <= 5; number++)
    github.world.addIssue({ owner: "mona", repo: "hello", title: `${number}` });
  github.world.addIssue({ owner: "mona", repo: "secret", title: "Key" });
  const squad = createSquad({ agent: "reader", clock, fetch: github.fetch, light: false });
  return {
    github,
    squad,
    read: async (path, token) => {
      const response = await squad.fetch(`${root}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(response.status).toBe(200);
      const body = await response.text();
      return { conditional: github.log.at(-1)?.conditional ?? "", mark: response.headers.get("x-squad-rate"), body };
    },
  };
}

describe("token rotation", () => {
  it.each([1, 3, 7, 25])("keeps nearly all answers at 304 when the token changes every %i calls", async (every) => {
    const desk = setUp();
    let calls = 0;
    let token = "";
    const next = async (path: string): Promise<string> => {
      if (calls++ % every === 0) {
        token = `ghs_${calls}`;
        desk.github.world.addToken(token, "mona");
      }
      return (await desk.read(path, token)).conditional;
    };
    for (const path of PATHS) expect(await next(path)).toBe("none");
    const outcomes: string[] = [];
    for (let round = 0; round < 30; round++) for (const path of PATHS) outcomes.push(await next(path));
    const hits = outcomes.filter((outcome) => outcome === "hit").length;
    expect(hits / outcomes.length).toBeGreaterThanOrEqual(0.95);
  });

  it("asks GitHub about a private body again for each new token, and loses it with the right to see it", async () => {
    const desk = setUp();
    desk.github.world.addToken("ghp_mona", "mona");
    desk.github.world.addToken("ghp_eve", "eve");
    await desk.read("/repos/mona/secret", "ghp_mona");
    const headers = { authorization: "Bearer ghp_eve" };
    expect((await desk.squad.fetch(`${API}/repos/mona/secret`, { headers })).status).toBe(404);
    desk.github.world.setCollaborator({ owner: "mona", repo: "secret" }, "eve", "read");
    expect(await desk.read("/repos/mona/secret", "ghp_eve")).toMatchObject({ conditional: "miss", mark: "changed" });
    desk.github.world.setCollaborator({ owner: "mona", repo: "secret" }, "eve", null);
    expect((await desk.squad.fetch(`${API}/repos/mona/secret`, { headers })).status).toBe(404);
  });
});

describe("two tokens of two users on one address", () => {
  it("are both at 304 from their second round on, each with its own body", async () => {
    const desk = setUp();
    desk.github.world.addToken("ghp_mona", "mona");
    desk.github.world.addToken("ghp_hubot", "hubot");
    const first = { mona: await desk.read("/user", "ghp_mona"), hubot: await desk.read("/user", "ghp_hubot") };
    expect(first.mona.body).not.toBe(first.hubot.body);
    for (let round = 2; round <= 5; round++) {
      for (const user of ["mona", "hubot"] as const) {
        const again = await desk.read("/user", `ghp_${user}`);
        expect(again).toEqual({ conditional: "hit", mark: "revalidated", body: first[user].body });
      }
    }
  });
});

describe("ETags that follow no known formula", () => {
  it("earn a 304 for the token that they were given to, and are not tried with another", async () => {
    const desk = setUp({ ghes: true, etagFormula: "opaque" }, "https://github.example.com/api/v3");
    for (const user of ["mona", "hubot"]) desk.github.world.addToken(`ghp_${user}`, user);
    expect((await desk.read("/repos/mona/hello/labels", "ghp_mona")).conditional).toBe("none");
    expect((await desk.read("/repos/mona/hello/labels", "ghp_hubot")).conditional).toBe("none");
    for (let round = 2; round <= 4; round++) {
      for (const user of ["mona", "hubot"]) {
        const again = await desk.read("/repos/mona/hello/labels", `ghp_${user}`);
        expect(again).toMatchObject({ conditional: "hit", mark: "revalidated" });
      }
    }
  });
});
