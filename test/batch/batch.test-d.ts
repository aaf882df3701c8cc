import { expectTypeOf, it } from "vitest";
import type { Batch, GraphqlItemErrorEntry } from "../../src/index.js";

declare const batch: Batch;

it("knows its items, and the values that it is told of", async () => {
  for await (const { item, value } of batch([1, 2], (number) => `node(id: "${number.toFixed()}") { id }`)) {
    expectTypeOf(item).toEqualTypeOf<number>();
    expectTypeOf(value).toEqualTypeOf<unknown>();
  }
});

it("tells a value from an error by the error", async () => {
  interface Repository {
    readonly name: string;
  }
  for await (const result of batch<string, Repository>(new Set(["a"]), (id, index) => id + index.toFixed())) {
    if (result.error) expectTypeOf(result.error).toEqualTypeOf<Error>();
    else {
      expectTypeOf(result.value).toEqualTypeOf<Repository>();
      expectTypeOf(result.errors).toEqualTypeOf<readonly GraphqlItemErrorEntry[] | undefined>();
    }
  }
});

it("does not take misspelt options", () => {
  // @ts-expect-error
  batch([], String, { sise: 5 });
  // @ts-expect-error
  batch([], String, { request: { squad: { prioritty: 1 } } });
  // @ts-expect-error
  batch(5, String);
});
