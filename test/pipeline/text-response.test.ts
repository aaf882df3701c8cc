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
  return new TextResponse(fetched(bytes), new TextDecoder().decode(bytes), bytes);
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
    const [first, second] = source.map((response) => new TextResponse(response, '{"message":"no"}', bytes));
    expect(await first?.text()).toBe('{"message":"no"}');
    expect(await second?.json()).toEqual({ message: "no" });
    expect([first?.bodyUsed, first?.status, first?.headers.get("x-github-request-id")]).toEqual([true, 403, "1:2"]);
    expect(built).not.toHaveBeenCalled();
  });

  it("may have another text than the answer that it came from", async () => {
    const edited = () => new TextResponse(read(bytes), '{"message":"né"}');
    expect(await edited().text()).toBe('{"message":"né"}');
    expect(await edited().toResponse().text()).toBe('{"message":"né"}');
    expect(new Uint8Array(await edited().arrayBuffer())).toEqual(utf8('{"message":"né"}'));
    expect(head(edited())).toEqual(head(fetched(bytes)));
  });

  it("keeps a body of the kind that the caller's fetch gives", async () => {
    const answer = new TextResponse(fetched(bytes), '{"message":"no"}', bytes, () => Readable.from(Buffer.from(bytes)));
    expect(answer.toResponse()).toBe(answer);
    const body = answer.body as unknown as Readable;
    expect(answer.body).toBe(body);
    expect(Buffer.concat(await body.toArray()).toString()).toBe('{"message":"no"}');
  });
});
