import { headersOf, type StoredAnswer } from "../cache/answer.js";

/**
 * A stored answer in the shape that `@octokit/request` reads: status, statusText, url, headers that iterate and have
 * `get`, text(), arrayBuffer() and body. A real `Response` costs as much as the rest of the call, and has no address.
 */
export class StoredResponse {
  readonly status = 200;
  readonly statusText = "OK";
  readonly ok = true;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: ReadonlyMap<string, string>;
  readonly #body: string;

  constructor(answer: StoredAnswer) {
    this.url = answer.url;
    this.redirected = answer.redirected;
    this.headers = headersOf(answer);
    this.#body = answer.variant.body;
  }

  /** Each reader gets a text of its own to parse, so that what one does to the result is not seen by another. */
  async text(): Promise<string> {
    return this.#body.charCodeAt(0) === 0xfeff ? this.#body.slice(1) : this.#body;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new TextEncoder().encode(this.#body).buffer as ArrayBuffer;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return new Response(this.#body).body;
  }
}

/** A stored answer as a real `Response`, for callers of a bare `fetch`. */
export function toResponse(answer: StoredAnswer): Response {
  const headers = new Headers([...headersOf(answer)]);
  const response = new Response(answer.variant.body, { status: 200, statusText: "OK", headers });
  // A constructed Response has an empty address, and pagination needs it.
  return Object.defineProperties(response, { url: { value: answer.url }, redirected: { value: answer.redirected } });
}
