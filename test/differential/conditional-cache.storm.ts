import { describe, it } from "vitest";
import { checkCache } from "./cache-property.js";

describe("every answer through the cache, in a storm", () => {
  it("is what an uncached client would have been told, whatever happens", { timeout: 1_500_000 }, async () => {
    await checkCache(3_000, 1_400_000);
  });
});
