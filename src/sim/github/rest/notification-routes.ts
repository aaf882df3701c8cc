import type { NotificationRecord, UserRecord } from "../world/entities.js";
import { list } from "./pages.js";
import { minimalRepository, repositoryUrl } from "./render-repositories.js";
import { iso, isoOrNull } from "./render-values.js";
import { json, notFound, problem, type Route, type RouteAnswer, type RouteContext, route } from "./route.js";

const POLL = { "x-poll-interval": "60" };

function thread(one: NotificationRecord, { origins }: RouteContext): Record<string, unknown> {
  const repository = repositoryUrl(one.repository, origins);
  const url = `${origins.api}/notifications/threads/${one.id}`;
  const path = one.subject.type === "Issue" ? "issues" : "pulls";
  return {
    id: String(one.id),
    unread: one.unread,
    reason: one.reason,
    updated_at: iso(one.updatedAt),
    last_read_at: isoOrNull(one.lastReadAt),
    subject: {
      title: one.subject.title,
      url: `${repository}/${path}/${one.subject.number}`,
      latest_comment_url: `${repository}/${path}/${one.subject.number}`,
      type: one.subject.type,
    },
    repository: minimalRepository(one.repository, origins),
    url,
    subscription_url: `${url}/subscription`,
  };
}

function forUser(name: string, docs: string, handle: (context: RouteContext, user: UserRecord) => RouteAnswer): Route {
  return route(name, docs, (context) => {
    if (context.credential.kind === "user-token") return handle(context, context.credential.user);
    return context.actor === undefined
      ? problem(401, "Requires authentication")
      : problem(403, "Resource not accessible by integration");
  });
}

function markRead(context: RouteContext, notifications: readonly NotificationRecord[]): RouteAnswer {
  for (const one of notifications) {
    one.unread = false;
    one.lastReadAt = context.state.now();
  }
  context.state.touchIdentities();
  return { status: 205, text: "", contentType: "text/plain;charset=utf-8" };
}

/** The notifications of a user; they ask to be polled once a minute. */
export const notificationRoutes: readonly Route[] = [
  forUser(
    "GET /notifications",
    "/activity/notifications#list-notifications-for-the-authenticated-user",
    (context, user) => {
      const all = context.query.get("all") === "true";
      const chosen = user.notifications.filter((one) => all || one.unread);
      const newest = chosen[0];
      return {
        ...list(context, chosen, (one) => thread(one, context)),
        headers: POLL,
        ...(newest === undefined ? {} : { lastModifiedAt: newest.updatedAt }),
      };
    },
  ),
  forUser("PUT /notifications", "/activity/notifications#mark-notifications-as-read", (context, user) =>
    markRead(context, user.notifications),
  ),
  forUser("GET /notifications/threads/{id}", "/activity/notifications#get-a-thread", (context, user) => {
    const found = user.notifications.find((one) => one.id === Number(context.params.id));
    return found === undefined ? notFound : json(thread(found, context));
  }),
  forUser("PATCH /notifications/threads/{id}", "/activity/notifications#mark-a-thread-as-read", (context, user) =>
    markRead(
      context,
      user.notifications.filter((one) => one.id === Number(context.params.id)),
    ),
  ),
];
