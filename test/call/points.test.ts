import { describe, expect, it } from "vitest";
import { secondaryPoints } from "../../src/call/points.js";

describe("secondaryPoints", () => {
  it.each([
    ["GET", undefined, 1],
    ["get", undefined, 1],
    ["HEAD", undefined, 1],
    ["OPTIONS", undefined, 1],
    ["POST", undefined, 5],
    ["PATCH", undefined, 5],
    ["PUT", undefined, 5],
    ["DELETE", undefined, 5],
    ["PURGE", undefined, 5],
    ["POST", "query", 1],
    ["POST", "mutation", 5],
    ["POST", "subscription", 5],
    ["POST", "unknown", 5],
  ] as const)("weighs %s (GraphQL: %s) as %i", (method, graphql, points) => {
    expect(secondaryPoints(method, graphql)).toBe(points);
  });
});
