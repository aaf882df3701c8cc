import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TextResponse } from "../../src/pipeline/text-response.js";

const URL_OF_IT = "https://api.github.com/user";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An answer as `fetch` gives it: with an address, redirected, and of a type that a constructed one never has. */
function fetched(bytes: Uint8Array, status = 403): Response {
  const headers = { "content-type": "application/json; charset=utf-8", "x-github-request-id": "1:2" };
  const response = new Response(new Uint8Array(bytes), { status, statusText: "Forbidden", headers });
  return Object.defineProperties(response, {
    url: { value: URL_OF_IT },
    redirected: { value: true },
    type: { value: "basic" },
  });
}

/** The same answer, read. */
function read(bytes: Uint8Array): TextResponse {
  return new TextResponse(fetched(bytes), new TextDecoder().decode(bytes), { bytes });
}

/** The same answer, read from a `fetch` whose bodies are Node's streams. */
function nodeRead(bytes: Uint8Array): TextResponse {
  const bodyOf = (its: Uint8Array): unknown => Readable.from(Buffer.from(its));
  return new TextResponse(fetched(bytes), new TextDecoder().decode(bytes), { bytes, bodyOf });
}

function head({ status, statusText, ok, url, redirected, type, headers }: Response): unknown {
  return { status, statusText, ok, url, redirected, type, headers: [...headers] };
}

async function drained(body: ReadableStream<Uint8Array> | null): Promise<number[] | null> {
  return body === null ? null : [...new Uint8Array(await new Response(body).arrayBuffer())];
}

const READINGS: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => [...new Uint8Array(await response.arrayBuffer())],
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, [...new Uint8Array(await blob.arrayBuffer())]];
  },
  formData: (response) => response.formData(),
  body: (response) => drained(response.body),
  "a clone's text": async (response) => response.clone().text(),
};

const BODIES: Readonly<Record<string, Uint8Array>> = {
  JSON: utf8('{"message":"né 🚀","id":12345678901234567890}'),
  "an empty text": utf8(""),
  "a byte order mark": utf8('\uFEFF{"a":1}'),
  "no UTF-8": Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
};

