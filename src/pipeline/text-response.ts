import { rebuiltResponse } from "../cache/rebuilt-response.js";

/** What an answer's text does not tell, or not as cheaply. */
export interface TextResponseParts {
  /** The body itself, where it was read as bytes: a text lacks the byte order mark, and what was no UTF-8. */
  readonly bytes?: Uint8Array | undefined;
  /** Makes a body of these bytes, where it was no web stream. */
  readonly bodyOf?: ((bytes: Uint8Array) => unknown) | undefined;
  /** In place of the headers that it came with. */
  readonly headers?: Headers | undefined;
}

/**
 * An answer whose text was read, for somebody else to read as if it had not been. `text()` and `json()` cost nothing, and
 * all else that a `Response` can do is done by one built at need: a real one costs as much as the rest of a call.
 */
export class TextResponse implements Response {
  readonly #source: Response;
  readonly #text: string;
  readonly #parts: TextResponseParts;
  #isRead = false;
  #built: Response | undefined;
  #body: Response["body"] | undefined;

  /** The answer `source` with this text, as `Response.text()` would give it, in place of its body. */
  constructor(source: Response, text: string, parts: TextResponseParts = {}) {
    this.#source = source;
    this.#text = text;
    this.#parts = parts;
  }

  /**
   * The same answer, unread, with another text as its body. Where the headers say how long the body is, they say how long
   * this one is, in a copy of them; not where the length is that of a compressed body, which the text never had.
   */
  withText(text: string): TextResponse {
    const { bodyOf } = this.#parts;
    if (!this.headers.has("content-length") || this.headers.has("content-encoding")) {
      return new TextResponse(this.#source, text, { bodyOf, headers: this.#parts.headers });
    }
    const bytes = new TextEncoder().encode(text);
    const headers = new Headers(this.headers);
    headers.set("content-length", String(bytes.byteLength));
    return new TextResponse(this.#source, text, { bytes, bodyOf, headers });
  }

  get status(): number {
    return this.#source.status;
  }

  get statusText(): string {
    return this.#source.statusText;
  }

  get ok(): boolean {
    return this.#source.ok;
  }

  get url(): string {
    return this.#source.url;
  }

  get redirected(): boolean {
    return this.#source.redirected;
  }

  get type(): ResponseType {
    return this.#source.type;
  }

  get headers(): Headers {
    return this.#parts.headers ?? this.#source.headers;
  }

  get body(): Response["body"] {
    const { bodyOf } = this.#parts;
    if (bodyOf === undefined) return this.#whole().body;
    this.#body ??= bodyOf(this.#bytes()) as Response["body"];
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#built?.bodyUsed ?? this.#isRead;
  }

  async text(): Promise<string> {
    return this.#readsFirst() ? this.#text : this.#whole().text();
  }

  async json(): Promise<unknown> {
    return this.#readsFirst() ? JSON.parse(this.#text) : this.#whole().json();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole().arrayBuffer();
  }

  /** Not every `Response` has it yet. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(this.#readsFirst() ? this.#bytes() : await this.#whole().arrayBuffer());
  }

  async blob(): Promise<Blob> {
    return this.#whole().blob();
  }

  async formData(): Promise<FormData> {
    return this.#whole().formData();
  }

  clone(): Response {
    return this.#whole().clone();
  }

  /**
   * The same as a real `Response`, for callers of a bare `fetch`; the two share their body. Where the body was no web
   * stream, the caller has a `fetch` of another kind, and gets this object, whose body is of that kind too.
   */
  toResponse(): Response {
    return this.#parts.bodyOf === undefined ? this.#whole() : this;
  }

  /** Whether nobody has read it yet: a body can be read once. */
  #readsFirst(): boolean {
    if (this.#isRead || this.#built !== undefined) return false;
    this.#isRead = true;
    return true;
  }

  #bytes(): Uint8Array {
    return this.#parts.bytes ?? new TextEncoder().encode(this.#text);
  }

  #whole(): Response {
    if (this.#built === undefined) {
      this.#built = rebuiltResponse(this, this.#bytes());
      // What was read is read for the built one too, which then refuses in its own words.
      if (this.#isRead) void this.#built.text();
    }
    return this.#built;
  }
}
