import type { Octokit } from "@octokit/core";

/** An Octokit, or what stands before one. */
export type Requester = Pick<Octokit, "request" | "graphql">;
