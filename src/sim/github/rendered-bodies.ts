import { githubETag, opaqueETag } from "./etag.js";
import type { RouteAnswer } from "./rest/route.js";

/** A route's answer as bytes. */
export interface RenderedBody {
  /** Without its `json`: the text is enough, and large trees of objects are a burden to keep. */
  readonly answer: Omit<RouteAnswer, "json">;
  /** The compact body: what the ETag covers. */
  readonly compact: string | Uint8Array | undefined;
  /** The body for clients that get indented JSON. */
  readonly pretty: () => string | Uint8Array | undefined;
  /** The ETag, without quotes, for a request's Accept, Authorization and Cookie. */
  readonly etag: (accept: string | undefined, authorization: string | undefined, cookie: string | undefined) => string;
}

interface Kept {
  readonly stamp: string;
  readonly body: RenderedBody;
  readonly bytes: number;
}

const MAX_BYTES = 128 * 2 ** 20;
const MAX_TAGS = 256;

/** Keeps rendered answers for as long as what they show has not changed: nothing is rendered or hashed twice. */
export class RenderedBodies {
  readonly #kept = new Map<string, Kept>();
  readonly #opaqueSecret: string | undefined;
  #bytes = 0;

  constructor(opaqueSecret: string | undefined) {
    this.#opaqueSecret = opaqueSecret;
  }

  /** The kept answer of `key`, if its stamp still holds. */
  find(key: string, stamp: string): RenderedBody | undefined {
    const kept = this.#kept.get(key);
    return kept?.stamp === stamp ? kept.body : undefined;
  }

  keep(key: string, stamp: string, body: RenderedBody): void {
    this.#drop(key);
    const bytes = 2 * (body.compact?.length ?? 0) + 500;
    this.#kept.set(key, { stamp, body, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
  }

  render(answer: RouteAnswer): RenderedBody {
    const { json, ...rest } = answer;
    const compact = json === undefined ? (answer.text ?? answer.bytes) : JSON.stringify(json);
    const isJson = json !== undefined;
    const tags = new Map<string, string>();
    return {
      answer: rest,
      compact,
      pretty: () => {
        if (!isJson || typeof compact !== "string") return compact;
        return `${JSON.stringify(JSON.parse(compact), null, 2)}\n`;
      },
      etag: (accept, authorization, cookie) => {
        const key = `${accept}\0${authorization}\0${cookie}`;
        let tag = tags.get(key);
        if (tag === undefined) {
          const inputs = { accept, authorization, cookie };
          const secret = this.#opaqueSecret;
          tag = secret === undefined ? githubETag(inputs, compact ?? "") : opaqueETag(secret, inputs, compact ?? "");
          if (tags.size >= MAX_TAGS) tags.clear();
          tags.set(key, tag);
        }
        return tag;
      },
    };
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}
