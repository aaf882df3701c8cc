export { IdentityNumbers, optionsKey } from "./options/key.js";
export { requestDefaults, resolveRequestOptions, squadRequest } from "./options/request.js";
export { resolveOptions } from "./options/resolve.js";
export type {
  ResolvedLightOptions,
  ResolvedOptions,
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
