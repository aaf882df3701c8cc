import { describe, expect, it } from "vitest";
import { EndpointPoints, MAX_ENDPOINTS } from "../../../src/policy/secondary/endpoint-points.js";

const T0 = Date.UTC(2030, 0, 1);

function fill(points: EndpointPoints, count: number, now: number): void {
  for (let index = 0; index < count; index++) points.add(`GET /${index}`, 1, now);
}

describe("EndpointPoints", () => {
  it("counts each endpoint by itself", () => {
    const points = new EndpointPoints();
    points.add("GET /a", 1, T0);
    points.add("POST /a", 5, T0);
    points.add("GET /a", 1, T0 + 1_000);
    expect(points.of("GET /a").total(T0 + 1_000)).toBe(2);
    expect(points.of("POST /a").total(T0 + 1_000)).toBe(5);
    expect(points.of("GET /b").total(T0 + 1_000)).toBe(0);
    expect(points.most(T0 + 1_000)).toBe(5);
  });

  it("forgets endpoints that have been idle, and keeps those that have not", () => {
    const points = new EndpointPoints();
    fill(points, 500, T0);
    points.add("GET /0", 1, T0 + 59_000);
    points.add("GET /busy", 1, T0 + 120_000);
    expect(points.size).toBe(2);
    expect(points.of("GET /0").total(T0 + 120_000)).toBe(1);
  });

  it("keeps a bounded number of endpoints, and counts the others together, so that none is counted too low", () => {
    const points = new EndpointPoints();
    fill(points, MAX_ENDPOINTS + 10, T0);
    expect(points.size).toBe(MAX_ENDPOINTS);
    expect(points.of("GET /0").total(T0)).toBe(1);
    expect(points.of(`GET /${MAX_ENDPOINTS}`).total(T0)).toBe(10);
    expect(points.of("GET /never-asked").total(T0)).toBe(10);
    expect(points.most(T0)).toBe(10);
  });

  it("gives an endpoint a place of its own only when none of its points would be missing there", () => {
    const points = new EndpointPoints();
    fill(points, MAX_ENDPOINTS, T0);
    points.add("GET /late", 1, T0 + 50_000);
    points.add("GET /late", 1, T0 + 100_000); // there is room again, but its first point still counts
    expect(points.size).toBe(0);
    expect(points.of("GET /late").total(T0 + 100_000)).toBe(2);
    points.add("GET /late", 1, T0 + 300_000);
    expect(points.size).toBe(1);
    expect(points.of("GET /late").total(T0 + 300_000)).toBe(1);
  });

  it("goes on forgetting after the clock has been set back", () => {
    const points = new EndpointPoints();
    fill(points, 100, T0 + 86_400_000);
    points.add("GET /busy", 1, T0);
    expect(points.size).toBe(101);
    points.add("GET /busy", 1, T0 + 70_000);
    expect(points.size).toBe(1);
  });
});
