import { rebuiltResponse } from "../cache/rebuilt-response.js";

/**
 * An answer whose text was read, for somebody else to read as if it had not been. `text()` and `json()` cost nothing, and
 * all else that a `Response` can do is done by one built at need: a real one costs as much as the rest of a call.
 */
export class TextResponse implements Response {
  readonly #source: Response;
  readonly #text: string;
  readonly #bytes: Uint8Array | undefined;
  readonly #foreignBody: (() => unknown) | undefined;
  #isRead = false;
  #built: Response | undefined;
  #body: Response["body"] | undefined;

  /**
   * The answer `source` with this text, as `Response.text()` would give it, in place of its body. `bytes` are the body
   * itself where the text does not tell it (a byte order mark, or no UTF-8); `foreignBody` makes the body anew where it
   * was no web stream.
   */
  constructor(source: Response, text: string, bytes?: Uint8Array, foreignBody?: () => unknown) {
    this.#source = source;
    this.#text = text;
    this.#bytes = bytes;
    this.#foreignBody = foreignBody;
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
    return this.#source.headers;
  }

  get body(): Response["body"] {
    if (this.#foreignBody === undefined) return this.#whole().body;
    this.#body ??= this.#foreignBody() as Response["body"];
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
    return new Uint8Array(await this.#whole().arrayBuffer());
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
    return this.#foreignBody === undefined ? this.#whole() : this;
  }

  /** Whether nobody has read it yet: a body can be read once. */
  #readsFirst(): boolean {
    if (this.#isRead || this.#built !== undefined) return false;
    this.#isRead = true;
    return true;
  }

  #whole(): Response {
    if (this.#built === undefined) {
      this.#built = rebuiltResponse(this.#source, this.#bytes ?? new TextEncoder().encode(this.#text));
      // What was read is read for the built one too, which then refuses in its own words.
      if (this.#isRead) void this.#built.text();
    }
    return this.#built;
  }
}
