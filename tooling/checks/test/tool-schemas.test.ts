/** Schemas of the tools that the four servers list, by their golden files. */
import { describe, expect, test } from "vitest";
import { readSources } from "../src/sources.ts";
import { schemaProblems, type ListedTool } from "./support/tool-schemas.ts";

const golden = Object.entries(readSources("servers/*/test/golden/*.tools.json"));

test("reads the golden lists of four servers", () => {
  expect(new Set(golden.map(([file]) => file.split("/")[1])).size).toBe(4);
});

test.each(golden)("%s: every property has a type, and tools without arguments refuse others", (_file, text) => {
  const tools = JSON.parse(text) as ListedTool[]; // written by the golden tests
  expect(tools.length).toBeGreaterThan(0);
  expect(schemaProblems(tools)).toEqual([]);
});

describe("the rules", () => {
  const tool = (inputSchema: object, outputSchema?: object): ListedTool[] => [
    { name: "t", inputSchema: { ...inputSchema }, ...(outputSchema !== undefined && { outputSchema: { ...outputSchema } }) },
  ];
  const text = { type: "string" };

  test.each<[title: string, tools: ListedTool[], problems: string[]]>([
    ["accept typed properties", tool({ type: "object", properties: { a: text } }, { type: "object", properties: { b: text } }), []],
    ["accept a tool without arguments", tool({ type: "object", properties: {}, additionalProperties: false }), []],
    [
      "report a tool without arguments that accepts others",
      tool({ type: "object" }),
      ['t: expected "additionalProperties": false, as it has no arguments'],
    ],
    ["report an untyped argument", tool({ properties: { a: { description: "x" } } }), ["t: input.a: expected a type"]],
    ["report a list of types", tool({ properties: { a: { type: ["string", "null"] } } }), ["t: input.a: expected a type"]],
    [
      "report an untyped property of items",
      tool({ properties: { a: { type: "array", items: { type: "object", properties: { b: {} } } } } }),
      ["t: input.a[].b: expected a type"],
    ],
    ["report a list without items", tool({ properties: { a: { type: "array" } } }), ["t: input.a[]: expected a type"]],
    [
      "report items of any type in a list of lists",
      tool({ properties: { a: { type: "array", items: { type: "array", items: {} } } } }),
      ["t: input.a[][]: expected a type"],
    ],
    [
      "report untyped values of a map",
      tool({ properties: { a: { type: "object", additionalProperties: {} } } }),
      ["t: input.a[]: expected a type"],
    ],
    [
      "accept any values in the rows of a result",
      tool({ properties: { a: text } }, { properties: { rows: { type: "array", items: {} } } }),
      [],
    ],
    [
      "report an untyped property of a result",
      tool({ properties: { a: text } }, { properties: { rows: {} } }),
      ["t: output.rows: expected a type"],
    ],
  ])("%s", (_title, tools, problems) => expect(schemaProblems(tools)).toEqual(problems));
});
