import { type Form, RESET_AT, rate } from "./form.js";

const spent = rate(0, 5_000, "graphql");
const plenty = rate(4_988, 5_000, "graphql");
const SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const TIMEOUT =
  "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `0A1B:2C3D` when reporting this issue.";
const TOO_QUICKLY = "was submitted too quickly";
const TOO_LARGE = "Resource limits for this query exceeded.";

function graphql(name: string, body: unknown, outcome: Form["outcome"], more: Partial<Form> = {}): Form {
  return { name, api: "graphql", status: 200, headers: plenty, body, outcome, ...more };
}

function errors(...list: readonly Readonly<Record<string, unknown>>[]): unknown {
  return { errors: list };
}

/** GraphQL's limits, most of them with status 200. */
export const GRAPHQL_LIMIT_FORMS: readonly Form[] = [
  graphql(
    "the older form",
    errors({ type: "RATE_LIMITED", message: "API rate limit exceeded for installation ID 1." }),
    "primary-limit",
    {
      headers: spent,
      with: { how: "graphql-errors", refused: "whole", resetAt: RESET_AT, retryAfterMs: undefined },
    },
  ),
  graphql(
    "the newer form, beside headers that promise units",
    errors({
      type: "RATE_LIMIT",
      code: "graphql_rate_limit",
      message: "API rate limit already exceeded for user ID 1.",
    }),
    "primary-limit",
    { with: { refused: "whole", resetAt: RESET_AT } },
  ),
  graphql("the type alone", errors({ type: "RATE_LIMITED", message: "" }), "primary-limit"),
  graphql("the newer type alone", errors({ type: "RATE_LIMIT" }), "primary-limit"),
  graphql("the code alone", errors({ code: "graphql_rate_limit" }), "primary-limit"),
  graphql("the code among extensions", errors({ extensions: { code: "graphql_rate_limit" } }), "primary-limit"),
  graphql("the words alone", errors({ message: "API rate limit exceeded for user ID 1." }), "primary-limit"),
  graphql(
    "the newer words alone",
    errors({ message: "API rate limit already exceeded for user ID 1." }),
    "primary-limit",
  ),
  graphql(
    "beside data that is null",
    { data: null, errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] },
    "primary-limit",
    { with: { refused: "whole" } },
  ),
  graphql(
    "beside fields that are null",
    { data: { repository: null }, errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] },
    "primary-limit",
    { with: { refused: "whole" } },
  ),
  graphql(
    "beside data: a part was carried out",
    { data: { a: { id: 1 }, b: null }, errors: [{ type: "RATE_LIMITED", path: ["b"] }] },
    "primary-limit",
    { with: { refused: "part" } },
  ),
  graphql(
    "among other errors",
    errors({ type: "NOT_FOUND", path: ["repository"] }, { type: "RATE_LIMITED" }),
    "primary-limit",
    { with: { refused: "part" } },
  ),
  graphql(
    "with line breaks, as for curl",
    JSON.stringify(errors({ type: "RATE_LIMITED", message: "API rate limit exceeded" }), undefined, 2),
    "primary-limit",
  ),
  graphql("cut off", '{"errors":[{"type":"RATE_LIMITED","mess', "primary-limit", {
    with: { refused: "part" },
  }),
  graphql("with 403, in REST's form", { message: "API rate limit exceeded for user ID 1." }, "primary-limit", {
    status: 403,
    headers: spent,
    with: { how: "text", refused: "whole" },
  }),
  graphql("with 403, in GraphQL's form", errors({ type: "RATE_LIMITED", message: "" }), "primary-limit", {
    status: 403,
    with: { how: "graphql-errors", refused: "whole" },
  }),
  graphql("with 200, in REST's form", { message: "API rate limit exceeded for user ID 1." }, "primary-limit", {
    with: { refused: "whole" },
  }),
  graphql("a secondary limit with 403", { message: SECONDARY }, "secondary-limit", {
    status: 403,
    with: { how: "text", blocked: "everything" },
  }),
  graphql("a secondary limit with 403, in GraphQL's form", errors({ message: SECONDARY }), "secondary-limit", {
    status: 403,
    with: { how: "graphql-errors", refused: "whole" },
  }),
  graphql("a secondary limit with 200", errors({ message: SECONDARY }), "secondary-limit", {
    headers: { ...plenty, "retry-after": "60" },
    with: { how: "graphql-errors", refused: "whole", blocked: "everything", retryAfterMs: 60_000 },
  }),
  graphql(
    "a secondary limit under the type of the other",
    errors({ type: "RATE_LIMITED", message: SECONDARY }),
    "secondary-limit",
  ),
  graphql("a secondary limit with 200, in REST's form", { message: SECONDARY }, "secondary-limit"),
  graphql(
    "content that is created too fast",
    { data: { createIssue: null }, errors: [{ type: "UNPROCESSABLE", path: ["createIssue"], message: TOO_QUICKLY }] },
    "secondary-limit",
    { with: { refused: "whole", blocked: "content-creation" } },
  ),
  graphql(
    "content that is created too fast, after some that was not",
    {
      data: { a: { issue: { number: 1 } }, b: null },
      errors: [{ type: "UNPROCESSABLE", path: ["b"], message: TOO_QUICKLY }],
    },
    "secondary-limit",
    { with: { refused: "part" } },
  ),
  graphql(
    "a field further down, beneath one that was carried out",
    { data: { a: null }, errors: [{ path: ["a", "issue", "body"], message: TOO_QUICKLY }] },
    "secondary-limit",
    { with: { refused: "part" } },
  ),
  graphql("a HEAD or a body that was lost, with 429", undefined, "secondary-limit", {
    status: 429,
    headers: {},
    with: { how: "head" },
  }),
];

