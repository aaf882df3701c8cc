import { GraphqlDocuments } from "../graphql/documents.js";
import { type GraphqlParser, loadParser } from "./parser.js";
import { BatchSizes } from "./sizes.js";

/** What the batches of a squad have in common. */
export class BatchMemory {
  readonly sizes = new BatchSizes();
  /** Apart from those of the squad's queries, which are sent more than once. */
  readonly documents = new GraphqlDocuments();

  /** What reads GraphQL; loaded with the first batch. */
  async parser(): Promise<GraphqlParser> {
    const [parser] = await Promise.all([loadParser(), this.documents.load()]);
    return parser;
  }
}
