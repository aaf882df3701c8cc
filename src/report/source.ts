/**
 * Where a trace comes from:
 * - `files`: paths of JSONL files; a folder stands for all `*.jsonl` in it, and a file is read with those that it was
 *   rotated to (`trace.1.jsonl`, `trace.2.jsonl`, …). `onRead` is told of each piece how many bytes it had, for whoever
 *   shows how far it is;
 * - `stream`: text or bytes in pieces of any size, such as `process.stdin`;
 * - `records`: lines of text, or records such as a `trace: (record) => …` was given.
 */
export type TraceSource =
  | { readonly files: readonly string[]; readonly onRead?: (bytes: number) => void }
  | { readonly stream: AsyncIterable<Uint8Array | string> }
  | { readonly records: Iterable<unknown> | AsyncIterable<unknown> };
