import { describe, expect, it } from "vitest";
import { outcomeOf } from "../harness/cache-outcome.js";
import { setUpBench } from "../harness/octokit-in-squad.js";

const abortable = () => {
  const controller = new AbortController();
  return { abort: () => controller.abort(), request: { signal: controller.signal } };
};

describe("identical reads of one credential at one time", () => {
  it("share one exchange and one unit, each with a body of its own", async () => {
    const { octokit, github, squad } = setUpBench();
    github.route("/user", { json: { login: "octocat" } });
    const alice = octokit("alice");
    const answers = await Promise.all(Array.from({ length: 10 }, () => alice.request("GET /user")));
    expect(github.requests).toHaveLength(1);
    expect(answers.map(outcomeOf)).toEqual(["miss", ...Array.from({ length: 9 }, () => "shared")]);
    expect(new Set(answers.map(({ data }) => data)).size).toBe(10);
    expect(squad.status().principals[0]?.windows.core).toMatchObject({ used: 1, reserved: 0 });
  });

  it("share across Octokits of one squad", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {} });
    await Promise.all([octokit("alice").request("GET /user"), octokit("alice").request("GET /user")]);
    expect(github.requests).toHaveLength(1);
  });

  it("do not share with another credential, nor another address", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {} });
    github.route("/user/emails", { json: [] });
    const alice = octokit("alice");
    await Promise.all([
      alice.request("GET /user"),
      octokit("bob").request("GET /user"),
      alice.request("GET /user/emails"),
    ]);
    expect(github.requests).toHaveLength(3);
  });

  it("do not join across a write, while the exchange from before it is still on its way", async () => {
    const { octokit, github, clock } = setUpBench();
    let reads = 0;
    let answerFirst: () => void = () => undefined;
    github.route("/repos/o/r", ({ method }) => {
      if (method !== "GET") return { json: {} };
      const answer = { json: { read: ++reads } };
      if (reads > 1) return answer;
      return new Promise((resolve) => {
        answerFirst = () => resolve(answer);
      });
    });
    const alice = octokit("alice");
    const before = alice.request("GET /repos/o/r");
    await clock.advance(0);
    await alice.request("PATCH /repos/o/r");
    expect((await alice.request("GET /repos/o/r")).data).toEqual({ read: 2 });
    answerFirst();
    expect((await before).data).toEqual({ read: 1 });
  });

  it("do not share a redirected answer from before a write elsewhere: it may be of that repository", async () => {
    const { octokit, github, clock } = setUpBench();
    let reads = 0;
    const redirectedTo = "https://api.github.com/repositories/1";
    github.route("/repos/o/old", async () => {
      const read = ++reads;
      await new Promise<void>((resolve) => void clock.timer(1_000, resolve));
      return { json: { read }, redirectedTo };
    });
    github.route("/repos/o/new/issues", { status: 201, json: {} });
    const alice = octokit("alice");
    const early = alice.request("GET /repos/o/old");
    await clock.advance(1);
    await alice.request("POST /repos/o/new/issues");
    const late = alice.request("GET /repos/o/old");
    await clock.settle(Promise.all([early, late]));
    expect([(await early).data, (await late).data]).toEqual([{ read: 1 }, { read: 2 }]);
  });

  it("send their own when the answer turns out to be one that cannot be shared", async () => {
    const { octokit, github } = setUpBench();
    github.route("/blob", { body: "x", headers: { "content-type": "application/octet-stream" } });
    const alice = octokit("alice");
    const answers = await Promise.all([1, 2, 3].map(() => alice.request("GET /blob")));
    expect(github.requests).toHaveLength(3);
    for (const { data } of answers) expect(new TextDecoder().decode(data as ArrayBuffer)).toBe("x");
  });

  it("try themselves when the exchange they joined fails", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {} });
    github.once(() => Promise.reject(new TypeError("fetch failed")));
    const alice = octokit("alice");
    const [leader, joiner] = await Promise.allSettled([alice.request("GET /user"), alice.request("GET /user")]);
    expect([leader?.status, joiner?.status]).toEqual(["rejected", "fulfilled"]);
    expect(github.requests).toHaveLength(2);
  });

  it("send for themselves at once, side by side, when joining was in vain twice", async () => {
    const { octokit, github, clock } = setUpBench();
    let running = 0;
    let most = 0;
    github.route("/user", async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => void clock.timer(1_000, resolve));
      running--;
      return { status: 500, json: {} };
    });
    const alice = octokit("alice");
    const calls = Promise.allSettled(Array.from({ length: 20 }, () => alice.request("GET /user")));
    await clock.settle(calls);
    expect(clock.monotonic()).toBe(3_000);
    expect([github.requests.length, most]).toEqual([20, 18]);
  });
});

