import { type IncomingMessage, request } from "node:http";
import type { Clock } from "../../clock.js";
import { type Admission, type Admitted, PROTOCOL, PROTOCOL_HEADER, type Refused } from "./protocol.js";

/** What came of asking the proxy of a folder. */
export type ControlAnswer<T> =
  | { readonly kind: "done"; readonly value: T }
  /** Nobody serves the folder, or whoever did ended while it was asked. */
  | { readonly kind: "nobody" }
  /** Somebody holds the socket and says nothing. */
  | { readonly kind: "silent" }
  | ({ readonly kind: "refused"; readonly status: number } & Refused);

/** A client of the proxy that is ours until it is left, or the proxy is gone. */
export interface Lease {
  readonly admitted: Admitted;
  /** Resolves when the proxy has let go of us: it ended, or was killed. */
  readonly lost: Promise<void>;
  /** The client is closed, and its socket goes away. */
  leave(): void;
}

/** So long a proxy may take to answer; it does nothing that takes a second. */
const ANSWER_MS = 10_000;

/** Asks for a client of the proxy that listens at `socketPath`. */
export async function askForLease(
  socketPath: string,
  admission: Admission,
  clock: Clock,
): Promise<ControlAnswer<Lease>> {
  const asked = await ask(socketPath, "POST", "/clients", JSON.stringify(admission), clock);
  if (asked.kind !== "done") return asked;
  const response = asked.value;
  const lost = new Promise<void>((resolve) => response.once("close", resolve));
  const line = await firstLine(response);
  if (line === undefined) return { kind: "nobody" };
  // What else it may say is not for us; it must be read for the end to be seen.
  response.resume();
  return {
    kind: "done",
    value: { admitted: JSON.parse(line) as Admitted, lost, leave: () => response.destroy() },
  };
}

/** How the proxy at `socketPath` is. */
export function askForStatus(socketPath: string, clock: Clock): Promise<ControlAnswer<unknown>> {
  return askForJson(socketPath, "GET", "/status", clock);
}

/** Ends the proxy at `socketPath`; done when it serves nobody any more. */
export function askToStop(socketPath: string, clock: Clock): Promise<ControlAnswer<unknown>> {
  return askForJson(socketPath, "POST", "/stop", clock);
}

async function askForJson(
  socketPath: string,
  method: string,
  path: string,
  clock: Clock,
): Promise<ControlAnswer<unknown>> {
  const asked = await ask(socketPath, method, path, "", clock);
  if (asked.kind !== "done") return asked;
  const text = await wholeText(asked.value);
  return text === undefined ? { kind: "nobody" } : { kind: "done", value: JSON.parse(text) };
}

function ask(
  socketPath: string,
  method: string,
  path: string,
  body: string,
  clock: Clock,
): Promise<ControlAnswer<IncomingMessage>> {
  return new Promise((resolve) => {
    const sent = request({
      socketPath,
      method,
      path,
      agent: false,
      headers: {
        [PROTOCOL_HEADER]: PROTOCOL,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    const hear = clock.timer(ANSWER_MS, () => {
      resolve({ kind: "silent" });
      sent.destroy();
    });
    sent.once("response", (response) => {
      hear();
      response.on("error", () => {});
      if (response.statusCode === 200) resolve({ kind: "done", value: response });
      else void refusalIn(response).then(resolve);
    });
    sent.on("error", () => {
      hear();
      resolve({ kind: "nobody" });
    });
    sent.end(body);
  });
}

async function refusalIn(response: IncomingMessage): Promise<ControlAnswer<never>> {
  const text = await wholeText(response);
  const status = response.statusCode ?? 0;
  try {
    const { message, remedy } = JSON.parse(text ?? "") as Refused;
    return { kind: "refused", status, message: String(message), remedy: String(remedy) };
  } catch {
    return { kind: "nobody" };
  }
}

/** Undefined when it breaks off. */
async function wholeText(response: IncomingMessage): Promise<string | undefined> {
  response.setEncoding("utf8");
  let text = "";
  try {
    for await (const part of response) text += part as string;
    return text;
  } catch {
    return undefined;
  }
}

function firstLine(response: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    response.setEncoding("utf8");
    let text = "";
    const take = (part: string): void => {
      text += part;
      const end = text.indexOf("\n");
      if (end < 0) return;
      response.off("data", take);
      resolve(text.slice(0, end));
    };
    response.on("data", take);
    response.once("close", () => resolve(undefined));
  });
}
