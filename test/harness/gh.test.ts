import { describe, expect, it } from "vitest";
import { requireGh } from "./gh.js";

describe("requireGh", () => {
  it("says in the label why tests are skipped", async () => {
    const found = await requireGh({ SQUAD_RATE_TEST_GH: "no-such-program" });

    expect(found.missing).toBe(true);
    expect(found.label).toMatch(/^gh 2\.23 \(skipped: there is no program "no-such-program"; .*SQUAD_RATE_TEST_GH\)$/);
  });

  it("takes no other version for it", async () => {
    const found = await requireGh({ SQUAD_RATE_TEST_GH: process.execPath });

    expect(found).toMatchObject({ missing: true, label: expect.stringContaining("is version unknown") });
  });

  it("fails where gh is required", async () => {
    const looking = requireGh({ SQUAD_RATE_TEST_GH: "no-such-program", SQUAD_RATE_REQUIRE_GH: "1" });

    await expect(looking).rejects.toThrow(/need gh 2\.23 .*no program "no-such-program"/);
  });
});
