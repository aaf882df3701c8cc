import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AddressRoot, addressRoots } from "../../../src/proxy/addresses/address-root.js";
import { clientJsonStream } from "../../../src/proxy/addresses/json-address-stream.js";
import { clientJson, createJsonAddresses } from "../../../src/proxy/addresses/json-addresses.js";

const GITHUB = "https://api.github.com";
const CLIENT = "http://127.0.0.1:4100/SECRET/rooted";
const ROOTS = addressRoots([GITHUB, "http://127.0.0.1:9999"], CLIENT);
const BACK: readonly AddressRoot[] = [{ github: CLIENT, client: GITHUB }];

describe("addresses in JSON", () => {
  it.each([
    ["an address", `{"url":"${GITHUB}/user"}`, `{"url":"${CLIENT}/user"}`],
    ["one spaced out", `{ "comments_url" :\n\t"${GITHUB}/user" }`, `{ "comments_url" :\n\t"${CLIENT}/user" }`],
    ["a template", `{"trees_url":"${GITHUB}/t{/sha}"}`, `{"trees_url":"${CLIENT}/t{/sha}"}`],
    ["a template of the root", `{"a_url":"${GITHUB}{?q}"}`, `{"a_url":"${CLIENT}{?q}"}`],
    ["the root alone", `{"url":"${GITHUB}"}`, `{"url":"${CLIENT}"}`],
    ["links", `{"self":"${GITHUB}/a","git":"${GITHUB}/b"}`, `{"self":"${CLIENT}/a","git":"${CLIENT}/b"}`],
    ["a link", `{"self":{"href":"${GITHUB}/a"}}`, `{"self":{"href":"${CLIENT}/a"}}`],
    ["the name of a stand-in", '{"url":"http://127.0.0.1:9999/a"}', `{"url":"${CLIENT}/a"}`],
    [
      "escaped slashes",
      '{"url":"https:\\/\\/api.github.com\\/user"}',
      '{"url":"http:\\/\\/127.0.0.1:4100\\/SECRET\\/rooted\\/user"}',
    ],
  ])("are rewritten: %s", (_, text, expected) => {
    expect(clientJson(text, ROOTS)).toBe(expected);
    expect(cutAtEachPlace(text)).toEqual([expected]);
  });

  it.each([
    ["what people wrote", `{"body":"${GITHUB}/user","title":"${GITHUB}/user","description":"${GITHUB}"}`],
    ["pages for people", '{"html_url":"http://127.0.0.1:9999/o/r","html":"http://127.0.0.1:9999/o/r"}'],
    ["an address in prose", `{"url":"see ${GITHUB}/user"}`],
    ["JSON in a string", JSON.stringify({ body: JSON.stringify({ url: `${GITHUB}/user` }) })],
    ["a name that ends with an escaped quotation mark", `{"a\\"url":"${GITHUB}/user"}`],
    ["another host", `{"url":"${GITHUB}pany/user"}`],
    ["another port", `{"url":"${GITHUB}:8443/user"}`],
    ["elements", `["${GITHUB}/user"]`],
    ["a value that looks like a name", `["url","${GITHUB}/user"]`],
    ["no JSON", `<a href="${GITHUB}/user">url</a>`],
  ])("are left alone in %s", (_, text) => {
    expect(clientJson(text, ROOTS)).toBe(text);
    expect(cutAtEachPlace(text)).toEqual([text]);
  });

  it("says without delay what cannot become an address", () => {
    const addresses = createJsonAddresses(ROOTS);
    expect(addresses.write('{"id":1,"name":"x"}\n')).toBe('{"id":1,"name":"x"}\n');
    expect(addresses.write('{"url":"https://api.git')).toBe("{");
    expect(addresses.write('lab.com/","more":[1')).toBe('"url":"https://api.gitlab.com/","more":[1');
    expect(addresses.end()).toBe("");
  });

  it("keeps little back, whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fragment), (pieces) => {
        const addresses = createJsonAddresses(ROOTS);
        let kept = 0;
        for (const piece of pieces) {
          // Rewriting makes a text longer, never shorter, so this is no less than what is kept.
          kept = Math.max(0, kept + piece.length - addresses.write(piece).length);
          expect(kept).toBeLessThan(400);
        }
      }),
    );
  });

  it("come out the same however the text is cut, byte by byte too", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (whole, sizes) => {
        const bytes = Buffer.from(whole);
        const out: Uint8Array[] = [];
        for await (const piece of clientJsonStream(cut(bytes, sizes), ROOTS)) out.push(piece);
        expect(Buffer.concat(out).toString()).toBe(clientJson(bytes.toString(), ROOTS));
      }),
      { numRuns: 500 },
    );
  });

  it("can be put back: nothing else was touched", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const roots = addressRoots([GITHUB], CLIENT);
        expect(clientJson(clientJson(whole, roots), BACK)).toBe(whole);
      }),
      { numRuns: 500 },
    );
  });

  it("means in every value what it meant, with the client's root", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.webPath(), (value, path) => {
        const document = { value, url: `${GITHUB}${path}`, nested: [{ issue_url: `${GITHUB}${path}` }, value] };
        expect(JSON.parse(clientJson(JSON.stringify(document, null, 2), ROOTS))).toEqual(
          JSON.parse(
            JSON.stringify({ value, url: `${CLIENT}${path}`, nested: [{ issue_url: `${CLIENT}${path}` }, value] }),
          ),
        );
      }),
    );
  });

  it("leaves any bytes alone that hold no root", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 }), async (bytes, size) => {
        const out: Uint8Array[] = [];
        for await (const piece of clientJsonStream(cut(bytes, [size]), ROOTS)) out.push(piece);
        expect(Buffer.concat(out)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("ends its source when whoever reads leaves early", async () => {
    let hasEnded = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("[1]");
      } finally {
        hasEnded = true;
      }
    }
    for await (const _ of clientJsonStream(source(), ROOTS)) break;
    expect(hasEnded).toBe(true);
  });
});

/** Pieces of which addresses are made, and of what is nearly one. */
const fragment = fc.constantFrom(
  ...['"url"', '"html_url"', '"a_url":', '"href" : ', ":", '"', "\\", "\\\\", " ", "{", "}", ",", "é", "𝒢", "url"],
  ...[
    GITHUB,
    `"${GITHUB}/user"`,
    `"${GITHUB}`,
    "/x",
    "\\/",
    "https:",
    "//api.github.com",
    '"https:\\/\\/api.github.com',
  ],
);
const text = fc.array(fragment, { maxLength: 30 }).map((pieces) => pieces.join(""));

/** What comes out of the text in two pieces, wherever it is cut; each result once. */
function cutAtEachPlace(whole: string): readonly string[] {
  const results = Array.from(whole, (_, at) => {
    const addresses = createJsonAddresses(ROOTS);
    return addresses.write(whole.slice(0, at)) + addresses.write(whole.slice(at)) + addresses.end();
  });
  return [...new Set(results)];
}

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
