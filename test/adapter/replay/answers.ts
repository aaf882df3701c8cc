/** How a stub answers a request. */
export type Answering = (url: string, init: RequestInit) => Response;

export const JSON_TYPE = "application/json; charset=utf-8";
/** What a stub gives; with an address, as `fetch` does it. */
export function answer(
  status: number,
  body: BodyInit | null,
  headers: Readonly<Record<string, string>> = {},
): Answering {
  return (url) => {
    const response = new Response(body, {
      status,
      statusText: `Status ${status}`,
      headers: { date: "Thu, 01 Jan 2026 00:00:00 GMT", ...headers },
    });
    return Object.defineProperty(response, "url", { value: url });
  };
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answering {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return answer(status, text, { "content-type": JSON_TYPE, ...headers });
}

export const DOCS = "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting";
export const SPENT = { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767229200" };
export const SECONDARY = {
  message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
  documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits",
};
