import { LRUCache } from "lru-cache";
import { GraphqlDocuments } from "../graphql/documents.js";
import type { GraphqlOperation, QueryVariables } from "../graphql/operation.js";
import { reportFault } from "./fault.js";

/** What a call asks of GraphQL, as its adapter found it in the request; nothing about it is sure. */
export interface GraphqlRequest {
  readonly document: unknown;
  readonly operationName: unknown;
  readonly variables: unknown;
}

/** A call's operation, and what bears on its cost. */
export interface GraphqlCall {
  readonly document: string;
  readonly operation: GraphqlOperation;
  readonly variables: QueryVariables;
  readonly costKey: string;
  /** Units by GitHub's rule, for an operation that nobody has seen the cost of. */
  readonly ruleUnits: number;
  readonly isDryRun: boolean;
}

const MAX_COST_KEYS = 2_000;
const MAX_HOSTS = 100;
const NO_VARIABLES: QueryVariables = Object.freeze({});

/** Reads GraphQL documents for the pipeline. */
export class GraphqlDesk {
  readonly #documents = new GraphqlDocuments();
  readonly #isCapturing: boolean;
  readonly #ruleUnits = new LRUCache<string, number>({ max: MAX_COST_KEYS });
  /** Servers whose schema has no `rateLimit`, or that turn down what was not announced to them. */
  readonly #without = new LRUCache<string, true>({ max: MAX_HOSTS });
  /** Servers that have told a cost that they were asked for. */
  readonly #telling = new LRUCache<string, true>({ max: MAX_HOSTS });
  #isBroken = false;

  constructor({ capture }: { readonly capture: boolean }) {
    this.#isCapturing = capture;
  }

  /** Whether {@link read} can tell anything yet. */
  get isReady(): boolean {
    return this.#documents.loaded || this.#isBroken || this.#documents.loadAtOnce();
  }

  /** Loads the parser. Without it queries go on as they are. */
  async load(): Promise<void> {
    try {
      await this.#documents.load();
    } catch (cause) {
      this.#isBroken = true;
      reportFault("the parser of GraphQL cannot be loaded; what queries cost is not found out", cause);
    }
  }

  /** What a request asks for; undefined when it cannot be read, and is GitHub's to turn down. */
  read({ document, operationName, variables }: GraphqlRequest): GraphqlCall | undefined {
    if (typeof document !== "string") return undefined;
    const operation = this.operation(document, typeof operationName === "string" ? operationName : undefined);
    if (operation === undefined) return undefined;
    const given = variablesOf(variables);
    const costKey = operation.costKey(given);
    let ruleUnits = this.#ruleUnits.get(costKey);
    if (ruleUnits === undefined) {
      const { units, rejected } = operation.estimate(given);
      // What is turned down unseen is charged as a request.
      ruleUnits = operation.kind !== "query" || rejected !== undefined ? 1 : units;
      this.#ruleUnits.set(costKey, ruleUnits);
    }
    return { document, operation, variables: given, costKey, ruleUnits, isDryRun: operation.isDryRun(given) };
  }

  operation(document: string, operationName: string | undefined): GraphqlOperation | undefined {
    return this.#documents.read(document, operationName);
  }

  /** Whether queries to this host may ask for their own cost. */
  capturesAt(host: string): boolean {
    return this.#isCapturing && !this.#without.has(host);
  }

  /** Whether this host is known to answer what is added to queries. */
  tellsAt(host: string): boolean {
    return this.#telling.get(host) === true;
  }

  hasTold(host: string): void {
    this.#telling.set(host, true);
  }

  /** A server has turned a query down for the selection that was added. */
  leaveAlone(host: string): void {
    this.#without.set(host, true);
  }
}

/** GitHub takes an object or nothing. */
export function variablesOf(variables: unknown): QueryVariables {
  return typeof variables === "object" && variables !== null ? (variables as QueryVariables) : NO_VARIABLES;
}
