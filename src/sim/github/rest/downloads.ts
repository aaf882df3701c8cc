import type { RepositoryRecord } from "../world/entities.js";
import { permissionOf } from "../world/visibility.js";
import type { RouteContext } from "./route.js";

/** A download from a private repository carries a token of its own: fetch drops the client's on the way to another origin. */
export function downloadToken(repository: RepositoryRecord): string {
  return repository.private ? `?token=${repository.id}` : "";
}

/** Whether a request to a download host brings that token, or needs none. */
export function mayDownload(context: RouteContext, repository: RepositoryRecord): boolean {
  return (
    permissionOf(context.credential, repository) !== undefined || context.query.get("token") === String(repository.id)
  );
}
