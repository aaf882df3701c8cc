import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { TraceSource } from "../source.js";
import { Feed, type Pull, type Take } from "./feed.js";
import { Translator } from "./parse-line.js";
import { LineSplitter } from "./split-lines.js";
import { traceFiles } from "./trace-files.js";

/** Bytes of a file that are read at a time, and of its beginning to see when it begins. */
const CHUNK_BYTES = 65_536;

/** A file is opened when the others have come this near to its first record: some stand before their time. */
const OPEN_AHEAD_MS = 3_600_000;

/** A file's own part of the buffer, however many files there are. */
const MIN_CAPACITY = 256;

/** Records that are looked at together when they come from memory. */
const RECORDS_AT_ONCE = 1_000;

/** How a trace is read. */
export interface ReadOptions {
  readonly reorderRecords: number;
  readonly maxLineBytes: number;
}

/** The sources of a trace, each with its part of the reorder buffer. Throws what the file system throws. */
export function openFeeds(source: TraceSource, translator: Translator, options: ReadOptions): readonly Feed[] {
  if ("files" in source) {
    const { onRead } = source;
    const files = traceFiles(source.files);
    const capacity = Math.max(MIN_CAPACITY, Math.floor(options.reorderRecords / Math.max(1, files.length)));
    return files.map((path) => {
      const open = (take: Take): Pull => pullLines(pieces(path, onRead), basename(path), translator, options, take);
      return new Feed(capacity, beginningOf(path, options) - OPEN_AHEAD_MS, open);
    });
  }
  const open = (take: Take): Pull =>
    "stream" in source
      ? pullLines(source.stream, "stream", translator, options, take)
      : pullRecords(source.records, translator, take);
  return [new Feed(options.reorderRecords, Number.NEGATIVE_INFINITY, open)];
}

function pieces(path: string, onRead: ((bytes: number) => void) | undefined): AsyncIterable<Uint8Array> {
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  return onRead === undefined ? stream : told(stream, onRead);
}

async function* told(stream: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): AsyncIterable<Uint8Array> {
  for await (const piece of stream) {
    onRead(piece.length);
    yield piece;
  }
}

function pullLines(
  chunks: AsyncIterable<Uint8Array | string>,
  source: string,
  translator: Translator,
  { maxLineBytes }: ReadOptions,
  take: Take,
): Pull {
  const iterator = chunks[Symbol.asyncIterator]();
  const splitter = new LineSplitter(
    maxLineBytes,
    (text, line) => take(translator.line(text, { source, line })),
    (line) => translator.tooLong({ source, line }),
  );
  return async () => {
    const { done, value } = await iterator.next();
    if (done === true) splitter.end();
    else splitter.push(value);
    return done !== true;
  };
}

function pullRecords(records: Iterable<unknown> | AsyncIterable<unknown>, translator: Translator, take: Take): Pull {
  const isAsync = Symbol.asyncIterator in records;
  const iterator = isAsync ? records[Symbol.asyncIterator]() : records[Symbol.iterator]();
  let line = 0;
  return async () => {
    for (let count = 0; count < RECORDS_AT_ONCE; count++) {
      const next = iterator.next();
      // By what it says of itself: a promise may be of another realm. To wait for what is there takes long.
      const { done, value } = isAsync ? await next : (next as IteratorResult<unknown>);
      if (done === true) return false;
      const place = { source: "records", line: ++line };
      take(typeof value === "string" ? translator.line(value, place) : translator.record(value, place));
    }
    return true;
  };
}

/** When a file's first record began; if that cannot be told, it is read from the start. */
function beginningOf(path: string, { maxLineBytes }: ReadOptions): number {
  // What is read from a pipe is gone.
  if (!statSync(path).isFile()) return Number.NEGATIVE_INFINITY;
  const head = Buffer.alloc(CHUNK_BYTES);
  const file = openSync(path, "r");
  let length: number;
  try {
    length = readSync(file, head, 0, CHUNK_BYTES, 0);
  } finally {
    closeSync(file);
  }
  let at: number | undefined;
  const translator = new Translator();
  const splitter = new LineSplitter(
    maxLineBytes,
    (text, line) => {
      at ??= translator.line(text, { source: path, line })?.at;
    },
    () => undefined,
  );
  splitter.push(head.subarray(0, length));
  return at ?? Number.NEGATIVE_INFINITY;
}
