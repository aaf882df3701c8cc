import { GraphqlDocuments } from "../../src/graphql/documents.js";
import type { GraphqlOperation } from "../../src/graphql/operation.js";

/** A reader with its parser loaded. */
export const documents: GraphqlDocuments = new GraphqlDocuments();
await documents.load();

/** Reads what must be readable. */
export function readOne(text: string, operationName?: string): GraphqlOperation {
  const operation = documents.read(text, operationName);
  if (operation === undefined) throw new Error(`cannot read ${JSON.stringify(text.slice(0, 200))}`);
  return operation;
}