/** What comes of a reading: the value, or the kind of error. */
async function resultOf(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    (value) => ({ value }),
    (error: Error) => ({ error: error.constructor.name, message: error.message }),
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(Object.entries(BODIES))("an answer that was read, of %s", (_what, bytes) => {
  it.each(Object.entries(READINGS))(
    "gives %s, and whatever is asked for then, as an unread one does",
    async (_, first) => {
      for (const second of Object.values(READINGS)) {
        const seen = [fetched(bytes), read(bytes), read(bytes).toResponse()].map(async (response) => [
          response.bodyUsed,
          await resultOf(first(response)),
          response.bodyUsed,
          await resultOf(second(response)),
          response.bodyUsed,
        ]);
        const [unread, duck, real] = await Promise.all(seen);
        expect(duck).toEqual(unread);
        expect(real).toEqual(unread);
      }
    },
  );

  it("gives its bytes, also where a Response cannot", async () => {
    expect([...(await read(bytes).bytes())]).toEqual([...bytes]);
  });
});

describe("an answer that was read", () => {
  const bytes = utf8('{"message":"no"}');

  it("has the head of the one that it came from, and so have its Response and all clones", () => {
    const expected = head(fetched(bytes));
    const answer = read(bytes);
    expect(head(answer)).toEqual(expected);
    expect(head(answer.toResponse())).toEqual(expected);
    expect(head(answer.clone().clone())).toEqual(expected);
  });

  it("becomes a real Response for callers of a bare fetch, one and the same", () => {
    const answer = read(bytes);
    expect(answer.toResponse()).toBeInstanceOf(Response);
    expect(answer.toResponse()).toBe(answer.toResponse());
  });

  it("has been read when its Response has been", async () => {
    const answer = read(bytes);
    await answer.toResponse().text();
    expect(answer.bodyUsed).toBe(true);
    await expect(answer.text()).rejects.toThrow(TypeError);
  });

  it("builds no Response for those who only want its text", async () => {
    const source = [fetched(bytes), fetched(bytes)];
    const built = vi.fn();
    vi.stubGlobal("Response", built);
    const [first, second] = source.map((response) => new TextResponse(response, '{"message":"no"}', { bytes }));
    expect(await first?.text()).toBe('{"message":"no"}');
    expect(await second?.json()).toEqual({ message: "no" });
    expect([first?.bodyUsed, first?.status, first?.headers.get("x-github-request-id")]).toEqual([true, 403, "1:2"]);
    expect(built).not.toHaveBeenCalled();
  });

  it("keeps a body of the kind that the caller's fetch gives", async () => {
    const answer = nodeRead(bytes);
    expect(answer.toResponse()).toBe(answer);
    const body = answer.body as unknown as Readable;
    expect(answer.body).toBe(body);
    expect(Buffer.concat(await body.toArray()).toString()).toBe('{"message":"no"}');
  });
});

describe("an answer with another text", () => {
  const bytes = utf8('\uFEFF{"data":{"a":1,"cost":{}}}');
  const text = '{"data":{"a":1}}';
  const unread = (): Response => fetched(utf8(text));

  it.each(Object.entries(READINGS))("gives that text by %s, and as an unread one does thereafter", async (_, first) => {
    for (const second of Object.values(READINGS)) {
      const edited = [read(bytes).withText(text), read(bytes).withText(text).toResponse(), unread()];
      const [duck, real, expected] = await Promise.all(
        edited.map(async (response) => [await resultOf(first(response)), await resultOf(second(response))]),
      );
      expect(duck).toEqual(expected);
      expect(real).toEqual(expected);
    }
  });

  it("has the head of the one that it came from, and so have its Response and all clones", () => {
    const source = read(bytes);
    const edited = source.withText(text);
    expect(edited.headers).toBe(source.headers);
    for (const answer of [edited, edited.toResponse(), edited.clone(), edited.withText("")])
      expect(head(answer)).toEqual(head(source));
  });

  it("can be read although the one that it came from has been, and the other way about", async () => {
    const source = read(bytes);
    await source.text();
    const edited = source.withText(text);
    expect([edited.bodyUsed, await edited.text(), edited.bodyUsed]).toEqual([false, text, true]);
    expect(await edited.withText("again").text()).toBe("again");
  });

  it("keeps a body of the kind that the caller's fetch gives", async () => {
    const edited = nodeRead(bytes).withText(text).withText("né");
    expect(edited.toResponse()).toBe(edited);
    expect(Buffer.concat(await (edited.body as unknown as Readable).toArray()).toString()).toBe("né");
    expect(await edited.clone().text()).toBe("né");
    expect(await edited.text()).toBe("né");
  });

  it("says its own length in bytes where a length is said, and leaves the headers that came alone", async () => {
    const given = new Headers({ "content-length": String(bytes.byteLength), etag: '"1"' });
    given.append("set-cookie", "a=1");
    given.append("set-cookie", "b=2");
    const source = new TextResponse(new Response(bytes.slice(), { headers: given }), "", { bytes });
    const edited = source.withText('{"né":"🚀"}');
    const length = utf8('{"né":"🚀"}').byteLength;
    for (const answer of [edited, edited.toResponse(), edited.clone()]) {
      expect(answer.headers.get("content-length")).toBe(String(length));
      expect(answer.headers.get("etag")).toBe('"1"');
      expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect((await answer.clone().arrayBuffer()).byteLength).toBe(length);
    }
    expect(edited.withText("").headers.get("content-length")).toBe("0");
    expect(source.headers.get("content-length")).toBe(String(bytes.byteLength));
  });

  it("says the compressed length as it came: whoever compares it has unpacked the body", () => {
    const headers = { "content-length": "20", "content-encoding": "gzip" };
    const source = new TextResponse(new Response(bytes.slice(), { headers }), "", { bytes });
    expect(source.withText(text).headers).toBe(source.headers);
  });
});
