/** What stands under `request` in Octokit's options, as far as ours writes to it. */
interface Settings {
  fetch?: unknown;
  hook?: unknown;
  retries?: unknown;
  retryAfter?: unknown;
  retryCount?: unknown;
}

/** An error with the request that it is about, as Octokit's are. */
interface AboutRequest {
  readonly request?: { request?: Settings };
}

/** What ours had written into the settings. */
export interface Written {
  readonly seam: unknown;
  /** Also `retries: 0`, to keep a retry plugin of the host from retrying; what that has noted then is of no use. */
  readonly retries: boolean;
}

/**
 * Whoever looks at the request of an error finds the caller's own settings, `given`, and not the fetch of a call that is
 * over: retry plugins go by them, and programs send such a request again. What plugins inside ours noted there stays.
 */
export function showOwnSettings(error: unknown, given: object | undefined, { seam, retries }: Written): void {
  const { request } = (error ?? {}) as AboutRequest;
  // One without the seam is none of ours.
  if (request?.request === undefined || request.request.fetch !== seam) return;
  if (given === undefined) {
    delete request.request;
    return;
  }
  const shown: Settings = { ...request.request };
  restore(shown, given, "fetch");
  restore(shown, given, "hook");
  if (retries) {
    restore(shown, given, "retries");
    restore(shown, given, "retryAfter");
  }
  request.request = shown;
}

/** Says how often a call was tried again where plugin-retry, whose place ours has taken, says so by its documentation. */
export function noteRetries(error: unknown, retryCount: number): void {
  const { request } = (error ?? {}) as AboutRequest;
  if (request === undefined || request.request === undefined || !(retryCount > 0)) return;
  request.request = { ...request.request, retryCount };
}

function restore(shown: Settings, given: Settings, key: keyof Settings): void {
  if (key in given) shown[key] = given[key];
  else delete shown[key];
}
