import fc from "fast-check";
import { expect, it } from "vitest";
import { addressRoots } from "../../../src/proxy/addresses/address-root.js";
import { clientJson } from "../../../src/proxy/addresses/json-addresses.js";
import { githubText } from "../../../src/proxy/addresses/request-text.js";

const GITHUB = "https://api.github.com";
const BASE = "http://127.0.0.1:4100/SECRET";
const ROOTED = addressRoots([GITHUB, "http://127.0.0.1:9999"], `${BASE}/rooted`);
const ROOTS = [...addressRoots([GITHUB], BASE), ...ROOTED];

it("names GitHub's addresses in what is sent, also in prose and with escaped slashes", () => {
  expect(githubText(`{"body":"see ${BASE}/rooted/repos/o/r/issues/1 and ${BASE}/user."}`, ROOTS)).toBe(
    `{"body":"see ${GITHUB}/repos/o/r/issues/1 and ${GITHUB}/user."}`,
  );
  expect(githubText('{"url":"http:\\/\\/127.0.0.1:4100\\/SECRET\\/rooted\\/user"}', ROOTS)).toBe(
    '{"url":"https:\\/\\/api.github.com\\/user"}',
  );
});

it("names GitHub's addresses in queries and forms", () => {
  expect(githubText(`/search?q=${encodeURIComponent(`${BASE}/rooted/user`)}&at=${BASE}/user`, ROOTS)).toBe(
    `/search?q=${encodeURIComponent(`${GITHUB}/user`)}&at=${GITHUB}/user`,
  );
});

it("never lets the secret out with an address, and gives back what an answer said", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.webPath(), (value, path) => {
      const answer = JSON.stringify({ url: `${GITHUB}${path}`, value });
      const sent = githubText(clientJson(answer, ROOTED), ROOTS);
      expect(sent).toBe(answer);
      expect(sent).not.toContain("SECRET");
    }),
  );
});

it("leaves everything else alone", () => {
  const text = '{"body":"http://127.0.0.1:4100/OTHER/user and $& $1"}';
  expect(githubText(text, ROOTS)).toBe(text);
});
