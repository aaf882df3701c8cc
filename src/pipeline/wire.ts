/** A request as it is about to go over the wire, auth included. */
export interface Wire {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  /** False when the caller asked `fetch` for something that an answer out of memory could not honour. */
  readonly plain: boolean;
  /** The body, if it is text. */
  readonly body: string | undefined;
  /** A body of its own kind, such as a release's asset, which takes as long as it takes to send. */
  readonly uploads: Upload;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Sends it once, with `validator` as If-None-Match if there is one, and with `body` in place of its own. */
  send(validator: string | undefined, signal: AbortSignal | undefined, body?: string): Promise<Response>;
}

/** Whether a request carries such a body, and whether it can be sent again: what streams is spent. */
export type Upload = false | "again" | "once";

/** Whether a request's body may take long to send: anything but text. */
export function isUpload(body: unknown): Upload {
  if (body === undefined || body === null || typeof body === "string") return false;
  const { getReader, pipe } = body as { readonly getReader?: unknown; readonly pipe?: unknown };
  const streams = typeof getReader === "function" || typeof pipe === "function" || Symbol.asyncIterator in Object(body);
  return streams ? "once" : "again";
}
