import type {
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLSchema,
  OperationDefinitionNode,
} from "graphql";
import { costOf, type QueryCost } from "./cost.js";
import type { GraphQLModule } from "./load-graphql.js";
import { accountResolvers } from "./resolve-accounts.js";
import { gitResolvers } from "./resolve-git.js";
import { issueResolvers } from "./resolve-issues.js";
import { mutationResolvers } from "./resolve-mutations.js";
import { pullResolvers } from "./resolve-pulls.js";
import { queryResolvers } from "./resolve-queries.js";
import { repositoryResolvers } from "./resolve-repositories.js";
import { reviewResolvers } from "./resolve-reviews.js";
import type { ResolverContext, Resolvers } from "./resolver-context.js";
import { SCHEMA_TEXT } from "./schema.js";

/** An error as GitHub writes it: `type` stands beside the message. */
export type GitHubError = Readonly<Record<string, unknown>>;

/** A query that was read and reckoned, or what is wrong with it. */
export type ReadQuery = ReadyQuery | { readonly kind: "broken"; readonly errors: readonly GitHubError[] };

/** A query that can be run. */
export interface ReadyQuery {
  readonly kind: "ready";
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly cost: QueryCost;
  /** `rateLimit(dryRun: true)`: reckon, do not run. */
  readonly dryRun: boolean;
}

/** A GraphQL request's body. */
export interface QueryBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

const RESOLVERS: Resolvers = {
  ...accountResolvers,
  ...gitResolvers,
  ...repositoryResolvers,
  ...issueResolvers,
  ...pullResolvers,
  ...reviewResolvers,
  ...queryResolvers,
  ...mutationResolvers,
};
const MAX_DOCUMENTS = 200;

/** Reads, reckons and runs queries. */
export class QueryRunner {
  readonly #graphql: GraphQLModule;
  readonly #schema: GraphQLSchema;
  readonly #documents = new Map<string, DocumentNode | readonly GitHubError[]>();
  readonly #fieldResolver: GraphQLFieldResolver<unknown, ResolverContext>;

  constructor(graphql: GraphQLModule) {
    this.#graphql = graphql;
    this.#schema = graphql.buildSchema(SCHEMA_TEXT);
    this.#fieldResolver = (source, args, context, info) => {
      const resolver = RESOLVERS[info.parentType.name]?.[info.fieldName];
      return resolver === undefined
        ? graphql.defaultFieldResolver(source, args, context, info)
        : resolver(source, args, context);
    };
  }

  read(body: QueryBody): ReadQuery {
    const document = this.#parse(body.query);
    if (!("kind" in document)) return { kind: "broken", errors: document };
    const operation = this.#graphql.getOperationAST(document, body.operationName);
    if (operation === null || operation === undefined)
      return { kind: "broken", errors: [{ message: "No operation named that way" }] };
    const coerced = this.#graphql.getVariableValues(this.#schema, operation.variableDefinitions ?? [], body.variables);
    if (coerced.errors !== undefined) return { kind: "broken", errors: coerced.errors.map(githubError) };
    const variables = coerced.coerced;
    const cost = costOf(this.#graphql, this.#schema, document, operation, variables);
    return { kind: "ready", document, operation, variables, cost, dryRun: this.#isDryRun(operation, variables) };
  }

  run(
    query: ReadyQuery,
    context: Omit<ResolverContext, "problem">,
    rawVariables: Readonly<Record<string, unknown>>,
  ): { readonly data: ExecutionResult["data"]; readonly errors?: readonly GitHubError[] } {
    const graphql = this.#graphql;
    const problem = (type: string, message: string): Error =>
      new graphql.GraphQLError(message, { extensions: { type } });
    const result = graphql.execute({
      schema: this.#schema,
      document: query.dryRun ? onlyRateLimit(query) : query.document,
      variableValues: rawVariables,
      operationName: query.operation.name?.value ?? null,
      rootValue: {},
      contextValue: { ...context, problem },
      fieldResolver: this.#fieldResolver,
    }) as ExecutionResult;
    const data = result.data ?? null;
    return result.errors === undefined ? { data } : { data, errors: result.errors.map(githubError) };
  }

  #parse(text: string): DocumentNode | readonly GitHubError[] {
    let document = this.#documents.get(text);
    if (document === undefined) {
      document = this.#parseNew(text);
      if (this.#documents.size >= MAX_DOCUMENTS) this.#documents.clear();
      this.#documents.set(text, document);
    }
    return document;
  }

  #parseNew(text: string): DocumentNode | readonly GitHubError[] {
    let document: DocumentNode;
    try {
      document = this.#graphql.parse(text);
    } catch (error) {
      return [githubError(error as GraphQLError)];
    }
    const errors = this.#graphql.validate(this.#schema, document).filter((one) => !isOfTypesAlone(one));
    return errors.length === 0 ? document : errors.map(githubError);
  }

  #isDryRun(operation: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>): boolean {
    const definition = this.#schema.getQueryType()?.getFields().rateLimit;
    return operation.selectionSet.selections.some(
      (one) =>
        one.kind === this.#graphql.Kind.FIELD &&
        one.name.value === "rateLimit" &&
        definition !== undefined &&
        this.#graphql.getArgumentValues(definition, one, variables).dryRun === true,
    );
  }
}

/** On a dry run nothing but `rateLimit` is looked at. */
function onlyRateLimit({ document, operation }: ReadyQuery): DocumentNode {
  const selections = operation.selectionSet.selections.filter(
    (one) => one.kind === "Field" && one.name.value === "rateLimit",
  );
  const reduced = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  return { ...document, definitions: document.definitions.map((one) => (one === operation ? reduced : one)) };
}

/**
 * Whether all that is wrong is that one key has two types, as `state` of issues and of pull requests. GitHub answers such
 * queries, which gh sends too; it is an option of the library that GitHub runs.
 *
 * @see https://graphql-ruby.org/api-doc/2.5.11/GraphQL/Schema.html#allow_legacy_invalid_return_type_conflicts-class_method
 */
function isOfTypesAlone({ message }: GraphQLError): boolean {
  return (
    message.includes("they return conflicting types") &&
    !/are different fields|have differing arguments|conflicting fragments/.test(message)
  );
}

function githubError(error: GraphQLError): GitHubError {
  const type = error.extensions?.type;
  return {
    ...(typeof type === "string" ? { type } : {}),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    message: error.message,
  };
}
