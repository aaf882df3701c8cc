import { type Form, NOW, RESET_AT, rate } from "./form.js";

const DOCS = "https://docs.github.com";
const LIMITS_PAGE = `${DOCS}/rest/using-the-rest-api/rate-limits-for-the-rest-api`;
const SECONDARY_PAGE = `${DOCS}/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits`;
const SUPPORT =
  "If you reach out to GitHub Support for help, please include the request ID 0A1B:2C3D:4E5F and timestamp 2026-01-01 00:00:00 UTC.";
/** A sentence of 2025 that speaks of terms where only a limit was met. */
const SCRAPING = `For more on scraping GitHub and how it may affect your rights, please review our Terms of Service (${DOCS}/en/site-policy/github-terms/github-terms-of-service)`;
const SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const CONTENT =
  "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.";
const ABUSE = "You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.";

const spent = rate(0);
const plenty = rate(4_321);

function page(words: string): string {
  return `<html>\n<head><title>Rate limit &middot; GitHub</title><style>h1 { color: #24292e }</style></head>\n<body><h1>Whoa there!</h1>\n<p>${words}<br><br>\nPlease wait a few minutes.</p></body></html>\n`;
}

function unicorn(status: number): string {
  return `<html>\r\n<head><title>${status} Bad Gateway</title></head>\r\n<body>\r\n<center><h1>${status} Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}

/** The quota is used up. */
export const PRIMARY_FORMS: readonly Form[] = [
  {
    name: "an address without credentials",
    status: 403,
    headers: rate(0, 60),
    body: {
      message:
        "API rate limit exceeded for 203.0.113.7. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)",
      documentation_url: LIMITS_PAGE,
    },
    outcome: "primary-limit",
    with: { how: "text", refused: "whole", resetAt: RESET_AT, retryAfterMs: undefined },
  },
  {
    name: "a user",
    status: 403,
    headers: { ...spent, "x-ratelimit-used": "5006" },
    body: { message: `API rate limit exceeded for user ID 1. ${SUPPORT}`, documentation_url: LIMITS_PAGE },
    outcome: "primary-limit",
    with: { resetAt: RESET_AT },
  },
  {
    name: "a user, with a word on terms of service after it",
    status: 403,
    headers: spent,
    body: { message: `API rate limit exceeded for user ID 1. ${SUPPORT} ${SCRAPING}`, status: "403" },
    outcome: "primary-limit",
  },
  {
    name: "an installation, with 429",
    status: 429,
    headers: spent,
    body: { message: "API rate limit exceeded for installation ID 1.", documentation_url: LIMITS_PAGE },
    outcome: "primary-limit",
  },
  {
    name: "the search's own window",
    status: 403,
    headers: rate(0, 30, "search"),
    body: { message: "API rate limit exceeded for user ID 1." },
    outcome: "primary-limit",
  },
  {
    name: "in the words of 2012",
    status: 403,
    headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0" },
    body: { message: "API Rate Limit Exceeded for octocat" },
    outcome: "primary-limit",
    with: { resetAt: undefined },
  },
  {
    name: "with a time to come back as well",
    status: 429,
    headers: { ...spent, "retry-after": "17" },
    body: { message: "API rate limit exceeded for user ID 1." },
    outcome: "primary-limit",
    with: { retryAfterMs: 17_000, resetAt: RESET_AT },
  },
  {
    name: "while the headers promise units",
    status: 403,
    headers: plenty,
    body: { message: "API rate limit exceeded for user ID 1." },
    outcome: "primary-limit",
    with: { how: "text", resetAt: RESET_AT },
  },
  {
    name: "without rate headers",
    status: 403,
    body: { message: "API rate limit exceeded for user ID 1." },
    outcome: "primary-limit",
    with: { resetAt: undefined },
  },
  {
    name: "of a HEAD, which has no body",
    status: 403,
    headers: spent,
    outcome: "primary-limit",
    with: { how: "head", resetAt: RESET_AT },
  },
  { name: "of a HEAD, with 429", status: 429, headers: spent, outcome: "primary-limit", with: { how: "head" } },
  {
    name: "with an empty object",
    status: 403,
    headers: spent,
    body: {},
    outcome: "primary-limit",
    with: { how: "head" },
  },
  {
    name: "with JSON that is cut off before it says anything",
    status: 403,
    headers: spent,
    body: '{"documentation_url":"https://docs.gith',
    outcome: "primary-limit",
    with: { how: "head" },
  },
  {
    name: "with JSON that is cut off after the first words",
    status: 403,
    headers: plenty,
    body: '{"message":"API rate limit exceeded for us',
    outcome: "primary-limit",
    with: { how: "text" },
  },
  {
    name: "with 429 and words nobody knows",
    status: 429,
    headers: spent,
    body: { message: "Slow down." },
    outcome: "primary-limit",
    with: { how: "head" },
  },
];

/** Too much at a time. */
export const SECONDARY_FORMS: readonly Form[] = [
  {
    name: "Retry-After and no rate headers",
    status: 403,
    headers: { "retry-after": "60" },
    body: { documentation_url: SECONDARY_PAGE, message: `${SECONDARY} ${SUPPORT}` },
    outcome: "secondary-limit",
    with: { how: "text", refused: "whole", blocked: "everything", retryAfterMs: 60_000 },
  },
  {
    name: "usual rate headers and no Retry-After",
    status: 403,
    headers: rate(21, 30, "search"),
    body: { documentation_url: SECONDARY_PAGE, message: SECONDARY },
    outcome: "secondary-limit",
    with: { how: "text", retryAfterMs: undefined },
  },
  {
    name: "with a word on terms of service in the middle",
    status: 403,
    headers: plenty,
    body: { message: `${SECONDARY} ${SCRAPING} ${SUPPORT}` },
    outcome: "secondary-limit",
  },
  { name: "429", status: 429, headers: plenty, body: { message: SECONDARY }, outcome: "secondary-limit" },
  {
    name: "nothing remaining besides: the words count",
    status: 403,
    headers: spent,
    body: { message: SECONDARY },
    outcome: "secondary-limit",
  },
  {
    name: "content creation",
    status: 403,
    headers: plenty,
    body: { documentation_url: SECONDARY_PAGE, message: CONTENT },
    outcome: "secondary-limit",
    with: { blocked: "content-creation" },
  },
  {
    name: "under its name before 2021",
    status: 403,
    headers: plenty,
    body: { documentation_url: "https://developer.github.com/v3/#abuse-rate-limits", message: ABUSE },
    outcome: "secondary-limit",
  },
  {
    name: "content creation under its name before 2021",
    status: 403,
    headers: { "retry-after": "30" },
    body: {
      message:
        "You have triggered an abuse detection mechanism and have been temporarily blocked from content creation. Please retry your request again later.",
    },
    outcome: "secondary-limit",
    with: { blocked: "content-creation", retryAfterMs: 30_000 },
  },
  {
    name: "known by the link alone",
    status: 403,
    body: {
      message: "Please slow down.",
      documentation_url: `${DOCS}/en/rest/overview/resources-in-the-rest-api#secondary-rate-limits`,
    },
    outcome: "secondary-limit",
  },
  {
    name: "known by the older link alone",
    status: 403,
    body: {
      message: "Please slow down.",
      documentation_url: `${DOCS}/en/rest/overview/resources-in-the-rest-api#abuse-rate-limits`,
    },
    outcome: "secondary-limit",
  },
  {
    name: "an endpoint that is throttled, with plenty of quota and the link that all limits share",
    status: 429,
    headers: plenty,
    body: {
      message: `This endpoint is temporarily being throttled. Please try again later. ${SCRAPING}`,
      documentation_url: LIMITS_PAGE,
      status: "429",
    },
    outcome: "secondary-limit",
    with: { how: "text", blocked: "endpoint" },
  },
  {
    name: "a page, with 429",
    status: 429,
    headers: { "content-type": "text/html" },
    body: page("You have triggered an abuse detection mechanism."),
    outcome: "secondary-limit",
    with: { how: "text" },
  },
  {
    name: "a page, with 403 and no word in the headers",
    status: 403,
    headers: { "content-type": "text/html" },
    body: page("You have exceeded a secondary rate limit."),
    outcome: "secondary-limit",
  },
  {
    name: "a page known by its title alone",
    status: 403,
    body: page("Easy."),
    outcome: "secondary-limit",
  },
  {
    name: "plain text",
    status: 429,
    headers: { "content-type": "text/plain" },
    body: `429: Too Many Requests\n${SCRAPING}.\n`,
    outcome: "secondary-limit",
    with: { how: "head" },
  },
  {
    name: "plain text with 403",
    status: 403,
    body: `${ABUSE}\n`,
    outcome: "secondary-limit",
    with: { how: "text" },
  },
  {
    name: "JSON that is cut off after the link",
    status: 403,
    headers: plenty,
    body: `{"documentation_url":"${SECONDARY_PAGE}","mess`,
    outcome: "secondary-limit",
    with: { how: "text" },
  },
  {
    name: "a HEAD with Retry-After",
    status: 403,
    headers: { "retry-after": "60" },
    outcome: "secondary-limit",
    with: { how: "head", retryAfterMs: 60_000 },
  },
  {
    name: "a HEAD with 429",
    status: 429,
    outcome: "secondary-limit",
    with: { how: "head", retryAfterMs: undefined },
  },
  {
    name: "a HEAD with the header that names the limiter",
    status: 403,
    headers: { ...plenty, "gh-limited-by": "search-elapsed-time-shared-grouped" },
    outcome: "secondary-limit",
    with: { how: "head" },
  },
  {
    name: "an enterprise server's: limiter and Retry-After, no rate headers",
    status: 403,
    headers: { "gh-limited-by": "time-based", "gh-limited-group": "api", "retry-after": "5" },
    body: { message: SECONDARY },
    outcome: "secondary-limit",
    with: { retryAfterMs: 5_000 },
  },
  {
    name: "Retry-After beside words nobody knows",
    status: 403,
    headers: { "retry-after": "60" },
    body: { message: "Come back later." },
    outcome: "secondary-limit",
    with: { how: "head" },
  },
  {
    name: "an HTTP date in Retry-After",
    status: 403,
    headers: { "retry-after": new Date(NOW + 90_000).toUTCString() },
    body: { message: SECONDARY },
    outcome: "secondary-limit",
    with: { retryAfterMs: 90_000 },
  },
  {
    name: "nonsense in Retry-After",
    status: 403,
    headers: { "retry-after": "in a while" },
    body: { message: SECONDARY },
    outcome: "secondary-limit",
    with: { retryAfterMs: undefined },
  },
];

