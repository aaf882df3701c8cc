import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contentWritesKey,
  cooldownKey,
  membersKey,
  operationCostsKey,
  quotaKey,
  readKey,
  secondaryUseKey,
} from "../../../src/pool/keys.js";

const pool = { host: "api.github.com", name: "team" };

describe("a key that is found in a store", () => {
  it("tells of which pool and of what it is", () => {
    expect(readKey(quotaKey(pool, "core"))).toEqual({ kind: "quota", pool, resource: "core" });
    expect(readKey(membersKey(pool))).toEqual({ kind: "members", pool, resource: undefined });
    expect(
      [cooldownKey(pool), contentWritesKey(pool), secondaryUseKey(pool), operationCostsKey(pool)].map(
        (key) => readKey(key)?.kind,
      ),
    ).toEqual(["cooldown", "content-writes", "secondary-use", "graphql-costs"]);
  });

  it("is nobody's where it is no pool's", () => {
    for (const key of [
      "squad-rate:cache:1:5f0c",
      "squad-rate:probe:5f0c",
      "squad-rate:quota:api.github.com:team",
      "squad-rate:members:api.github.com:team:core",
      "squad-rate:members:api.github.com:%",
      "somebody:else",
    ]) {
      expect(readKey(key), key).toBeUndefined();
    }
  });

  it("is read back so that it leads to the same document, whatever names it is made of", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(name, name, name, (host, poolName, resource) => {
        const key = quotaKey({ host, name: poolName }, resource);
        const found = readKey(key);
        // Where a name was too long it may have been cut within a character.
        if (found?.resource === undefined) expect(key).toContain("~");
        else expect(quotaKey(found.pool, found.resource)).toBe(key);
      }),
    );
    expect(
      readKey(quotaKey({ host: "ghe.example.com:8443", name: "app 7/installation 9" }, "code_search"))?.pool,
    ).toEqual({
      host: "ghe.example.com:8443",
      name: "app 7/installation 9",
    });
  });
});
