import { expect, it } from "vitest";
import { Variant } from "../../src/cache/variant.js";
import { KeptBytes } from "../../src/proxy/kept-bytes.js";

const variantOf = (body: string): Variant =>
  new Variant(
    { body, bytes: Buffer.byteLength(body), headers: new Map(), verified: true, fromStore: false },
    "https://api.github.com/user",
  );

it("makes the bytes of a kept answer once, for all who read it", () => {
  const kept = new KeptBytes();
  const [one, other] = [variantOf('{"name":"Zoë"}'), variantOf("[]")];

  expect(String(kept.of(one))).toBe('{"name":"Zoë"}');
  expect(kept.of(one)).toBe(kept.of(one));
  expect(String(kept.of(other))).toBe("[]");
  expect(String(kept.of(variantOf("")))).toBe("");
});

it("lets go of those that nobody has read for long", () => {
  const kept = new KeptBytes();
  const [first, ...more] = Array.from({ length: 40 }, (_, index) => variantOf(`${index}`.padEnd(1_048_576)));
  const bytes = kept.of(first as Variant);
  for (const variant of more) kept.of(variant);

  expect(kept.of(first as Variant)).not.toBe(bytes);
  expect(kept.of(first as Variant).equals(bytes)).toBe(true);
});
