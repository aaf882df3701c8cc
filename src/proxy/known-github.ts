/**
 * What a host of GitHub's is for. `api`: all of it is the API. `site`: an Enterprise Server's own name, where the API lies
 * under `/api/`. `own`: takes the same tokens, and counts nothing of it. `storage`: gets no token; its addresses are signed.
 */
export type HostRole = "api" | "site" | "own" | "storage";

/** One GitHub, by the names of its hosts. */
export interface KnownGitHub {
  /** As in gh's `GH_HOST`. */
  readonly host: string;
  readonly apiHost: string;
  /** Where the REST API begins on {@link KnownGitHub.apiHost}. */
  readonly apiPrefix: "" | "/api/v3";
  /** By exact lower-case name; whoever is not in it is not of this GitHub. */
  readonly roles: ReadonlyMap<string, HostRole>;
}

/** Where github.com keeps what it redirects to: archives, assets, avatars, logs and results of workflows. */
const STORAGE: readonly string[] = [
  "objects.githubusercontent.com",
  "release-assets.githubusercontent.com",
  "github-releases.githubusercontent.com",
  "gist.githubusercontent.com",
  "avatars.githubusercontent.com",
  "pipelines.actions.githubusercontent.com",
  "results-receiver.actions.githubusercontent.com",
  ...Array.from({ length: 20 }, (_, number) => `productionresultssa${number}.blob.core.windows.net`),
];

/**
 * The hosts of github.com, of an enterprise with data residency (`octocorp.ghe.com`, or `api.` before it), or of an
 * Enterprise Server.
 *
 * @see https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency/network-details-for-ghecom
 * @see https://docs.github.com/en/enterprise-server@latest/admin/configuring-settings/hardening-security-for-your-enterprise/enabling-subdomain-isolation
 */
export function knownGitHub(name: string): KnownGitHub {
  const host = name.startsWith("api.") ? name.slice("api.".length) : name;
  const storage = STORAGE.map((its): [string, HostRole] => [its, "storage"]);
  if (host === "github.com") {
    return cloud(host, [
      [host, "own"],
      ["codeload.github.com", "own"],
      ["raw.githubusercontent.com", "own"],
      ...storage,
    ]);
  }
  if (host !== name || host.endsWith(".ghe.com")) {
    return cloud(host, [[host, "own"], [`codeload.${host}`, "own"], [`raw.${host}`, "own"], ...storage]);
  }
  const beside = ["codeload", "raw", "uploads", "media"].map((its): [string, HostRole] => [`${its}.${host}`, "own"]);
  return { host, apiHost: host, apiPrefix: "/api/v3", roles: new Map([[host, "site"], ...beside]) };
}

function cloud(host: string, others: readonly (readonly [string, HostRole])[]): KnownGitHub {
  const roles = new Map<string, HostRole>([[`api.${host}`, "api"], [`uploads.${host}`, "api"], ...others]);
  return { host, apiHost: `api.${host}`, apiPrefix: "", roles };
}