/** GraphQL's other answers. */
export const GRAPHQL_OTHER_FORMS: readonly Form[] = [
  graphql("data", { data: { viewer: { login: "octocat" } } }, "ok"),
  graphql("data with nothing remaining", { data: { viewer: { login: "octocat" } } }, "ok", { headers: spent }),
  graphql("an empty list of errors", { data: { viewer: { login: "octocat" } }, errors: [] }, "ok"),
  graphql(
    "content in the words of every refusal",
    {
      data: {
        repository: {
          issue: {
            title: "You have exceeded a secondary rate limit.",
            type: "RATE_LIMITED",
            code: "graphql_rate_limit",
          },
        },
      },
    },
    "ok",
  ),
  graphql(
    "a field called errors, with content in the words",
    { data: { codeowners: { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] } } },
    "ok",
  ),
  graphql(
    "content that contains JSON",
    { data: { object: { text: '"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]' } } },
    "ok",
  ),
  graphql("data after a message that is none", { message: SECONDARY, data: { viewer: { login: "octocat" } } }, "ok"),
  graphql("no body", undefined, "ok"),
  graphql("an empty body", " \n", "ok"),
  graphql("JSON that is no object", "[]", "ok"),
  graphql("JSON that is null", "null", "ok"),
  graphql(
    "a thing that is not found, by a name in the words",
    {
      data: { repository: null },
      errors: [
        {
          type: "NOT_FOUND",
          path: ["repository"],
          message: "Could not resolve to a Repository with the name 'acme/API rate limit exceeded'.",
        },
      ],
    },
    "graphql-error",
  ),
  graphql(
    "a field that does not exist",
    errors({
      path: ["query", "nope"],
      extensions: { code: "undefinedField", typeName: "Query", fieldName: "nope" },
      message: "Field 'nope' doesn't exist on type 'Query'",
    }),
    "graphql-error",
  ),
  graphql(
    "a permission",
    { data: { addComment: null }, errors: [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }] },
    "graphql-error",
  ),
  graphql(
    "other content that is not processed",
    { data: { createIssue: null }, errors: [{ type: "UNPROCESSABLE", message: "Title can't be blank" }] },
    "graphql-error",
  ),
  graphql("errors that are no objects", { errors: ["RATE_LIMITED", null, 7] }, "graphql-error"),
  graphql("a page number too many", errors({ type: "EXCESSIVE_PAGINATION" }), "graphql-error"),
  graphql("a message in REST's form", { message: "Not Found" }, "graphql-error"),
  graphql("too many nodes", errors({ type: "MAX_NODE_LIMIT_EXCEEDED", message: "…" }), "query-too-large"),
  graphql(
    "too much work, beside data",
    {
      data: { r0: { stargazerCount: 10 }, r1: null },
      errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", path: ["r1", "stargazerCount"], message: TOO_LARGE }],
    },
    "query-too-large",
  ),
  graphql(
    "too much work, broken off in the middle of the errors",
    '{"data":{"user":null},"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","path":["user","contributionsCollection",0,',
    "query-too-large",
  ),
  graphql("a timeout with 200", { data: null, errors: [{ message: TIMEOUT }] }, "graphql-timeout", {
    with: { status: 200 },
  }),
  graphql(
    "a failure that does not speak of time",
    errors({
      message: "Something went wrong while executing your query on 2026-01-01T00:00:00Z. Please include `0A1B`.",
    }),
    "graphql-timeout",
  ),
  graphql(
    "a timeout with 200, in REST's form",
    { message: "We couldn't respond to your request in time." },
    "graphql-timeout",
  ),
  graphql(
    "a timeout with 500, in REST's form",
    { message: "We couldn't respond to your request in time." },
    "graphql-timeout",
    {
      status: 500,
    },
  ),
  graphql("a timeout with 502", { data: null, errors: [{ message: TIMEOUT }] }, "graphql-timeout", {
    status: 502,
    headers: {},
    with: { status: 502 },
  }),
  graphql("a timeout with nginx's page", "<html><h1>502 Bad Gateway</h1>nginx</html>", "graphql-timeout", {
    status: 502,
    headers: {},
  }),
  graphql(
    "a timeout with 504 and REST's form",
    { message: "We couldn't respond to your request in time." },
    "graphql-timeout",
    {
      status: 504,
      headers: {},
    },
  ),
  graphql("a timeout with 500", { data: null, errors: [{ message: TIMEOUT }] }, "graphql-timeout", { status: 500 }),
  graphql("500 without words", { message: "Server Error" }, "server-error", { status: 500, with: { status: 500 } }),
  graphql("503", "<html>503</html>", "server-error", {
    status: 503,
    headers: { "retry-after": "30" },
    with: { retryAfterMs: 30_000 },
  }),
  graphql("a service that is unavailable", errors({ type: "SERVICE_UNAVAILABLE", message: "…" }), "server-error", {
    with: { status: 200 },
  }),
  graphql("an error within GitHub", errors({ type: "INTERNAL", message: "…" }), "server-error"),
  graphql("a page with 200", "<!DOCTYPE html>\n<html><body>Unicorn!</body></html>\n", "server-error", {
    with: { status: 200, retryAfterMs: undefined },
  }),
  graphql("data that is cut off", '{"data":{"viewer":{"login":"octo', "server-error"),
  graphql(
    "content called a type, before errors that are cut off",
    '{"data":{"a":{"type":"RATE_LIMITED"}},"errors":[{"mess',
    "server-error",
  ),
  graphql("errors that are cut off", '{"errors":[{"message":"Field', "server-error"),
  graphql("bad credentials", { message: "Bad credentials" }, "client-error", { status: 401, headers: spent }),
  graphql("a body that is not JSON", { message: "Problems parsing JSON" }, "client-error", { status: 400 }),
  graphql("a permission with 403", { message: "Resource not accessible by integration" }, "client-error", {
    status: 403,
    with: { status: 403 },
  }),
];
