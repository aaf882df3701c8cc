import type {
  ArgumentNode,
  DirectiveNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  ValueNode,
} from "graphql/language/ast.js";

/** What runs of a document. */
export interface DocumentParts {
  readonly operation: OperationDefinitionNode;
  /** All the fragments of the document, used or not. */
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The names of a document's operations; undefined for one without a name. */
export function operationNames(document: DocumentNode): readonly (string | undefined)[] {
  return document.definitions.flatMap((one) => (one.kind === "OperationDefinition" ? [one.name?.value] : []));
}

/**
 * What runs under `operationName`; undefined when there is no such operation, or several and no name.
 *
 * @see https://spec.graphql.org/draft/#GetOperation()
 */
export function partsOf(document: DocumentNode, operationName: string | undefined): DocumentParts | undefined {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) {
    if (one.kind === "FragmentDefinition") fragments.set(one.name.value, one);
    else if (one.kind === "OperationDefinition") operations.push(one);
  }
  const operation =
    operationName === undefined && operations.length === 1
      ? operations[0]
      : operations.find((one) => operationName !== undefined && one.name?.value === operationName);
  return operation === undefined ? undefined : { operation, fragments };
}

/** Where a field's value stands in the answer. */
export function responseKey({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

/** The value of an argument; undefined when it is not given. */
export function argumentOf(
  node: { readonly arguments?: readonly ArgumentNode[] | undefined },
  name: string,
): ValueNode | undefined {
  return node.arguments?.find((one) => one.name.value === name)?.value;
}

/** A `@skip` or `@include`: the part is left out when its value is `unless`. */
export interface Condition {
  readonly value: ValueNode | undefined;
  readonly unless: boolean;
}

/** The conditions under which a part of a document counts. */
export function conditionsOf(directives: readonly DirectiveNode[] | undefined): readonly Condition[] {
  if (directives === undefined || directives.length === 0) return NO_CONDITIONS;
  return directives.flatMap((one) => {
    const isSkip = one.name.value === "skip";
    return isSkip || one.name.value === "include" ? [{ value: argumentOf(one, "if"), unless: isSkip }] : [];
  });
}

const NO_CONDITIONS: readonly Condition[] = [];
