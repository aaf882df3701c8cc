import { describe, expect, it } from "vitest";
import { addressRoots, clientAddress } from "../../../src/proxy/addresses/address-root.js";
import { clientLinks } from "../../../src/proxy/addresses/link-header.js";

const CLIENT = "http://127.0.0.1:4100/SECRET";
const ROOTS = addressRoots(["https://api.github.com/", "http://127.0.0.1:9999"], `${CLIENT}/`);
const ASKED = "https://api.github.com/repos/o/r/pulls?page=1";

describe("addresses in headers", () => {
  it("have a root for each name of GitHub, once", () => {
    expect(ROOTS).toEqual([
      { github: "https://api.github.com", client: CLIENT },
      { github: "http://127.0.0.1:9999", client: CLIENT },
    ]);
    expect(addressRoots(["https://api.github.com", "https://api.github.com/"], CLIENT)).toHaveLength(1);
  });

  it.each([
    ["https://api.github.com/repositories/1/pulls?page=2", `${CLIENT}/repositories/1/pulls?page=2`],
    ["https://api.github.com", CLIENT],
    ["https://api.github.com?q=1", `${CLIENT}?q=1`],
    ["http://127.0.0.1:9999/repos/o/r", `${CLIENT}/repos/o/r`],
    ["/repositories/1?a=%2F", `${CLIENT}/repositories/1?a=%2F`],
  ])("lead to the proxy: %s", (address, expected) => {
    expect(clientAddress(address, ASKED, ROOTS)).toBe(expected);
  });

  it.each([
    "https://codeload.github.com/o/r/zip/main",
    "https://github.com/o/r/pull/1",
    "https://api.github.com.example.org/user",
    "https://api.github.company/user",
    "https://api.github.com:8443/user",
    "http://127.0.0.1:99990/user",
    "https://example.org/?next=https://api.github.com/user",
    "?page=2",
    "not a url",
    "",
  ])("stay where they lead elsewhere, or nowhere: %s", (address) => {
    expect(clientAddress(address, ASKED, ROOTS)).toBe(address);
  });

  it("reads a path from the top, or a host alone, as in GitHub's answer", () => {
    const roots = addressRoots(["https://github.example.com/api/v3"], `${CLIENT}/api/v3`);
    const asked = "https://github.example.com/api/v3/repos/o/old";

    expect(clientAddress("/api/v3/repositories/1", asked, roots)).toBe(`${CLIENT}/api/v3/repositories/1`);
    expect(clientAddress("/login", asked, roots)).toBe("https://github.example.com/login");
    expect(clientAddress("//codeload.example.com/o/r", asked, roots)).toBe("https://codeload.example.com/o/r");
  });

  it("lead from page to page through the proxy", () => {
    const link =
      '<https://api.github.com/repositories/1/pulls?per_page=2&page=2>; rel="next", <https://api.github.com/repositories/1/pulls?per_page=2&page=9>; rel="last", <https://docs.github.com/x>; rel="deprecation"';

    expect(clientLinks(link, ASKED, ROOTS)).toBe(
      `<${CLIENT}/repositories/1/pulls?per_page=2&page=2>; rel="next", <${CLIENT}/repositories/1/pulls?per_page=2&page=9>; rel="last", <https://docs.github.com/x>; rel="deprecation"`,
    );
    expect(clientLinks("<not a url>; rel=next, ;;;", ASKED, ROOTS)).toBe("<not a url>; rel=next, ;;;");
  });

  it("stay as they are for a client without a root of its own", () => {
    expect(clientLinks("<https://api.github.com/user?page=2>; rel=next", ASKED, [])).toBe(
      "<https://api.github.com/user?page=2>; rel=next",
    );
  });
});
