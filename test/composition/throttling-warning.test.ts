import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { describe, expect, it } from "vitest";
import { createSquad, type SquadOptions, squadRate } from "../../src/index.js";
import { compose, type Settings } from "./compose.js";
import { EITHER, type HostClass, hostOf } from "./compositions.js";

const SWITCHED_OFF = { throttle: { enabled: false } };
const random = (): number => 0.5;

let names = 0;
/** Equal options are one squad, and squads outlive a test. */
const options = (): SquadOptions => ({ agent: `app ${++names}`, random });

/** What Octokits warn of that are made one after the other and make two calls each. */
async function warningsOf(Class: HostClass, made: () => readonly Settings[]): Promise<readonly string[]> {
  const { time, github, logged, another } = await compose(Class);
  github.route("/user", { json: {} });
  for (const settings of made()) {
    const octokit = another(Class, settings);
    for (let round = 0; round < 2; round++) await time.settle(octokit.request("GET /user"));
  }
  return logged.filter((line) => line.startsWith("warn"));
}

describe.each(Object.entries(EITHER))("the warning about plugin-throttling, %s,", (_composition, Class) => {
  it("comes once for a squad, however many Octokits an app makes", async () => {
    const squad = options();
    const warnings = await warningsOf(Class, () => Array.from({ length: 5 }, () => ({ squad: { ...squad } })));
    expect(warnings).toEqual([expect.stringMatching(/plugin-throttling as well.*throttle: \{ enabled: false \}/)]);
  });

  it("comes once for a squad that is handed in", async () => {
    const warnings = await warningsOf(Class, () => {
      const squad = createSquad({ random });
      return [{ squad }, { squad }];
    });
    expect(warnings).toHaveLength(1);
  });

  it("comes for each of two squads", async () => {
    expect(await warningsOf(Class, () => [{ squad: options() }, { squad: options() }])).toHaveLength(2);
  });

  it("does not come where it is disabled", async () => {
    const disabled = { squad: options(), options: SWITCHED_OFF };
    expect(await warningsOf(Class, () => [disabled, disabled])).toEqual([]);
  });

  it("comes where it is disabled for some Octokits of the squad only", async () => {
    const squad = options();
    expect(await warningsOf(Class, () => [{ squad, options: SWITCHED_OFF }, { squad }])).toHaveLength(1);
  });

  it("does not come where ours is disabled", async () => {
    expect(await warningsOf(Class, () => [{ squad: { enabled: false } }])).toEqual([]);
  });

  it("does not claim that ours spaces writes where it does not", async () => {
    const [warning] = await warningsOf(Class, () => [{ squad: { ...options(), pacing: false } }]);
    expect(warning).toContain("throttle: { enabled: false }");
    expect(warning).not.toContain("spaced by squad-rate already");
  });
});

it("does not come with plugin-retry alone", async () => {
  expect(await warningsOf(hostOf(retry, squadRate), () => [{ squad: options() }])).toEqual([]);
});

it("does not come before a call is made", async () => {
  const { logged } = await compose(hostOf(throttling, squadRate));
  expect(logged).toEqual([]);
});

it("comes to the log of the Octokit whose call it is", async () => {
  const said: string[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (message: string) => void said.push(message), error: () => {} };
  const Class = hostOf(throttling, squadRate);
  const elsewhere = await warningsOf(Class, () => [{ squad: options(), options: { log } }]);
  expect([said.length, elsewhere.length]).toEqual([1, 0]);
});
