import { describe, expect, it } from "vitest";
import { numbers, pullRequest, setUpBench } from "./bench.js";

const select = (number: number) => pullRequest(number);

describe("going through a batch", () => {
  it("sends a query only when its results are asked for", async () => {
    const { batch, asked, clock } = await setUpBench();
    let pulled = 0;
    function* items(): Generator<number> {
      for (const number of numbers(1, 60)) {
        pulled++;
        yield number;
      }
    }
    const iterator = batch(items(), select)[Symbol.asyncIterator]();
    await clock.advance(1_000);
    expect([pulled, asked()]).toEqual([0, []]);
    for (let count = 0; count < 25; count++) await clock.settle(iterator.next());
    await clock.advance(1_000);
    expect([pulled, asked()]).toEqual([25, [25]]);
    await clock.settle(iterator.next());
    expect([pulled, asked()]).toEqual([50, [25, 25]]);
  });

  it("ends the source when it is left", async () => {
    const { batch, asked, clock } = await setUpBench();
    let ended = false;
    async function* items(): AsyncGenerator<number> {
      try {
        yield* numbers(1, 60);
      } finally {
        ended = true;
      }
    }
    const seen: number[] = [];
    const going = async (): Promise<void> => {
      for await (const { item } of batch(items(), select)) {
        seen.push(item);
        if (item === 3) break;
      }
    };
    await clock.settle(going());
    expect([seen, ended, asked()]).toEqual([[1, 2, 3], true, [25]]);
  });

  it("takes items as they come, and one after another", async () => {
    const { batch, all, clock, asked } = await setUpBench();
    let under = 0;
    async function* items(): AsyncGenerator<number> {
      for (const number of numbers(1, 30)) {
        expect(++under).toBe(1);
        await new Promise<void>((resolve) => void clock.timer(10, resolve));
        under--;
        yield number;
      }
    }
    const results = await all(batch(items(), select));
    expect([results.map(({ item }) => item), asked()]).toEqual([numbers(1, 30), [25, 5]]);
  });

  it("gives out what came before the source failed, and then its failure", async () => {
    const { batch, clock } = await setUpBench();
    function* items(): Generator<number> {
      yield* numbers(1, 3);
      throw new RangeError("no more");
    }
    const seen: number[] = [];
    const going = async (): Promise<void> => {
      for await (const { item } of batch(items(), select)) seen.push(item);
    };
    await expect(clock.settle(going())).rejects.toThrow("no more");
    expect(seen).toEqual([1, 2, 3]);
  });

  it("gives out items that cannot be asked for at once, however many there are", async () => {
    const { batch, asked, clock } = await setUpBench();
    let pulled = 0;
    function* items(): Generator<string> {
      for (;;) {
        pulled++;
        yield "broken {";
      }
    }
    const iterator = batch(items(), String)[Symbol.asyncIterator]();
    for (let count = 0; count < 300; count++) {
      const { value } = await clock.settle(iterator.next());
      expect([value?.error?.name, pulled]).toEqual(["SquadRateError", count + 1]);
    }
    expect(asked()).toEqual([]);
  });

  it("does not read a source for ever to fill a query", async () => {
    const { batch, asked, clock } = await setUpBench();
    let pulled = 0;
    function* items(): Generator<string> {
      yield pullRequest(1);
      for (;;) {
        pulled++;
        yield "broken {";
      }
    }
    const iterator = batch(items(), String)[Symbol.asyncIterator]();
    const { value } = await clock.settle(iterator.next());
    expect([value?.error, asked(), pulled < 250]).toEqual([undefined, [1], true]);
  });

  it("tells toSelection which item it is", async () => {
    const { batch, all } = await setUpBench();
    const seen: unknown[] = [];
    await all(batch(new Set(["a", "b"]), (item, index) => String(seen.push([item, index]))));
    expect(seen).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
  });

  it("throws the signal's reason when it aborts, and sends nothing more", async () => {
    const { batch, github, asked, clock } = await setUpBench();
    github.fault({ kind: "slow", ms: 5_000, times: 1, every: 2 });
    const controller = new AbortController();
    clock.timer(1_000, () => controller.abort(new Error("enough")));
    const seen: number[] = [];
    const going = async (): Promise<void> => {
      const results = batch(numbers(1, 60), select, { request: { signal: controller.signal } });
      for await (const { item } of results) seen.push(item);
    };
    await expect(clock.settle(going())).rejects.toThrow("enough");
    expect([seen.length, asked()]).toEqual([25, [25, 25]]);
  });

  it("sends nothing with a signal that was aborted before", async () => {
    const { batch, all, asked } = await setUpBench();
    const signal = AbortSignal.abort();
    await expect(all(batch([1], select, { request: { signal } }))).rejects.toBe(signal.reason);
    expect(asked()).toEqual([]);
  });

  it("ends when the squad is closed", async () => {
    const { batch, all, squad, clock } = await setUpBench();
    await clock.settle(squad.close());
    await expect(all(batch([1], select))).rejects.toMatchObject({ code: "SQUAD_RATE_CLOSED" });
  });

  it("gives the items of a query that is not sent its error, and tries the next ones", async () => {
    const { batch, all, github, asked, octokit, clock } = await setUpBench({ retry: false });
    github.fault({ kind: "primary-limit", match: { path: "/graphql" } });
    await clock.settle(octokit.graphql("{ viewer { login } }")).catch(() => undefined);
    const results = await all(batch(numbers(1, 30), select, { request: { squad: { maxWaitMs: 0 } } }));
    expect(asked()).toEqual([0]);
    expect(new Set(results.map(({ error }) => (error as { code?: string }).code))).toEqual(
      new Set(["SQUAD_RATE_PRIMARY"]),
    );
    expect(results.map(({ item }) => item)).toEqual(numbers(1, 30));
  });

  it("gives everybody the error of credentials that are no good", async () => {
    const { batch, all, github } = await setUpBench();
    github.world.revokeToken("ghp_mona");
    const results = await all(batch(numbers(1, 3), select));
    expect(results.map(({ error }) => (error as { status?: number }).status)).toEqual([401, 401, 401]);
  });
});
