import type { QueryEstimate } from "./estimate.js";

/** Values of a query's variables, as the caller gave them; nothing about them is sure. */
export type QueryVariables = Readonly<Record<string, unknown>>;

/** What one document and operation name say, as far as cost and its capture go; read once per text. */
export interface GraphqlOperation {
  readonly kind: "query" | "mutation" | "subscription";
  readonly name: string | undefined;
  /** How to learn what it cost. */
  readonly capture: CostCapture;
  /**
   * Names the operation in what is learnt of costs: equal for documents that differ only in layout, names of operations,
   * and in values that do not bear on the size of an answer (owners, numbers, cursors), and for variables likewise. 32 hex
   * digits; holds nothing that the caller wrote.
   */
  costKey(variables: QueryVariables): string;
  /** What GitHub's rule says that it costs. */
  estimate(variables: QueryVariables): QueryEstimate;
  /** Whether it only asks what it would cost (`rateLimit(dryRun: true)`), and is neither run nor charged. */
  isDryRun(variables: QueryVariables): boolean;
}

/** How an answer comes to tell the cost. */
export type CostCapture =
  /** A selection of `rateLimit` goes into the document, and its value is cut out of the answer. */
  | InsertedCapture
  /** The caller selects `rateLimit` already, under this response key; it is read, and nothing is changed. */
  | { readonly kind: "present"; readonly key: string }
  /** Mutations and subscriptions have no `rateLimit`. */
  | { readonly kind: "none" };

/** A document with a selection of `rateLimit` in it, and where that stands. */
export interface InsertedCapture {
  readonly kind: "insert";
  /** The document to send. */
  readonly document: string;
  /** The response key: one that is nowhere else in the document. */
  readonly key: string;
  /** Where it stands, as GraphQL counts: from 1. `columns`: how many it takes up. */
  readonly line: number;
  readonly column: number;
  readonly columns: number;
}
