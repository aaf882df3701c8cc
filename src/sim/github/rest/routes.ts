import { accountRoutes } from "./account-routes.js";
import { appRoutes } from "./app-routes.js";
import { commitRoutes } from "./commit-routes.js";
import { contentRoutes } from "./content-routes.js";
import { issueRoutes } from "./issue-routes.js";
import { notificationRoutes } from "./notification-routes.js";
import { pullRoutes } from "./pull-routes.js";
import { releaseRoutes } from "./release-routes.js";
import { repositoryRoutes } from "./repository-routes.js";
import type { Route } from "./route.js";
import { createRouter, type Router } from "./router.js";
import { searchRoutes } from "./search-routes.js";
import { serviceRoutes } from "./service-routes.js";

/** Every REST endpoint of the simulated GitHub. */
const restRoutes: readonly Route[] = [
  ...accountRoutes,
  ...appRoutes,
  ...commitRoutes,
  ...contentRoutes,
  ...issueRoutes,
  ...notificationRoutes,
  ...pullRoutes,
  ...releaseRoutes,
  ...repositoryRoutes,
  ...searchRoutes,
  ...serviceRoutes,
];

/** Finds the endpoint of a request. */
export function restRouter(): Router {
  return createRouter(restRoutes);
}
