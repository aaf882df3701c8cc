import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredAnswer } from "../../src/cache/answer.js";
import { Flights } from "../../src/cache/flights.js";
import { Variant } from "../../src/cache/variant.js";

const url = "https://api.github.com/user";
const answer: StoredAnswer = {
  kind: "stored",
  how: "miss",
  variant: new Variant({ body: "{}", bytes: 2, headers: new Map(), verified: true, fromStore: false }, url),
  url,
  redirected: false,
  live: undefined,
  remembered: undefined,
};

describe("Flights", () => {
  it("finds an exchange for a read that has no later write to see", () => {
    const flights = new Flights();
    const flight = flights.open("id", 3, false);
    expect(flights.find("id", 3)).toBe(flight);
    expect(flights.find("id", 2)).toBe(flight);
    expect(flights.find("id", 4)).toBeUndefined();
    expect(flights.find("other", 0)).toBeUndefined();
  });

  it("tells joiners of an exchange that ended before or after they asked for the answer", async () => {
    const flights = new Flights();
    const flight = flights.open("id", 0, false);
    const early = flight.join(undefined);
    flights.close("id", flight, answer);
    expect(await early).toBe(answer);
    expect(await flight.join(undefined)).toBe(answer);
    expect(flights.size).toBe(0);
  });

  it("tells joiners of a failure that they have to send their own", async () => {
    const flights = new Flights();
    const flight = flights.open("id", 0, false);
    const joined = flight.join(undefined);
    flights.close("id", flight, undefined);
    expect(await joined).toBeUndefined();
  });

  it("leaves a later exchange on the list when an earlier one ends", () => {
    const flights = new Flights();
    const earlier = flights.open("id", 0, false);
    const later = flights.open("id", 1, false);
    flights.close("id", earlier, answer);
    expect(flights.find("id", 1)).toBe(later);
  });

  it("detaches the caller that aborts, at once and with its reason, and leaves no listener", async () => {
    const flights = new Flights();
    const flight = flights.open("id", 0, true);
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const left = flight.join(leaving.signal);
    const stayed = flight.join(staying.signal);
    leaving.abort("enough");
    await expect(left).rejects.toBe("enough");
    expect(flight.controller?.signal.aborted).toBe(false);
    flights.close("id", flight, answer);
    expect(await stayed).toBe(answer);
    staying.abort("too late");
    expect(flight.controller?.signal.aborted).toBe(false);
  });

  it("aborts the exchange when all have left, and only then", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), async (joiners, leaving) => {
        const flight = new Flights().open("id", 0, true);
        const controllers = Array.from({ length: joiners + 1 }, () => new AbortController());
        const forever = new Promise<never>(() => undefined);
        const waits = controllers.map(({ signal }, index) =>
          index === 0 ? flight.detachable(forever, signal) : flight.join(signal),
        );
        const gone = controllers.slice(0, leaving);
        for (const controller of gone) controller.abort("enough");
        expect(flight.controller?.signal.aborted).toBe(leaving > joiners);
        const ended = await Promise.allSettled(waits.slice(0, leaving));
        for (const { status } of ended) expect(status).toBe("rejected");
      }),
    );
  });

  it("goes on for a joiner that cannot leave", async () => {
    const flights = new Flights();
    const flight = flights.open("id", 0, true);
    const leader = new AbortController();
    const led = flight.detachable(new Promise<never>(() => undefined), leader.signal);
    const joined = flight.join(undefined);
    leader.abort("enough");
    await expect(led).rejects.toBe("enough");
    expect(flight.controller?.signal.aborted).toBe(false);
    flights.close("id", flight, answer);
    expect(await joined).toBe(answer);
  });
});
