// Values as text: equal values give equal text, however their keys are ordered, and different ones never do.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/peer/request-state.ts";

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reordered(inner)]));
}

test.each([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ a: { d: [{ y: 1, x: 2 }], c: null } }, '{"a":{"c":null,"d":[{"x":2,"y":1}]}}'],
  [[3, 1, 2], "[3,1,2]"],
  [{ b: undefined, a: "ä\n" }, '{"a":"ä\\n"}'],
  [{ Z: 1, a: 2, ä: 3, "10": 4, "9": 5 }, '{"9":5,"10":4,"Z":1,"a":2,"ä":3}'],
  [JSON.parse('{"b":1,"__proto__":{"x":1}}'), '{"__proto__":{"x":1},"b":1}'],
  ["text", '"text"'],
  [null, "null"],
])("%j", (value, text) => expect(canonicalJson(value)).toBe(text));

test("ignores the order of keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
    }),
  );
});

test("keeps the value in the text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
