import { describe, it } from "vitest";
import { checkCache } from "./cache-property.js";

describe("every answer through the cache", () => {
  it("is what an uncached client would have been told, whatever happens", { timeout: 150_000 }, async () => {
    await checkCache(300, 120_000);
  });
});
