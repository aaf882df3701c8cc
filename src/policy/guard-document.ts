import { type ParsedDocument, parse } from "./share/parse-quota-document.js";
import { DOCUMENT_VERSION } from "./share/quota-document.js";
import { kindOf, Reader, Unreadable } from "./share/read-json.js";

/** What `produce` made, and what the guarding reads said when it did. */
export interface GuardedValue {
  /** JSON. */
  readonly text: string;
  /** SHA-256 of what the reads said, in hex. */
  readonly signature: string;
  /** When it was there, epoch milliseconds on GitHub's clock. */
  readonly producedAt: number;
}

/** Who produces, so that others wait. */
export interface Producer {
  readonly id: string;
  /** A producer that lives says so again before then. Epoch milliseconds on GitHub's clock. */
  readonly until: number;
}

/** What the agents of one principal share about one guarded value. */
export interface GuardDocument {
  readonly kind: "guard";
  readonly version: typeof DOCUMENT_VERSION;
  readonly value: GuardedValue | null;
  readonly producer: Producer | null;
}

/** A longer value is not shared: quotes double where text stands in text, and a document has four million characters. */
export const MAX_VALUE_CHARACTERS = 1_900_000;

/**
 * Checks a value from the store. Torn or foreign: `unreadable`; of a later version of this package: `newer`. Whether the
 * value's text is JSON is for whoever uses it. Unknown keys are tolerated.
 */
export function parseGuardDocument(value: unknown): ParsedDocument<GuardDocument> | { readonly kind: "newer" } {
  if (isNewer(value)) return { kind: "newer" };
  return parse(() => {
    const reader = new Reader(value, "document");
    const version = reader.get("version");
    if (reader.get("kind") !== "guard") throw new Unreadable("document.kind is not guard");
    if (version !== DOCUMENT_VERSION) throw new Unreadable(`document.version is ${kindOf(version)}`);
    return {
      kind: "guard",
      version: DOCUMENT_VERSION,
      value: readValue(reader.get("value")),
      producer: readProducer(reader.get("producer")),
    };
  });
}

function isNewer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, version } = value as Readonly<Record<string, unknown>>;
  return kind === "guard" && typeof version === "number" && version > DOCUMENT_VERSION;
}

function readValue(value: unknown): GuardedValue | null {
  if (value === null) return null;
  const reader = new Reader(value, "document.value");
  return {
    text: reader.text("text", MAX_VALUE_CHARACTERS),
    signature: readHex(reader, "document.value", "signature"),
    producedAt: reader.time("producedAt"),
  };
}

function readProducer(value: unknown): Producer | null {
  if (value === null) return null;
  const reader = new Reader(value, "document.producer");
  return { id: readHex(reader, "document.producer", "id"), until: reader.time("until") };
}

function readHex(reader: Reader, path: string, key: string): string {
  const text = reader.text(key, 64);
  if (!/^[0-9a-f]{12,64}$/.test(text)) throw new Unreadable(`${path}.${key} is not hexadecimal`);
  return text;
}