function forbidden(name: string, message: string, more: Partial<Form> = {}): Form {
  return { name, status: 403, headers: plenty, body: { message }, outcome: "client-error", ...more };
}

/** Refused, but by no limit. */
export const REFUSED_OTHERWISE_FORMS: readonly Form[] = [
  forbidden("an app's permission", "Resource not accessible by integration"),
  forbidden("a token's permission", "Resource not accessible by personal access token"),
  forbidden("a role", "Must have admin rights to Repository."),
  forbidden("a permission, answered with the last unit", "Resource not accessible by integration", {
    headers: spent,
  }),
  forbidden("a permission, answered with the last unit and cut off", "", {
    headers: spent,
    body: '{"message":"Resource not accessible by integ',
  }),
  forbidden(
    "single sign-on",
    "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.",
    {
      headers: { ...plenty, "x-github-sso": "required; url=https://github.com/orgs/acme/sso?authorization_request=1" },
    },
  ),
  forbidden(
    "an IP allow list of an organization with an unfortunate name",
    "Although you appear to have the correct authorization credentials, the `secondary-rate-limit` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.",
  ),
  forbidden("a repository with an unfortunate name", 'Write access to "rate-limit-exceeded" not granted.'),
  forbidden("terms of service", "", {
    body: {
      message: "Repository access blocked",
      block: { reason: "tos", created_at: "2021-06-08T01:02:15Z", html_url: "https://github.com/tos" },
    },
  }),
  forbidden("a suspended account", "Sorry. Your account was suspended."),
  forbidden("a suspended installation", "This installation has been suspended"),
  forbidden("an address to be verified", "At least one email address must be verified to do that."),
  forbidden("an archived repository", "Repository was archived so is read-only."),
  forbidden(
    "too many logins, which waiting by the limits' rules does not mend",
    "Maximum number of login attempts exceeded. Please try again later.",
    {
      headers: {},
    },
  ),
  forbidden("a blob that is too large", "", {
    body: {
      message: "This API returns blobs up to 1 MB in size. The requested blob is too large to fetch via the API.",
      errors: [{ resource: "Blob", field: "data", code: "too_large" }],
    },
  }),
  forbidden("an issue's title in the words", 'Issue "You have exceeded a secondary rate limit" is locked.'),
  forbidden("another's words, quoted further on", "Forbidden: API rate limit exceeded, said the hook."),
  forbidden("words in another field", "", {
    body: { message: "Forbidden", errors: [{ value: "You have exceeded a secondary rate limit." }], title: "abuse" },
  }),
  forbidden("a link that all limits share", "", { body: { message: "Forbidden", documentation_url: LIMITS_PAGE } }),
  forbidden("a user agent that is missing", "", {
    headers: { "content-type": "text/html" },
    body: "\r\nRequest forbidden by administrative rules. Please make sure your request has a User-Agent header.\r\n",
  }),
  forbidden("somebody else's page", "", {
    headers: { "content-type": "text/html" },
    body: "<!DOCTYPE html><title>Blocked</title><p>Your company's proxy says no. Ask about the secondary rate limit.</p>",
  }),
  { name: "a HEAD without a word", status: 403, headers: plenty, outcome: "client-error", with: { status: 403 } },
  {
    name: "401, whatever its headers say",
    status: 401,
    headers: { ...rate(0, 60), "retry-after": "60" },
    body: { message: "Bad credentials" },
    outcome: "client-error",
    with: { status: 401 },
  },
  {
    name: "401 in a limit's words",
    status: 401,
    headers: spent,
    body: { message: "API rate limit exceeded" },
    outcome: "client-error",
  },
  {
    name: "rate limits that a server does not have",
    status: 404,
    body: { message: "Rate limiting is not enabled." },
    outcome: "client-error",
    with: { status: 404 },
  },
  {
    name: "a validation that quotes a title",
    status: 422,
    headers: plenty,
    body: { message: "Validation Failed", errors: [{ value: "You have exceeded a secondary rate limit." }] },
    outcome: "client-error",
    with: { status: 422 },
  },
  { name: "400", status: 400, body: { message: "Problems parsing JSON" }, outcome: "client-error" },
  { name: "409", status: 409, body: { message: "Git Repository is empty." }, outcome: "client-error" },
  { name: "410", status: 410, body: { message: "Issues are disabled for this repo" }, outcome: "client-error" },
  {
    name: "451",
    status: 451,
    body: { message: "Repository access blocked", block: { reason: "dmca" } },
    outcome: "client-error",
    with: { status: 451 },
  },
];

