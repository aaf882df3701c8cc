import { accountRoutes } from "./account-routes.js";
import { issueRoutes } from "./issue-routes.js";
import { repositoryRoutes } from "./repository-routes.js";
import { createRouter, type Router } from "./router.js";

/** Every REST endpoint of the simulated GitHub. */
export function restRouter(): Router {
  return createRouter([...accountRoutes, ...repositoryRoutes, ...issueRoutes]);
}
