import { createHash } from "node:crypto";
import type { DocumentNode } from "graphql/language/ast.js";
import { canonicalForm } from "./canonical-form.js";
import { argumentOf, partsOf } from "./document-parts.js";
import type { QueryEstimate } from "./estimate.js";
import { estimateSize } from "./estimate-size.js";
import type { CostCapture, GraphqlOperation, QueryVariables } from "./operation.js";
import { placeCapture } from "./place-capture.js";
import { rootRateLimits } from "./root-rate-limits.js";
import { planSizes, type SizeCondition, type SizeSet } from "./size-plan.js";
import { resolveSizes, type SizeEntry, type SizeValue, SizeValues } from "./size-values.js";

const HEX_DIGITS = 32; // 128 bits

/**
 * Reads an operation out of a parsed document. Nothing of the syntax tree is kept, which takes some 75 times the room of the
 * text.
 *
 * @param text - what `document` was parsed from, with locations
 * @returns undefined when there is no such operation, or several and no name
 */
export function readOperation(
  text: string,
  document: DocumentNode,
  operationName: string | undefined,
): GraphqlOperation | undefined {
  const parts = partsOf(document, operationName);
  if (parts === undefined) return undefined;
  const values = new SizeValues(parts.operation.variableDefinitions);
  const rateLimits = rootRateLimits(parts);
  const form = canonicalForm(parts, values);
  const root = planSizes(parts, values);
  return new ReadOperation({
    kind: parts.operation.operation,
    name: parts.operation.name?.value,
    capture: placeCapture(text, parts, rateLimits),
    shape: createHash("sha256").update(form.text).digest("hex"),
    sizes: form.sizes,
    root,
    dryRuns: rateLimits.map(({ field, when }) => ({
      place: values.place(argumentOf(field, "dryRun"), "flag"),
      when: when.map(({ value, unless }) => ({ place: values.place(value, "flag"), unless })),
    })),
    entries: values.entries,
  });
}

interface OperationFacts extends Pick<GraphqlOperation, "kind" | "name" | "capture"> {
  /** The values that bear on size, by place. */
  readonly entries: readonly SizeEntry[];
  /** A hash of the canonical form. */
  readonly shape: string;
  /** Places of the sizes in it. */
  readonly sizes: readonly number[];
  readonly root: SizeSet;
  /** For each `rateLimit`, where it says whether the run is dry, and when it counts. */
  readonly dryRuns: readonly { readonly place: number; readonly when: readonly SizeCondition[] }[];
}

/** What was found out for one set of values. */
interface Sized {
  readonly signature: string;
  readonly values: readonly SizeValue[];
  costKey: string | undefined;
  estimate: QueryEstimate | undefined;
}

class ReadOperation implements GraphqlOperation {
  readonly kind: GraphqlOperation["kind"];
  readonly name: string | undefined;
  readonly capture: CostCapture;
  readonly #facts: OperationFacts;
  /** Most operations are sent with the same sizes again and again. */
  #last: Sized | undefined;

  constructor(facts: OperationFacts) {
    this.kind = facts.kind;
    this.name = facts.name;
    this.capture = facts.capture;
    this.#facts = facts;
  }

  costKey(variables: QueryVariables): string {
    const sized = this.#sized(variables);
    sized.costKey ??= this.#hash(sized.values);
    return sized.costKey;
  }

  estimate(variables: QueryVariables): QueryEstimate {
    const sized = this.#sized(variables);
    sized.estimate ??= this.#estimate(sized.values);
    return sized.estimate;
  }

  isDryRun(variables: QueryVariables): boolean {
    const { dryRuns } = this.#facts;
    if (dryRuns.length === 0) return false;
    const { values } = this.#sized(variables);
    return dryRuns.some(
      (one) => values[one.place] === true && one.when.every(({ place, unless }) => values[place] !== unless),
    );
  }

  #sized(variables: QueryVariables): Sized {
    const values = resolveSizes(this.#facts.entries, variables);
    const signature = values.join();
    if (this.#last?.signature !== signature)
      this.#last = { signature, values, costKey: undefined, estimate: undefined };
    return this.#last;
  }

  #hash(values: readonly SizeValue[]): string {
    const { shape, sizes } = this.#facts;
    const text = `${shape} ${sizes.map((place) => values[place]).join()}`;
    return createHash("sha256").update(text).digest("hex").slice(0, HEX_DIGITS);
  }

  #estimate(values: readonly SizeValue[]): QueryEstimate {
    const estimate = estimateSize(this.#facts.root, values);
    // Whatever a mutation returns, it costs one unit.
    return this.kind === "query" ? estimate : { ...estimate, units: 1 };
  }
}