/** No refusal at all, and GitHub being unwell. */
export const OTHER_FORMS: readonly Form[] = [
  { name: "200", status: 200, headers: plenty, outcome: "ok" },
  { name: "the last unit's 200", status: 200, headers: spent, outcome: "ok" },
  {
    name: "an issue that is called like a refusal",
    status: 200,
    headers: spent,
    body: { message: "API rate limit exceeded", title: "You have exceeded a secondary rate limit." },
    outcome: "ok",
  },
  { name: "201", status: 201, outcome: "ok" },
  { name: "202, while statistics are counted", status: 202, body: {}, outcome: "ok" },
  { name: "204", status: 204, outcome: "ok" },
  { name: "a page as asked for", status: 200, headers: { "content-type": "text/html" }, body: "<p>Hi", outcome: "ok" },
  { name: "304", status: 304, headers: spent, outcome: "not-modified" },
  { name: "301", status: 301, headers: { location: "https://api.github.com/repositories/1" }, outcome: "redirect" },
  { name: "307", status: 307, outcome: "redirect" },
  { name: "500", status: 500, body: { message: "Server Error" }, outcome: "server-error", with: { status: 500 } },
  { name: "502 with a page", status: 502, body: unicorn(502), outcome: "server-error", with: { status: 502 } },
  {
    name: "503 with a time to come back",
    status: 503,
    headers: { "retry-after": "120" },
    body: unicorn(503),
    outcome: "server-error",
    with: { retryAfterMs: 120_000 },
  },
  {
    name: "504 with JSON",
    status: 504,
    body: { message: "We couldn't respond to your request in time. Sorry about that." },
    outcome: "server-error",
    with: { retryAfterMs: undefined },
  },
  {
    name: "502 in a limit's words, which a gateway may repeat",
    status: 502,
    headers: spent,
    body: { message: SECONDARY },
    outcome: "server-error",
  },
];
