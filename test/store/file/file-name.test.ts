import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileName } from "../../../src/store/file/file-name.js";

describe("fileName", () => {
  it("leaves a plain key as it is, and keeps the rest readable", () => {
    expect(fileName("pool")).toBe("pool");
    expect(fileName("squad-rate:pool:1:core")).toMatch(/^squad-rate-pool-1-core-[0-9a-f]{16}$/);
  });

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "a\\b",
    "con",
    "COM1",
    "Ünïcode",
    "x".repeat(300),
    "a\0b",
    "-flag",
    "pool-0123456789abcdef",
  ])("is safe for %j on every file system", (key) => {
    const name = fileName(key);
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]{0,119}$/);
    expect(name).not.toBe(key);
  });

  it("differs for different keys, also where case is not told apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        fc.pre(one !== other);
        expect(fileName(one).toLowerCase()).not.toBe(fileName(other).toLowerCase());
      }),
    );
    expect(fileName("Pool")).not.toBe(fileName("pool"));
  });
});
