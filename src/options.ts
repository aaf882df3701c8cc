export { IdentityNumbers, optionsKey } from "./options/key.js";
export { requestDefaults, resolveRequestOptions, squadRequest } from "./options/request.js";
export { type ProcessIdentity, resolveOptions } from "./options/resolve.js";
export type {
  ResolvedCacheOptions,
  ResolvedLightOptions,
  ResolvedOptions,
  ResolvedRequestCache,
  ResolvedRequestOptions,
} from "./options/resolved.js";
export type {
  CacheOptions,
  KeyvLike,
  LightOptions,
  Priority,
  PriorityName,
  RequestCacheOptions,
  SquadOptions,
  SquadRequestOptions,
} from "./options/types.js";
