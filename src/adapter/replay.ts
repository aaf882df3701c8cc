/** The options object of Octokit's request hook, as far as it is looked at here. */
interface ReplayedOptions {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/**
 * Gives an answer to the caller as Octokit itself would have: resolves to what Octokit makes of a success, and rejects with
 * its RequestError otherwise. Nothing is sent, and no hook runs: plugins inside ours have had their turn at this call.
 *
 * It is `request`, the Octokit's own `octokit.request`, that reads the answer, so that the error is of the very class that
 * the program would test for. Of the hooks only auth is made up for: `authorization` is what the request was sent with;
 * Octokit redacts it. (`@octokit/auth-unauthenticated` also rewords errors; its words are not in these.)
 *
 * @param options The hook's options object; it is not written to.
 * @param given What stood in it as `request` before ours.
 *
 * @example
 * ```ts
 * return await replay<T>(octokit.request, options, given, response, init.headers.authorization);
 * ```
 */
export async function replay<T>(
  request: (options: ReplayedOptions) => Promise<unknown>,
  options: ReplayedOptions,
  given: object | undefined,
  response: Response,
  authorization: string | undefined,
): Promise<T> {
  try {
    const answer = await request({
      ...options,
      headers: authorization === undefined ? options.headers : { ...options.headers, authorization },
      // Without a hook `octokit.request` goes straight to `fetch`.
      request: { ...given, hook: undefined, fetch: async () => response },
    } as ReplayedOptions);
    return answer as T;
  } catch (error) {
    reattach(error, given);
    throw error;
  }
}

/** Whoever looks at the error's request finds the caller's own settings: retry plugins go by them, and send with them. */
function reattach(error: unknown, given: object | undefined): void {
  const { request } = (error ?? {}) as { readonly request?: { request?: object } };
  if (typeof request !== "object" || request === null) return;
  if (given === undefined) delete request.request;
  else request.request = { ...given };
}
