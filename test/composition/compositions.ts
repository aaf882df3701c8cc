import { Octokit as Core } from "@octokit/core";
import type { OctokitPlugin } from "@octokit/core/types";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { restEndpointMethods } from "@octokit/plugin-rest-endpoint-methods";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit as Whole } from "octokit";
import { squadRate } from "../../src/index.js";

const InWhole = Whole.plugin(squadRate);

/** A class with the surface of the `octokit` package and ours. */
export type HostClass = typeof InWhole;

/** An instance of one. */
export type Host = InstanceType<HostClass>;

/** Core with these plugins, the first innermost, and with `octokit.rest` and `octokit.paginate`. */
export function hostOf(...plugins: readonly OctokitPlugin[]): HostClass {
  return Core.plugin(restEndpointMethods, paginateRest, ...plugins) as unknown as HostClass;
}

/** plugin-retry and plugin-throttling between ours and GitHub. */
export const INSIDE: Readonly<Record<string, HostClass>> = {
  "in the octokit package": InWhole,
  "inside ours": hostOf(retry, throttling, squadRate),
  "inside ours, throttling innermost": hostOf(throttling, retry, squadRate),
};

/** plugin-retry and plugin-throttling as callers of ours. */
export const OUTSIDE: Readonly<Record<string, HostClass>> = {
  "outside ours": hostOf(squadRate, retry, throttling),
  "outside ours, throttling next to it": hostOf(squadRate, throttling, retry),
};

/** Both orders. */
export const EITHER: Readonly<Record<string, HostClass>> = { ...INSIDE, ...OUTSIDE };
