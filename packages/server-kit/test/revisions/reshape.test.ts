// The tools that steps are written with: they change only what must change, and copy only that.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chain, each, inside, without } from "../../src/revisions/reshape.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

const same = (value: Json): Json => value;
const mark = (value: Json): Json => ({ ...value, marked: true });

describe("without", () => {
  test("leaves members out of a copy", () => {
    const value = { a: 1, b: 2, c: 3 };
    expect(without("a", "c", "x")(value)).toEqual({ b: 2 });
    expect(value).toEqual({ a: 1, b: 2, c: 3 });
  });
  test("returns the very same object when it has none of them", () => {
    const value = { a: undefined };
    expect(without("b")(value)).toBe(value);
    expect(without("a")(value)).toEqual({});
  });
  test("keeps members with names of prototypes as members", () => {
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":2,"a":3}');
    expect(Object.entries(without("a")(value))).toEqual([
      ["__proto__", { x: 1 }],
      ["constructor", 2],
    ]);
  });
});

describe("inside", () => {
  test("reshapes the object in a member", () =>
    expect(inside("a", mark)({ a: { b: 1 }, c: 2 })).toEqual({ a: { b: 1, marked: true }, c: 2 }));
  test.each([{}, { a: null }, { a: 1 }, { a: [] }, { a: "x" }, { b: {} }])("leaves %j unchanged", (value) => {
    expect(inside("a", mark)(value)).toBe(value);
  });
  test("returns the very same object when the shape does", () => {
    const value = { a: { b: 1 } };
    expect(inside("a", same)(value)).toBe(value);
  });
});

describe("each", () => {
  test("reshapes the objects of a list and leaves other values", () => {
    expect(each("a", mark)({ a: [{ b: 1 }, 2, null, [3]] })).toEqual({ a: [{ b: 1, marked: true }, 2, null, [3]] });
  });
  test.each([{}, { a: null }, { a: {} }, { a: "x" }, { a: [] }, { a: [1, "x", null] }])("leaves %j unchanged", (value) => {
    expect(each("a", mark)(value)).toBe(value);
  });
  test("keeps unchanged entries, and the author's list", () => {
    const list = [{ a: 1 }, { b: 2 }];
    const value = { list };
    const changed = each("list", without("b"))(value);
    expect(changed).toEqual({ list: [{ a: 1 }, {}] });
    expect((changed["list"] as Json[])[0]).toBe(list[0]);
    expect(value).toEqual({ list: [{ a: 1 }, { b: 2 }] });
    expect(each("list", same)(value)).toBe(value);
  });
});

describe("chain", () => {
  const add = (word: string) => (value: Json) => ({ word: `${String(value["word"] ?? "")}${word}` });
  test("applies one after the other", () => expect(chain(add("a"), undefined, add("b"), add("c"))!({})).toEqual({ word: "abc" }));
  test("returns a single function itself, and undefined for an empty list", () => {
    expect(chain(undefined, mark)).toBe(mark);
    expect(chain()).toBeUndefined();
    expect(chain(undefined)).toBeUndefined();
  });
});

test("never changes the given value", () => {
  const shape = chain(without("a"), inside("b", without("a")), each("c", without("a", "b")))!;
  const member = fc.letrec((tie) => ({
    object: fc.dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.oneof({ maxDepth: 2 }, fc.nat(), tie("object"), fc.array(tie("object"), { maxLength: 3 })),
    ),
  })).object;
  fc.assert(
    fc.property(member, (value) => {
      const before = JSON.stringify(value);
      shape(value as Json);
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});
