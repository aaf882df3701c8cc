import { type ServerResponse, STATUS_CODES } from "node:http";

/** An answer of the proxy's own, in the form of GitHub's. */
export interface Reply {
  readonly status: number;
  readonly body: { readonly message: string; readonly [more: string]: unknown };
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer that says what is wrong, and no more. */
export function failure(status: number, message: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, body: { message }, headers };
}

/** Writes it, where there is still somebody to read it. */
export function writeReply(response: ServerResponse, { status, body, headers }: Reply): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  // Its own words, where those of an answer that could not be handed on are set already.
  response.writeHead(status, STATUS_CODES[status] ?? "", {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": bytes.byteLength,
  });
  response.end(bytes);
}
