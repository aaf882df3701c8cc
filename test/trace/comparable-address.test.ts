import { describe, expect, it } from "vitest";
import { comparableAddress } from "../../src/trace/comparable-address.js";

describe("comparableAddress", () => {
  it.each([
    "access_token",
    "access-token",
    "accessToken",
    "ACCESS_TOKEN",
    "access_token[]",
    "acc%65ss_token",
    "acc%2565ss_token",
    "token",
    "device_code",
    "X-Amz-Signature",
    "X-Amz-Security-Token",
    "api_key",
    "client_assertion",
    "code_verifier",
    "authorization",
    "code",
  ])("leaves out what %s carries, alone and among others", (name) => {
    expect(comparableAddress(`https://h/p?${name}=s3cret`)).toBe("https://h/p");
    expect(comparableAddress(`https://h/p?b=2&${name}=s3cret&a=1`)).toBe("https://h/p?a=1&b=2");
  });

  it.each(["secret_type", "token_id[]", "codeowner", "author", "design", "key", "since", "q", "100%"])(
    "keeps what %s says",
    (name) => {
      expect(comparableAddress(`https://h/p?${name}=value`)).toBe(`https://h/p?${name}=value`);
    },
  );

  it("leaves out who asks and by which password", () => {
    expect(comparableAddress("https://mona:s3cret@h/p?a=1")).toBe("https://h/p?a=1");
    expect(comparableAddress("https://h/users/a@b?q=c@d")).toBe("https://h/users/a@b?q=c@d");
  });
});
