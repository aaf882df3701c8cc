export { isPlainName } from "./options/check-name.js";
export { IdentityNumbers, optionsKey } from "./options/key.js";
export type { GraphqlOptions, PacingOptions, RetryOptions, SecondaryOptions } from "./options/limit-types.js";
export { requestDefaults, resolveRequestOptions, squadRequest } from "./options/request.js";
export { resolveOptions } from "./options/resolve.js";
export { isOpenedStore } from "./options/resolve-store.js";
export { resolveTraceFile } from "./options/resolve-trace.js";
export type {
  ResolvedLightOptions,
  ResolvedOptions,
  ResolvedPacingOptions,
  ResolvedRequestOptions,
  ResolvedSecondaryOptions,
} from "./options/resolved.js";
export type { TraceFileOptions } from "./options/trace-types.js";
export type {
  CacheOptions,
  KeyvLike,
  LightOptions,
  PoolOptions,
  Priority,
  PriorityName,
  RequestCacheOptions,
  SquadOptions,
  SquadRequestOptions,
  StoreLike,
} from "./options/types.js";
