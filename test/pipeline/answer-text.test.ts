import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText } from "../../src/pipeline/answer-text.js";
import { TextResponse } from "../../src/pipeline/text-response.js";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Arrival {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How it ends after the last chunk; by default as it should. */
  readonly fails?: Error;
  readonly signal?: AbortSignal;
  /** Told what happens to the body. */
  readonly log?: unknown[];
}

/** An answer whose body arrives in these chunks, each when it is asked for. */
function arriving(chunks: readonly unknown[], { status = 200, headers, fails, signal, log }: Arrival = {}): Response {
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      },
      pull(controller) {
        const chunk = left.shift();
        log?.push("pull");
        if (chunk !== undefined) controller.enqueue(chunk as Uint8Array);
        else if (fails !== undefined) controller.error(fails);
        else if (signal === undefined) controller.close();
      },
      cancel: (reason) => void log?.push(reason),
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
  return Object.defineProperties(response, { url: { value: "https://api.github.com/x" }, redirected: { value: true } });
}

const BOM = [0xef, 0xbb, 0xbf];

/** Any body in any chunks; but Node takes off two byte order marks where there should be one (the standard says one). */
function anyChunks(): fc.Arbitrary<Uint8Array[]> {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: "binary", maxLength: 20 }).map(utf8),
    fc.constant(Uint8Array.from(BOM)),
  );
  const twice = [...BOM, ...BOM].join();
  return fc.array(chunk, { maxLength: 6 }).filter((chunks) => !joined(chunks).join().startsWith(twice));
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
}

describe("reading an answer's text", () => {
  it("gives the text, and an answer that can still be read", async () => {
    const { text, response } = await readText(arriving([utf8('{"mess'), utf8('age":"no"}')], { status: 403 }), 100);
    expect(text).toBe('{"message":"no"}');
    expect(response).toBeInstanceOf(TextResponse);
    expect([response.status, response.url, response.redirected, response.bodyUsed]).toEqual([
      403,
      "https://api.github.com/x",
      true,
      false,
    ]);
    expect(await response.text()).toBe('{"message":"no"}');
  });

  it("changes nothing for who reads the answer, whatever its bytes, chunks and length", async () => {
    const how = fc.constantFrom("text", "arrayBuffer", "json", "body");
    await fc.assert(
      fc.asyncProperty(anyChunks(), fc.nat(200), how, async (parts, maxBytes, reading) => {
        const readings = [arriving(parts), (await readText(arriving(parts), maxBytes)).response].map((response) =>
          (reading === "body" ? new Response(response.body).arrayBuffer() : response[reading as "text"]()).catch(
            (error: Error) => error.message,
          ),
        );
        const [expected, seen] = await Promise.all(readings);
        expect(seen).toEqual(expected);
      }),
    );
  });

  it("gives the text that the caller will read, or the beginning of it", async () => {
    await fc.assert(
      fc.asyncProperty(anyChunks(), fc.nat(200), async (parts, maxBytes) => {
        const { text = "", response } = await readText(arriving(parts), maxBytes);
        const isWhole = joined(parts).byteLength <= maxBytes;
        expect(response instanceof TextResponse).toBe(isWhole);
        const whole = await response.text();
        if (isWhole) expect(text).toBe(whole);
        expect(whole.startsWith(text)).toBe(true);
        // Left out are a byte order mark and less than one character.
        expect(utf8(text).byteLength).toBeGreaterThanOrEqual(Math.min(maxBytes, joined(parts).byteLength) - 6);
      }),
    );
  });

  it("reads a body that is as long as allowed, and only begins a longer one", async () => {
    expect((await readText(arriving([utf8("12345")]), 5)).response).toBeInstanceOf(TextResponse);
    expect(await readText(arriving([utf8("1234567890")]), 5)).toMatchObject({ text: "12345" });
  });

  it("leaves out the character that the bound cuts in two", async () => {
    expect((await readText(arriving([utf8("ab"), utf8("é")]), 3)).text).toBe("ab");
  });

  it("streams on where it stopped, no faster than the reader, and lets go when the reader does", async () => {
    const log: unknown[] = [];
    const chunks = Array.from({ length: 10 }, (_, index) => utf8(`${index}234567890`));
    const { response } = await readText(arriving(chunks, { log }), 15);
    expect(log).toEqual(["pull", "pull"]);
    const reader = response.body?.getReader();
    for (let index = 0; index < 3; index++) {
      expect(await reader?.read()).toEqual({ done: false, value: utf8(`${index}234567890`) });
    }
    await reader?.cancel("enough");
    expect(log.filter((entry) => entry === "pull").length).toBeLessThanOrEqual(4);
    expect(log.at(-1)).toBe("enough");
  });

  it("does not touch a body that is promised to be longer", async () => {
    const log: unknown[] = [];
    const given = arriving([utf8("x".repeat(101))], { headers: { "content-length": "101" }, log });
    const { text, response } = await readText(given, 100);
    expect([text, response, log]).toEqual([undefined, given, []]);
    for (const length of ["100", "unknown", ""]) {
      const answer = arriving([utf8("{}")], { headers: { "content-length": length } });
      expect((await readText(answer, 100)).text).toBe("{}");
    }
  });

  it("leaves an answer without a body, or whose body somebody has taken, as it is", async () => {
    const read = arriving([utf8("{}")]);
    await read.text();
    const taken = arriving([utf8("{}")]);
    taken.body?.getReader();
    for (const given of [new Response(null, { status: 403 }), new Response(null, { status: 204 }), read, taken]) {
      const { text, response } = await readText(given, 100);
      expect([text, response === given]).toEqual([undefined, true]);
    }
  });

  it("reads an empty body as an empty text", async () => {
    expect((await readText(arriving([]), 100)).text).toBe("");
    expect((await readText(new Response("", { status: 429 }), 100)).text).toBe("");
  });
});

