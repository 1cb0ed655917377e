import { describe, expect, test } from "vitest";
import { differences, fillHoles } from "./message-match.ts";

describe("matching messages", () => {
  test.each([
    [{ a: [1, "x", null, true] }, { a: [1, "x", null, true] }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ["<any>", { whatever: [1] }],
    ["<any>", null],
    ["<string>", ""],
    ["<number>", 0],
    [
      { id: "<number>", list: ["<any>"] },
      { id: 7, list: [[]] },
    ],
    ["a <string> inside text", "a <string> inside text"],
  ])("%j, %j", (expected, came) => {
    expect(differences(expected, came, new Map())).toEqual([]);
  });
});

describe("differences by path", () => {
  test.each<[unknown, unknown, string[]]>([
    [{ a: 1 }, { a: 1, b: 2 }, ["b: not expected, received 2"]],
    [{ a: 1, b: 2 }, { a: 1 }, ["b: expected 2, missing"]],
    [{ a: "<any>" }, {}, ['a: expected "<any>", missing']],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, ["a.b[1]: expected 2, received 3"]],
    [[1], [1, 2], ["[1]: not expected, received 2"]],
    [[1, 2], [1], ["[1]: expected 2, missing"]],
    [1, "1", ['message: expected 1, received "1"']],
    [[], {}, ["message: expected [], received {}"]],
    [null, {}, ["message: expected null, received {}"]],
    ["<string>", 1, ["message: expected <string>, received 1"]],
    ["<number>", "1", ['message: expected <number>, received "1"']],
    [{ constructor: 1 }, {}, ["constructor: expected 1, missing"]],
    [{}, JSON.parse('{"__proto__":1}'), ["__proto__: not expected, received 1"]],
    [{ a: 1, b: 2 }, { a: 2, b: 3 }, ["a: expected 1, received 2", "b: expected 2, received 3"]],
    [1, "x".repeat(300), [`message: expected 1, received "${"x".repeat(199)}…`]],
  ])("%j, %j", (expected, came, found) => {
    expect(differences(expected, came, new Map())).toEqual(found);
  });
});

test("placeholders keep their first value and require it again", () => {
  const kept = new Map<string, unknown>();
  expect(differences({ nextCursor: "<string:cursor>", id: "<any:id>" }, { nextCursor: "abc", id: 4 }, kept)).toEqual([]);
  expect(fillHoles({ params: { cursor: "<=cursor>" }, id: "<=id>", other: ["<=unknown>"] }, kept)).toEqual({
    params: { cursor: "abc" },
    id: 4,
    other: ["<=unknown>"],
  });
  expect(differences({ id: "<=id>" }, { id: 4 }, kept)).toEqual([]);
  expect(differences({ id: "<=id>" }, { id: "4" }, kept)).toEqual(['id: expected 4, received "4"']);
});

test("sets no placeholder for a message without a match", () => {
  const kept = new Map<string, unknown>();
  differences({ a: "<any:a>", b: 1 }, { a: 1, b: 2 }, kept);
  expect(kept.size).toBe(0);
});
