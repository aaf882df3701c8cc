import type KeyvType from "keyv";
import { expectTypeOf, test } from "vitest";
import type { KeyvLike, ResolvedRequestOptions, SquadOptions, SquadRequestOptions } from "../../src/options.js";
import { requestDefaults, resolveOptions, resolveRequestOptions, squadRequest } from "../../src/options.js";

test("a Keyv is a store", () => {
  expectTypeOf<KeyvType>().toExtend<KeyvLike>();
});

test("every option takes undefined, as values from the environment may be", () => {
  expectTypeOf<{ agent: string | undefined; session: string | undefined }>().toExtend<SquadOptions>();
  expectTypeOf<{ [K in keyof Required<SquadOptions>]: undefined }>().toExtend<SquadOptions>();
  expectTypeOf<{ [K in keyof Required<SquadRequestOptions>]: undefined }>().toExtend<SquadRequestOptions>();
});

test("priorities are numbers or names", () => {
  squadRequest({ priority: 0 });
  squadRequest({ priority: "P2" });
  // @ts-expect-error there is no fourth class
  squadRequest({ priority: 3 });
  // @ts-expect-error numbers are not written as text
  squadRequest({ priority: "0" });
});

test("squadRequest shows a misspelt key to the compiler", () => {
  // @ts-expect-error misspelt
  squadRequest({ prioritty: 0 });
  // @ts-expect-error not a per-request option
  squadRequest({ cache: { maxBytes: 1 } });
});

test("resolving gives complete options", () => {
  const defaults = requestDefaults(resolveOptions({}, process.env, { hostname: "h", pid: 1 }));
  expectTypeOf(resolveRequestOptions({}, defaults)).toEqualTypeOf<ResolvedRequestOptions>();
  expectTypeOf(defaults.priority).toEqualTypeOf<0 | 1 | 2>();
});
