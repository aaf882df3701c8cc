import { LRUCache } from "lru-cache";
import { readScope, writeScope } from "../call/write-scope.js";
import { comparableAddress, pathIn } from "./comparable-address.js";
import { digest } from "./digest.js";

/** A request to the REST API, as far as it says what is asked for. */
export interface RestTarget {
  readonly method: string;
  readonly kind: "read" | "write";
  readonly host: string;
  /** As it goes over the wire, or as the caller wrote it. */
  readonly address: string;
  readonly accept: string | undefined;
}

/** A GraphQL request. `variables`: undefined where they are not to count. */
export interface GraphqlTarget {
  readonly host: string;
  readonly document: string;
  readonly operationName: unknown;
  readonly variables: unknown;
}

/** The names of what a request is about. */
export interface NamedTarget {
  readonly target: string;
  /** Names the one repository that it reads or may change; undefined for everything wider. */
  readonly scope: string | undefined;
}

/** Addresses, repositories and documents in use at a time, and the longest that are remembered. */
const MAX_ADDRESSES = 2_000;
const MAX_ADDRESS_LENGTH = 2_000;
const MAX_REPOSITORIES = 1_000;
const MAX_DOCUMENTS = 500;
const MAX_DOCUMENT_LENGTH = 100_000;

/**
 * Names what requests ask for. A digest is made once for what comes again.
 *
 * @example
 * ```ts
 * const names = new TargetNames();
 * names.graphql({ host: "api.github.com", document: "{ viewer { login } }", operationName: undefined, variables: {} }).target;
 * // 16 hex digits
 * ```
 */
export class TargetNames {
  readonly #addresses = new LRUCache<string, NamedTarget>({ max: MAX_ADDRESSES });
  readonly #repositories = new LRUCache<string, string>({ max: MAX_REPOSITORIES });
  readonly #documents = new LRUCache<string, string>({ max: MAX_DOCUMENTS });
  readonly #queries = new LRUCache<string, NamedTarget>({ max: MAX_ADDRESSES });

  /** By method, address with its parameters in one order, and what kind of answer is accepted. */
  rest({ method, kind, host, address, accept = "*/*" }: RestTarget): NamedTarget {
    return remember(this.#addresses, `${method} ${address} ${accept}`, MAX_ADDRESS_LENGTH, () => {
      const path = pathIn(address);
      const scope = kind === "read" ? readScope(path) : writeScope(path);
      return {
        target: digest(`${method} ${comparableAddress(address)} ${accept}`),
        scope: scope.kind === "repository" ? this.#repository(host + scope.name) : undefined,
      };
    });
  }

  /** By host, text of the document, operation and variables. */
  graphql({ host, document, operationName, variables }: GraphqlTarget): NamedTarget {
    const text = remember(this.#documents, document, MAX_DOCUMENT_LENGTH, () => digest(document));
    const operation = typeof operationName === "string" ? operationName : "";
    const key = `${host} ${text} ${operation} ${jsonOf(variables)}`;
    return remember(this.#queries, key, MAX_ADDRESS_LENGTH, () => ({ target: digest(key), scope: undefined }));
  }

  #repository(name: string): string {
    return remember(this.#repositories, name, MAX_ADDRESS_LENGTH, () => digest(name));
  }
}

function remember<T extends object | string>(
  known: LRUCache<string, T>,
  key: string,
  maxLength: number,
  make: () => T,
): T {
  if (key.length > maxLength) return make();
  let name = known.get(key);
  if (name === undefined) {
    name = make();
    known.set(key, name);
  }
  return name;
}

function jsonOf(variables: unknown): string {
  if (variables === undefined || variables === null) return "";
  try {
    return JSON.stringify(variables) ?? "";
  } catch {
    // It cannot be sent either.
    return "";
  }
}
