import { showOwnSettings } from "./own-settings.js";

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
  const seam = async (): Promise<Response> => response;
  try {
    const answer = await request({
      ...options,
      headers: authorization === undefined ? options.headers : { ...options.headers, authorization },
      // Without a hook `octokit.request` goes straight to `fetch`.
      request: { ...given, hook: undefined, fetch: seam },
    } as ReplayedOptions);
    return answer as T;
  } catch (error) {
    showOwnSettings(error, given, { seam, retries: false });
    throw error;
  }
}