describe("a body that is cut off on its way", () => {
  const fails = new TypeError("terminated");

  it("has no text, and fails when the caller reads it", async () => {
    for (const chunks of [[], [utf8('{"data":')]]) {
      const { text, response } = await readText(arriving(chunks, { fails }), 100);
      expect([text, response.status, response.url]).toEqual([undefined, 200, "https://api.github.com/x"]);
      await expect(response.text()).rejects.toBe(fails);
    }
  });

  it("first yields what had come", async () => {
    const { response } = await readText(arriving([utf8("12"), utf8("34")], { fails }), 100);
    const reader = response.body?.getReader();
    expect([await reader?.read(), await reader?.read()]).toEqual([
      { done: false, value: utf8("12") },
      { done: false, value: utf8("34") },
    ]);
    await expect(reader?.read()).rejects.toBe(fails);
  });

  it("fails behind the bound for the caller alone", async () => {
    const { text, response } = await readText(arriving([utf8("123456")], { fails }), 5);
    expect(text).toBe("12345");
    await expect(response.text()).rejects.toBe(fails);
  });

  it("by the caller's own abort fails with its reason", async () => {
    const controller = new AbortController();
    const reading = readText(arriving([utf8("12")], { signal: controller.signal }), 100);
    controller.abort(new Error("changed my mind"));
    const { text, response } = await reading;
    expect(text).toBeUndefined();
    await expect(response.text()).rejects.toThrow("changed my mind");
  });
});

/** What node-fetch answers with, as far as people use it: the body is a Node stream that can be read once. */
class NodeFetchResponse {
  readonly status = 403;
  readonly statusText = "Forbidden";
  readonly ok = false;
  readonly url = "https://api.github.com/x";
  readonly redirected = false;
  readonly type = "default";
  readonly headers = new Headers({ "content-type": "application/json" });
  readonly body: Readable;
  bodyUsed = false;

  constructor(body: Readable) {
    this.body = body;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.bodyUsed) throw new TypeError("body used already for: https://api.github.com/x");
    this.bodyUsed = true;
    return new Uint8Array(Buffer.concat(await this.body.toArray())).buffer;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }
}

const asResponse = (double: unknown): Response => double as Response;

describe("a body that is no web stream", () => {
  const bytes = Uint8Array.of(...utf8('{"message":"né"}'), 0xff);
  const inNode = (): Response => asResponse(new NodeFetchResponse(Readable.from([Buffer.from(bytes)])));

  it("is read if it is Node's, and stays one, every byte of it", async () => {
    const { text, response } = await readText(inNode(), 100);
    expect(text).toBe('{"message":"né"}\uFFFD');
    expect([response.status, response.statusText, response.url]).toEqual([
      403,
      "Forbidden",
      "https://api.github.com/x",
    ]);
    expect(Buffer.concat(await (response.body as unknown as Readable).toArray())).toEqual(Buffer.from(bytes));
    expect(await response.text()).toBe(text);
    expect(new Uint8Array(await (await readText(inNode(), 100)).response.arrayBuffer())).toEqual(bytes);
  });

  it("fails for the caller, if it is Node's and was cut off", async () => {
    const body = new PassThrough();
    const reading = readText(asResponse(new NodeFetchResponse(body)), 100);
    body.destroy(new Error("Premature close"));
    const { text, response } = await reading;
    expect([text, response.status, response.url]).toEqual([undefined, 403, "https://api.github.com/x"]);
    await expect(response.text()).rejects.toThrow("Premature close");
  });

  it("is read by text() where a double has no more than that", async () => {
    const given = {
      status: 429,
      url: "",
      headers: new Map([["content-type", "text/html"]]),
      text: async () => "<p>né",
    };
    const { text, response } = await readText(asResponse(given), 100);
    expect([text, response.status, response.url]).toEqual(["<p>né", 429, ""]);
    expect([response.headers, await response.text()]).toEqual([given.headers, "<p>né"]);
    expect(new Uint8Array(await (await readText(asResponse(given), 100)).response.arrayBuffer())).toEqual(
      utf8("<p>né"),
    );
  });

  it("fails for the caller where a double's text() does", async () => {
    const text = (): Promise<string> => Promise.reject(new Error("no text today"));
    const read = await readText(asResponse({ status: 403, headers: new Map(), text }), 100);
    expect(read.text).toBeUndefined();
    await expect(read.response.text()).rejects.toThrow("no text today");
  });

  it("is let alone where a double has no text, or a status that has no body", async () => {
    const noText = { status: 403, headers: new Map() };
    const noBody = { status: 204, headers: new Map(), text: async () => "" };
    for (const given of [noText, noBody]) {
      expect(await readText(asResponse(given), 100)).toEqual({ text: undefined, response: given });
    }
  });

  it("or does not consist of bytes fails as it would have", async () => {
    const expected = await arriving(["text"])
      .text()
      .catch((error: Error) => error.message);
    const { text, response } = await readText(arriving(["text"]), 100);
    expect(text).toBeUndefined();
    await expect(response.text()).rejects.toThrow(String(expected));
  });
});
