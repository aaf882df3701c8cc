import type { IncomingMessage } from "node:http";
import { rebuiltResponse } from "../cache/rebuilt-response.js";
import { decoded } from "./content-coding.js";
import { answerHeaders } from "./forwarded-headers.js";

/**
 * An answer of GitHub's that nobody has begun to read. Who reads its body gets it decoded, as from `fetch`; as long as
 * nobody has, it can go on as it came, compressed bytes and all.
 */
export class UpstreamResponse implements Response {
  readonly message: IncomingMessage;
  /** Name after value, without those of the connection. */
  readonly rawHeaders: readonly string[];
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected = false;
  readonly type = "basic";
  readonly hasBody: boolean;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  #isTouched = false;

  constructor(message: IncomingMessage, method: string, url: string) {
    const { statusCode: status = 502, statusMessage = "", rawHeaders, headers } = message;
    this.message = message;
    this.rawHeaders = answerHeaders(rawHeaders, headers.connection);
    this.status = status;
    this.statusText = statusMessage;
    this.headers = headersOf(this.rawHeaders);
    this.url = url;
    this.hasBody = method !== "HEAD" && status !== 204 && status !== 304;
    // Its end has to be read all the same, for the connection to be free.
    if (!this.hasBody) message.resume();
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Whether somebody has begun to read it. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Made when asked for, and read when pulled. */
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!this.hasBody) return null;
    this.#body ??= this.#decoded();
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#isTouched;
  }

  text(): Promise<string> {
    return this.#whole().text();
  }

  json(): Promise<unknown> {
    return this.#whole().json();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole().arrayBuffer();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  blob(): Promise<Blob> {
    return this.#whole().blob();
  }

  formData(): Promise<FormData> {
    return this.#whole().formData();
  }

  clone(): Response {
    return this.#whole().clone();
  }

  #whole(): Response {
    return rebuiltResponse(this, this.body ?? new Uint8Array());
  }

  #decoded(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let chunks: AsyncIterator<Buffer<ArrayBuffer>> | undefined;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          this.#isTouched = true;
          chunks ??= decoded(this.message, this.message.headers["content-encoding"])[Symbol.asyncIterator]();
          const { done, value } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => {
          this.#isTouched = true;
          this.message.destroy();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** A map is enough for whoever decides by them, and takes a tenth of the time; cookies alone do not fit into one. */
function headersOf(raw: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const value = raw[index + 1] as string;
    if (name === "set-cookie") return new Headers(pairsOf(raw));
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers as unknown as Headers;
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] as string, raw[index + 1] as string]);
  return pairs;
}
