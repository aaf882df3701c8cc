import { expect, it } from "vitest";
import { GraphqlDocuments } from "../../src/graphql/documents.js";
import { collectGarbageUntil } from "../harness/collect-garbage.js";

it("remembers documents in bounded room, however short and many they are", async () => {
  const documents = new GraphqlDocuments();
  await documents.load();
  const before = process.memoryUsage().heapUsed;
  const megabytes = (): number => (process.memoryUsage().heapUsed - before) / 2 ** 20;
  for (let index = 0; index < 200_000; index++) documents.read(`{ a${index} }`, undefined);
  await collectGarbageUntil(() => megabytes() < 50);
  expect(megabytes()).toBeLessThan(50);
  expect(documents.read("{ a1 }", undefined)).toBeDefined();
});
