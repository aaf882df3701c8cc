import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { createTestGitHub, TOKEN } from "./world-fixture.js";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
            >;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let description: Description;
beforeAll(() => {
  const file = new URL("../../../node_modules/@octokit/openapi/generated/api.github.com.json", import.meta.url);
  description = JSON.parse(readFileSync(file, "utf8"));
});

/** Routes by their description, and a path that the test world answers. */
const READS: readonly (readonly [template: string, path: string])[] = [
  ["/user", "/user"],
  ["/users/{username}", "/users/mona"],
  ["/orgs/{org}/repos", "/orgs/acme/repos"],
  ["/repos/{owner}/{repo}", "/repos/acme/app"],
  ["/repos/{owner}/{repo}/issues", "/repos/acme/app/issues"],
  ["/repos/{owner}/{repo}/issues/{issue_number}", "/repos/acme/app/issues/1"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/comments", "/repos/acme/app/issues/1/comments"],
  ["/repos/{owner}/{repo}/labels", "/repos/acme/app/labels"],
  ["/repos/{owner}/{repo}/pulls", "/repos/acme/app/pulls"],
  ["/repos/{owner}/{repo}/pulls/{pull_number}", "/repos/acme/app/pulls/2"],
  ["/repos/{owner}/{repo}/pulls/{pull_number}/comments", "/repos/acme/app/pulls/2/comments"],
  ["/repos/{owner}/{repo}/pulls/comments", "/repos/acme/app/pulls/comments"],
  ["/repos/{owner}/{repo}/pulls/{pull_number}/reviews", "/repos/acme/app/pulls/2/reviews"],
  ["/repos/{owner}/{repo}/pulls/{pull_number}/files", "/repos/acme/app/pulls/2/files"],
  ["/repos/{owner}/{repo}/commits", "/repos/acme/app/commits"],
  ["/repos/{owner}/{repo}/commits/{ref}", "/repos/acme/app/commits/main"],
  ["/repos/{owner}/{repo}/commits/{ref}/check-runs", "/repos/acme/app/commits/main/check-runs"],
  ["/repos/{owner}/{repo}/commits/{ref}/status", "/repos/acme/app/commits/main/status"],
  ["/repos/{owner}/{repo}/branches", "/repos/acme/app/branches"],
  ["/repos/{owner}/{repo}/branches/{branch}", "/repos/acme/app/branches/main"],
  ["/repos/{owner}/{repo}/git/ref/{ref}", "/repos/acme/app/git/ref/heads/main"],
  ["/repos/{owner}/{repo}/git/matching-refs/{ref}", "/repos/acme/app/git/matching-refs/heads"],
  ["/repos/{owner}/{repo}/contents/{path}", "/repos/acme/app/contents/README.md"],
  ["/repos/{owner}/{repo}/releases", "/repos/acme/app/releases"],
  ["/repos/{owner}/{repo}/stargazers", "/repos/acme/app/stargazers"],
  ["/repos/{owner}/{repo}/events", "/repos/acme/app/events"],
  ["/notifications", "/notifications"],
  ["/search/issues", "/search/issues?q=fix"],
  ["/search/repositories", "/search/repositories?q=app"],
  ["/search/code", "/search/code?q=app"],
  ["/rate_limit", "/rate_limit"],
];

describe("bodies against GitHub's OpenAPI description", () => {
  it.each(READS)("GET %s has what is required and nothing unknown", async (template, path) => {
    const { github, send } = createTestGitHub();
    const on = { owner: "acme", repo: "app" };
    github.world.addIssue({ ...on, title: "fix", body: "now", labels: ["bug"], assignees: ["mona"] });
    github.world.addPullRequest({ ...on, title: "fix", body: "now" });
    github.world.addComment({ ...on, number: 1, body: "x" });
    github.world.addReview({ ...on, number: 2, state: "APPROVED" });
    github.world.addReviewComment({ ...on, number: 2, body: "x" });
    github.world.addCheckRun({ ...on, name: "ci" });
    github.world.addRelease({ ...on, tagName: "v1" });
    github.world.addNotification("mona", { ...on, number: 1 });
    github.world.star("mona", "acme", "app");
    const { refs } = { refs: await (await send("/repos/acme/app/commits/main")).json() };
    github.world.addStatus({ ...on, sha: refs.sha, state: "success" });
    expect(github.usage(TOKEN).used).toBe(1);
    const schema = description.paths[template]?.get?.responses["200"]?.content?.["application/json"]?.schema;
    expect(schema).toBeDefined();
    const response = await send(path);
    expect(response.status).toBe(200);
    expect(misfits(await response.json(), schema as Schema)).toEqual([]);
  });
});

/** Known where the description lags behind what GitHub sends, or the simulator leaves out what no recording has. */
const FORGIVEN =
  /\.(app|permissions|template_repository|license|payload|pull_requests|check_suite|search_type|timeline_url|code_scanning_upload|audit_log|audit_log_streaming|reactions|performed_via_github_app|temp_clone_token|events_url|score|_links|security_and_analysis|digest|immutable)\b/;

function misfits(value: unknown, schema: Schema, path = ""): string[] {
  const found = compare(value, schema, path);
  return [...new Set(found)].filter((one) => !FORGIVEN.test(one));
}

function compare(value: unknown, schema: Schema, path: string): string[] {
  if (schema.$ref !== undefined)
    return compare(value, description.components.schemas[schema.$ref.split("/").pop() ?? ""] ?? {}, path);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    const results = choices.map((choice) => compare(value, choice, path));
    return results.find((result) => result.length === 0) ?? results[0] ?? [];
  }
  if (schema.allOf !== undefined) return schema.allOf.flatMap((part) => compare(value, part, path));
  if (value === null)
    return schema.nullable === true ||
      schema.type === undefined ||
      (Array.isArray(schema.type) && schema.type.includes("null"))
      ? []
      : [`${path} is null`];
  if (Array.isArray(value))
    return schema.items === undefined
      ? []
      : value.flatMap((item) => compare(item, schema.items as Schema, `${path}[]`));
  if (typeof value !== "object" || schema.properties === undefined) return typeMisfit(value, schema, path);
  const record = value as Record<string, unknown>;
  const missing = (schema.required ?? [])
    .filter((name) => !(name in record))
    .map((name) => `${path}.${name} is missing`);
  const strange =
    schema.additionalProperties === undefined
      ? Object.keys(record)
          .filter((name) => !(name in (schema.properties ?? {})))
          .map((name) => `${path}.${name} is unknown`)
      : [];
  const inner = Object.entries(record).flatMap(([name, one]) => {
    const known = schema.properties?.[name];
    return known === undefined ? [] : compare(one, known, `${path}.${name}`);
  });
  return [...missing, ...strange, ...inner];
}

function typeMisfit(value: unknown, { type }: Schema, path: string): string[] {
  const wanted = typeof type === "string" ? [type] : (type ?? []);
  const actual =
    typeof value === "number" ? (Number.isInteger(value) ? ["integer", "number"] : ["number"]) : [typeof value];
  return wanted.length === 0 || actual.some((one) => wanted.includes(one))
    ? []
    : [`${path} is ${actual[0]}, not ${wanted.join(" or ")}`];
}
