import { knownGitHub } from "../../proxy/known-github.js";

interface Where {
  readonly upstream?: string | undefined;
  readonly host?: string | undefined;
}

const LOOPBACK = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;

/** Which GitHub these settings mean, as in gh's `GH_HOST`; see the options of a proxy. */
export function hostOf({ upstream, host }: Where): string {
  if (host !== undefined) return knownGitHub(host.toLowerCase()).host;
  if (upstream === undefined || LOOPBACK.test(new URL(upstream).hostname)) return "github.com";
  return knownGitHub(new URL(upstream).host).host;
}

/** Whether it is an Enterprise Server, for which gh wants variables of their own. */
export function isEnterprise(where: Where): boolean {
  return knownGitHub(hostOf(where)).apiPrefix !== "";
}
