import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadBody, readBody } from "../../src/cache/read-body.js";

/** A response that arrives in these chunks. */
function inChunks(
  chunks: readonly Uint8Array[],
  more?: { cancelled?: (reason: unknown) => void; fails?: Error },
): Response {
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (more?.fails !== undefined) controller.error(more.fails);
        else controller.close();
      },
      cancel: (reason) => more?.cancelled?.(reason),
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { status: 200, statusText: "OK", headers: { "content-type": "text/plain" } });
  return Object.defineProperties(response, { url: { value: "https://api.github.com/x" }, redirected: { value: true } });
}

async function bytesOf(read: ReadBody): Promise<Uint8Array> {
  return read.kind === "text" ? utf8(read.text) : new Uint8Array(await read.response.arrayBuffer());
}

function joined(chunks: readonly Uint8Array[]): number[] {
  return chunks.flatMap((chunk) => [...chunk]);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("readBody", () => {
  it("reads a text in any number of chunks, a character cut in two included", async () => {
    const bytes = utf8("né 🚀");
    const read = await readBody(inChunks([...bytes].map((byte) => Uint8Array.of(byte))), 100);
    expect(read).toEqual({ kind: "text", text: "né 🚀", byteLength: bytes.length });
  });

  it("keeps a byte order mark, which is part of what is hashed", async () => {
    const read = await readBody(inChunks([utf8("\uFEFF{}")]), 100);
    expect(read).toMatchObject({ kind: "text", text: "\uFEFF{}" });
  });

  it("reads no body as an empty one", async () => {
    expect(await readBody(new Response(null), 100)).toMatchObject({ kind: "text", text: "" });
    expect(await readBody(inChunks([]), 100)).toMatchObject({ kind: "text", text: "" });
  });

  it("takes a body of exactly the bound, and lets one of a byte more through", async () => {
    expect((await readBody(inChunks([utf8("12345")]), 5)).kind).toBe("text");
    expect((await readBody(inChunks([utf8("123456")]), 5)).kind).toBe("unfit");
  });

  it("keeps every byte, whatever the chunks, the bound and the content", async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 0, max: 300 }), async (parts, maxBytes) => {
        const read = await readBody(inChunks(parts), maxBytes);
        expect([...(await bytesOf(read))]).toEqual(joined(parts));
        if (read.kind === "text") {
          expect(read.byteLength).toBe(joined(parts).length);
          expect(read.byteLength).toBeLessThanOrEqual(maxBytes);
          expect([...utf8(read.text)]).toEqual(joined(parts));
        }
      }),
    );
  });

  it("hands on status, headers and address of what it could not keep", async () => {
    const read = await readBody(inChunks([Uint8Array.of(0xff)]), 100);
    if (read.kind !== "unfit") throw new Error("kept");
    const { status, statusText, headers, url, redirected } = read.response;
    expect([status, statusText, headers.get("content-type")]).toEqual([200, "OK", "text/plain"]);
    expect([url, redirected]).toEqual(["https://api.github.com/x", true]);
  });

  it("does not read ahead of the reader of a long body, and lets go of it when the reader does", async () => {
    const reasons: unknown[] = [];
    const chunks = Array.from({ length: 100 }, () => utf8("0123456789"));
    const response = inChunks(chunks, { cancelled: (reason) => reasons.push(reason) });
    const read = await readBody(response, 15);
    if (read.kind !== "unfit") throw new Error("kept");
    const reader = read.response.body?.getReader();
    expect(await reader?.read()).toEqual({ done: false, value: utf8("0123456789") });
    await reader?.cancel("enough");
    expect(reasons).toEqual(["enough"]);
  });

  it("passes on that a body broke off, before or after the bound", async () => {
    const fails = new Error("terminated");
    await expect(readBody(inChunks([utf8("12")], { fails }), 5)).rejects.toBe(fails);
    const read = await readBody(inChunks([utf8("123456")], { fails }), 5);
    if (read.kind !== "unfit") throw new Error("kept");
    await expect(read.response.text()).rejects.toBe(fails);
  });
});
