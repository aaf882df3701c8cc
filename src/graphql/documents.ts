import type { DocumentNode } from "graphql/language/ast.js";
import { LRUCache } from "lru-cache";
import { operationNames } from "./document-parts.js";
import { type GraphqlParser, loadParser, parserAtOnce } from "./load-parser.js";
import type { GraphqlOperation } from "./operation.js";
import { readOperation } from "./read-operation.js";

type Parse = GraphqlParser["parse"];

/** Characters of documents that are remembered. */
const MAX_CHARACTERS = 8_000_000;
/** What an entry takes besides, as so many characters. */
const ENTRY_CHARACTERS = 1_500;
/** A longer document is read anew in every call. */
const MAX_KEPT_CHARACTERS = 1_000_000;
/** GitHub takes no document that is near it; without a bound, parsing may take any time. */
const MAX_TOKENS = 200_000;
/** Operations of one document that are remembered. */
const MAX_OPERATIONS = 50;

/** A document, by its text. */
interface ReadDocument {
  /** Kept only where there are several operations, because it takes much room. */
  readonly document: DocumentNode | undefined;
  readonly operations: Map<string | undefined, GraphqlOperation | undefined>;
}

/**
 * Reads GraphQL documents: each text once, as long as it is among those last seen. It never throws, whatever the text is;
 * what it cannot read is for GitHub to turn down.
 *
 * @example
 * ```ts
 * const documents = new GraphqlDocuments();
 * await documents.load();
 * documents.read("{ viewer { login } }", undefined)?.estimate({}).units; // 1
 * ```
 */
export class GraphqlDocuments {
  readonly #known = new LRUCache<string, ReadDocument>({ maxSize: MAX_CHARACTERS });
  #parse: Parse | undefined;
  #loading: Promise<void> | undefined;

  /** Loads the parser at once where that is possible, so that no call takes a turn of the event loop for it. */
  loadAtOnce(): boolean {
    this.#parse ??= parserAtOnce()?.parse;
    return this.loaded;
  }

  /** Loads the parser, and of `graphql` nothing else. Rejects where it cannot be loaded; another call tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Whether {@link read} can tell anything. */
  get loaded(): boolean {
    return this.#parse !== undefined;
  }

  /**
   * The operation of `text` that runs under `operationName`. Undefined when the parser is not loaded, when the text does
   * not parse, and when there is no such operation, or several and no name.
   */
  read(text: string, operationName: string | undefined): GraphqlOperation | undefined {
    if (this.#parse === undefined) return undefined;
    let read = this.#known.get(text);
    if (read === undefined) {
      read = readDocument(this.#parse, text);
      if (text.length <= MAX_KEPT_CHARACTERS) this.#known.set(text, read, { size: sizeOf(text, read) });
    }
    return operationOf(text, read, operationName);
  }

  async #load(): Promise<void> {
    try {
      const { parse } = await loadParser();
      this.#parse = parse;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }
}

/** What is kept of a document with one operation takes two or three times the room of its text; a syntax tree, 75 times. */
function sizeOf(text: string, { document }: ReadDocument): number {
  return ENTRY_CHARACTERS + (document === undefined ? text.length : Math.min(MAX_CHARACTERS, text.length * 30));
}

function readDocument(parse: Parse, text: string): ReadDocument {
  const operations: ReadDocument["operations"] = new Map();
  try {
    const document = parse(text, { maxLexicalTokens: MAX_TOKENS });
    const names = operationNames(document);
    if (names.length > 1) return { document, operations };
    operations.set(undefined, readOperation(text, document, undefined));
    const [name] = names;
    if (name !== undefined) operations.set(name, operations.get(undefined));
  } catch {
    // A syntax error, or so deep a nesting that the stack ends: GitHub says so, and better.
  }
  return { document: undefined, operations };
}

function operationOf(
  text: string,
  { document, operations }: ReadDocument,
  operationName: string | undefined,
): GraphqlOperation | undefined {
  if (document === undefined || operations.has(operationName)) return operations.get(operationName);
  let operation: GraphqlOperation | undefined;
  try {
    operation = readOperation(text, document, operationName);
  } catch {
    // As above: the stack may end here rather than in the parser.
  }
  if (operations.size >= MAX_OPERATIONS) operations.clear();
  operations.set(operationName, operation);
  return operation;
}
