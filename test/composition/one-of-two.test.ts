import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/index.js";
import { compose, failureOf, REPO } from "./compose.js";
import { hostOf } from "./compositions.js";
import { LIMITS, type Limit } from "./limits.js";

const DAY = 86_400_000;

/** A host with one of the two plugins, or with one on either side; and who then sees to what. */
const HOSTS = [
  ["plugin-throttling inside, no plugin-retry", hostOf(throttling, squadRate), { asks: false, retries: "ours" }],
  ["plugin-throttling outside, no plugin-retry", hostOf(squadRate, throttling), { asks: true, retries: "ours" }],
  ["plugin-retry inside, no plugin-throttling", hostOf(retry, squadRate), { asks: false, retries: "ours" }],
  ["plugin-retry outside, no plugin-throttling", hostOf(squadRate, retry), { asks: false, retries: "the host's" }],
  [
    "plugin-retry inside, plugin-throttling outside",
    hostOf(retry, squadRate, throttling),
    { asks: true, retries: "ours" },
  ],
  [
    "plugin-throttling inside, plugin-retry outside",
    hostOf(throttling, squadRate, retry),
    { asks: false, retries: "the host's" },
  ],
] as const;

describe.each(HOSTS)("with %s,", (_host, Class, { asks, retries }) => {
  it(`a refusal is ours${asks ? ", and then plugin-throttling's" : ""}`, async () => {
    const { time, github, octokit, sent, asked } = await compose(Class, { squad: { maxWaitMs: DAY } });
    github.route("/repos/mona/hello", (LIMITS["a secondary limit with retry-after"] as Limit).answer);
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(error).toMatchObject({ name: "HttpError", status: 403 });
    expect(sent).toHaveLength(4);
    expect(asked).toHaveLength(asks ? 1 : 0);
  });

  it(`a failure is for ${retries} to try again, three times`, async () => {
    const { time, github, octokit, sent } = await compose(Class);
    github.route("/repos/mona/hello", { status: 502, json: {} });
    const error = await failureOf(time.settle(octokit.rest.repos.get(REPO)));
    expect(error).toMatchObject({ name: "HttpError", status: 502 });
    expect(sent).toHaveLength(4);
    expect(octokit.squad.status().counters.retried).toBe(retries === "ours" ? 3 : 0);
  });
});
