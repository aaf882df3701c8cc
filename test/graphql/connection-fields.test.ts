import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLField, getNamedType, isInterfaceType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { COUNT_FIELDS, ITEM_FIELDS } from "../../src/graphql/connection-fields.js";

const file = new URL("../../node_modules/@octokit/graphql-schema/schema.graphql", import.meta.url);
const types = Object.values(buildSchema(readFileSync(file, "utf8"), { assumeValidSDL: true }).getTypeMap())
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .filter((type) => !type.name.startsWith("__"));
const isConnection = (name: string): boolean => name.endsWith("Connection");
const fields = types.flatMap((type) => Object.values(type.getFields()).map((field) => ({ parent: type.name, field })));
const has = ({ args }: GraphQLField<unknown, unknown>, name: string) => args.some((one) => one.name === name);
const places = (found: typeof fields) => found.map(({ parent, field }) => `${parent}.${field.name}`);

/** What the estimate takes for granted, held against GitHub's whole schema. */
describe("in GitHub's schema", () => {
  it("every connection has items, and a page size that it must be asked with", () => {
    expect(types.filter((type) => isConnection(type.name)).length).toBeGreaterThan(100);
    for (const type of types.filter((one) => isConnection(one.name)))
      expect(Object.keys(type.getFields())).toEqual(expect.arrayContaining([...ITEM_FIELDS]));
    const unbounded = fields.filter(
      ({ field }) => isConnection(getNamedType(field.type).name) && !(has(field, "first") && has(field, "last")),
    );
    expect(places(unbounded)).toEqual([]);
  });

  it("a page size belongs to a connection, save in one place", () => {
    const others = fields.filter(
      ({ field }) => (has(field, "first") || has(field, "last")) && !isConnection(getNamedType(field.type).name),
    );
    // A list of topics: it is taken for a connection, and so costs less than is estimated.
    expect(places(others)).toEqual(["Topic.relatedTopics"]);
  });

  it("only connections have what tells a connection; where `Query` has `nodes`, it takes ids", () => {
    const elsewhere = fields.filter(
      ({ parent, field }) => !isConnection(parent) && (ITEM_FIELDS.has(field.name) || COUNT_FIELDS.has(field.name)),
    );
    expect(places(elsewhere)).toEqual(["Query.nodes"]);
    expect(elsewhere[0]?.field.args.map((one) => String(one.type))).toEqual(["[ID!]!"]);
    const withArguments = fields.filter(({ parent, field }) => isConnection(parent) && field.args.length > 0);
    expect(places(withArguments)).toEqual([]);
  });

  it("these are all the fields that tell a connection", () => {
    const onOthers = new Set(fields.filter(({ parent }) => !isConnection(parent)).map(({ field }) => field.name));
    const telling = fields
      .filter(({ parent, field }) => isConnection(parent) && !ITEM_FIELDS.has(field.name) && !onOthers.has(field.name))
      .map(({ field }) => field.name);
    expect([...COUNT_FIELDS].sort()).toEqual([...new Set(telling)].sort());
  });

  it("only `Query.nodes` takes a list of ids", () => {
    expect(places(fields.filter(({ field }) => has(field, "ids")))).toEqual(["Query.nodes"]);
  });

  it("`rateLimit` with a cost is found at the root of queries alone", () => {
    const found = fields.filter(({ field }) => field.name === "rateLimit" && String(field.type) === "RateLimit");
    expect(places(found)).toEqual(["Query.rateLimit"]);
  });
});