describe("a caller that aborts a shared exchange", () => {
  it.each(["the first", "the second"])("detaches alone: %s", async (who) => {
    const { octokit, github, clock } = setUpBench();
    github.route("/user", { json: { login: "octocat" } });
    const alice = octokit("alice");
    const release = github.hold();
    const [first, second] = [abortable(), abortable()];
    const calls = [
      alice.request("GET /user", { request: first.request }),
      alice.request("GET /user", { request: second.request }),
    ] as const;
    const [leaving, staying] = who === "the first" ? [calls[0], calls[1]] : [calls[1], calls[0]];
    const left = expect(leaving).rejects.toMatchObject({ name: "AbortError" });
    await clock.advance(0);
    (who === "the first" ? first : second).abort();
    await left;
    expect(github.requests[0]?.signal?.aborted).toBe(false);
    release();
    expect((await staying).data).toEqual({ login: "octocat" });
    expect(github.requests).toHaveLength(1);
  });

  it("and is the last one ends it", async () => {
    const { octokit, github, clock, squad } = setUpBench();
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    github.hold();
    const callers = [abortable(), abortable(), abortable()];
    const calls = Promise.allSettled(callers.map(({ request }) => alice.request("GET /user", { request })));
    await clock.advance(0);
    for (const { abort } of callers) abort();
    for (const { status } of await calls) expect(status).toBe("rejected");
    expect([github.requests.length, github.requests[0]?.signal?.aborted]).toEqual([1, true]);
    await clock.advance(0);
    expect(squad.status().principals[0]?.windows.core?.reserved ?? 0).toBe(0);
  });

  it("before its headers came rejects with the reason it gave", async () => {
    const { squad, github, clock } = setUpBench();
    github.hold();
    const controller = new AbortController();
    const call = squad.fetch("https://api.github.com/user", { signal: controller.signal });
    const ended = expect(call).rejects.toBe("enough");
    await clock.advance(0);
    controller.abort("enough");
    await ended;
  });

  it("while the body is still on its way rejects, and the exchange is ended", async () => {
    const { squad, github, clock } = setUpBench();
    github.route("/user", { body: new ReadableStream({ pull: () => new Promise(() => undefined) }), etag: '"a"' });
    const controller = new AbortController();
    const call = squad.fetch("https://api.github.com/user", { signal: controller.signal });
    const ended = expect(call).rejects.toBe("enough");
    await clock.advance(0);
    controller.abort("enough");
    await ended;
    expect(github.requests[0]?.signal?.aborted).toBe(true);
  });

  it("while an answer that is not kept streams to it ends the exchange", async () => {
    const { squad, github } = setUpBench();
    github.route("/zip", {
      body: new ReadableStream({ pull: () => new Promise(() => undefined) }),
      headers: { "content-type": "application/zip" },
    });
    const controller = new AbortController();
    const response = await squad.fetch("https://api.github.com/zip", { signal: controller.signal });
    expect(response.status).toBe(200);
    controller.abort("enough");
    expect(github.requests[0]?.signal?.aborted).toBe(true);
  });
});

describe("a caller whose signal is aborted already", () => {
  it("is refused before anything is sent, and leaves no rejection unhandled", async () => {
    const others = process.listeners("unhandledRejection");
    const unhandled: unknown[] = [];
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (reason) => void unhandled.push(reason));
    try {
      const { squad, github } = setUpBench();
      github.route("/user", { json: {} });
      await expect(squad.fetch("https://api.github.com/user", { signal: AbortSignal.abort("enough") })).rejects.toBe(
        "enough",
      );
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      expect(github.requests).toHaveLength(0);
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of others) process.on("unhandledRejection", listener);
    }
  });
});

describe("the principal", () => {
  it("is one for a token under either scheme", async () => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    for (const authorization of ["token secret", "Bearer secret", "bearer  secret"]) {
      await squad.fetch("https://api.github.com/user", { headers: { authorization } });
    }
    expect(squad.status().principals.map(({ id }) => id)).toHaveLength(1);
  });

  it("never shows the token", async () => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    await squad.fetch("https://api.github.com/user", { headers: { authorization: "token s3cret" } });
    expect(JSON.stringify(squad.status())).not.toContain("s3cret");
  });

  it("of an app's own token is the app, with no quota that GitHub shows", async () => {
    const { squad, github } = setUpBench();
    github.route("/app", { json: {}, unlimited: true });
    const authorization = "bearer eyJhbGciOi.eyJpc3Mi.c2ln";
    await squad.fetch("https://api.github.com/app", { headers: { authorization } });
    expect(squad.status().principals).toMatchObject([{ id: "app", windows: {} }]);
  });
});
