// Marks that make clients repeat an argument in a header: which schemas are taken, and what is read out of them.
import { expect, test } from "vitest";
import { z } from "zod";
import { headerParameters } from "../../../src/features/schema/header-parameters.ts";
import { fromJsonSchema, tool } from "../../../src/index.ts";
import type { Json } from "../../../src/protocol.ts";

const MARK = "x-mcp-header";

const object = (properties: Json, more: Json = {}): Json => ({ type: "object", properties, ...more });
const marked = (name: unknown = "Region", type: unknown = "string"): Json => ({ type, [MARK]: name });

/** The schema as a tool has it. */
const defined = (schema: Json) => tool({ name: "t", input: fromJsonSchema(schema, () => undefined), run: () => "" });

test.each<[what: string, schema: Json, found: Json[]]>([
  ["nothing marked", object({ a: { type: "string" } }), []],
  ["no properties", { type: "object" }, []],
  ["a string", object({ a: marked() }), [{ name: "Region", path: ["a"], type: "string" }]],
  ["an integer", object({ a: marked("N", "integer") }), [{ name: "N", path: ["a"], type: "integer" }]],
  ["a boolean", object({ a: marked("B", "boolean") }), [{ name: "B", path: ["a"], type: "boolean" }]],
  [
    "two, and one deep inside",
    object({ a: marked("A"), b: object({ c: object({ d: marked("D") }) }) }),
    [
      { name: "A", path: ["a"], type: "string" },
      { name: "D", path: ["b", "c", "d"], type: "string" },
    ],
  ],
  [
    "every sign that a header name may have",
    object({ a: marked("!#$%&'*+-.^_`|~09azAZ") }),
    [{ name: "!#$%&'*+-.^_`|~09azAZ", path: ["a"], type: "string" }],
  ],
  [
    "beside composition that holds none",
    object({ a: marked("A"), b: { anyOf: [{ type: "string" }, { type: "null" }] } }),
    [{ name: "A", path: ["a"], type: "string" }],
  ],
  ["an argument whose own name is the mark", object({ [MARK]: { type: "string" } }), []],
  ["a default that looks like a mark", object({ a: { type: "object", default: { [MARK]: "x" } } }), []],
])("HDR-19 HDR-21 HDR-22 accepts: %s", (_what, schema, found) => {
  expect(headerParameters(schema, 'tool "t"')).toEqual(found);
  expect(defined(schema).headers()).toEqual(found);
});

const NO_TOKEN = [
  "",
  " ",
  "a b",
  "Régión",
  "a:b",
  "a\tb",
  "a\r\nX-Evil: 1",
  "a\u0000",
  "(a)",
  'a"',
  "a,b",
  "a;b",
  "a/b",
  "a=b",
  "[a]",
  "{a}",
  "a@b",
  "a?b",
  "a\\b",
  "\u{1f600}",
];

test.each([...NO_TOKEN, 1, true, null, {}, ["A"]])("HDR-19 refuses at the definition the name %j", (name) => {
  expect(() => defined(object({ place: marked(name) }))).toThrow(/^tool "t", place: x-mcp-header is the rest of a header name/);
});

test.each([["number"], ["object"], ["array"], ["null"], [["string", "null"]], [undefined]])(
  "HDR-21 refuses a mark on the type %j",
  (type) => {
    expect(() => defined(object({ place: { [MARK]: "A", type } }))).toThrow(
      'tool "t", place: x-mcp-header needs a string, an integer or a boolean',
    );
  },
);

test.each<[string, Json]>([
  ["the same", object({ a: marked("Region"), b: marked("Region") })],
  ["in other case", object({ a: marked("Region"), b: marked("rEGION", "integer") })],
  ["one deep inside", object({ a: marked("A"), b: object({ c: marked("a") }) })],
])("HDR-20 refuses two arguments in one header, %s", (_what, schema) => {
  expect(() => defined(schema)).toThrow('tool "t": two arguments have the same x-mcp-header');
});

test.each<[string, Json]>([
  ["items", object({ a: { type: "array", items: marked() } })],
  ["properties of items", object({ a: { type: "array", items: object({ b: marked() }) } })],
  ["prefixItems", object({ a: { type: "array", prefixItems: [marked()] } })],
  ["contains", object({ a: { type: "array", contains: marked() } })],
  ["oneOf", object({ a: { oneOf: [marked(), { type: "null" }] } })],
  ["anyOf", object({ a: { anyOf: [marked(), { type: "null" }] } })],
  ["allOf", object({ a: { allOf: [marked()] } })],
  ["not", object({ a: { not: marked() } })],
  ["if", object({ a: { if: marked() } })],
  ["else", object({ a: { if: {}, else: object({ b: marked() }) } })],
  ["additionalProperties", object({}, { additionalProperties: marked() })],
  ["patternProperties", object({}, { patternProperties: { "^a": marked() } })],
  ["dependentSchemas", object({ a: object({}, { dependentSchemas: { b: object({ c: marked() }) } }) })],
  ["the root itself", { ...object({}), [MARK]: "A" }],
  ["beside one that may", object({ a: marked("A"), b: { type: "array", items: marked("B") } })],
])("HDR-22 refuses a mark that %s leads to", (_what, schema) => {
  expect(() => defined(schema)).toThrow('tool "t": x-mcp-header is allowed only on arguments that are reached through "properties"');
});

test("HDR-22 resolves a reference to the schema that it names", () => {
  const schema = object({ a: { $ref: "#/$defs/place" } }, { $defs: { place: marked("Place") } });
  expect(defined(schema).headers()).toEqual([{ name: "Place", path: ["a"], type: "string" }]);
});

test("reads marks of zod schemas and of listed ones", () => {
  const input = z.object({
    place: z.string().meta({ [MARK]: "Region" }),
    count: z
      .int()
      .optional()
      .meta({ [MARK]: "Count" }),
  });
  const created = tool({ name: "t", input, run: () => "" });
  expect(created.headers().map(({ name, type }) => [name, type])).toEqual([
    ["Region", "string"],
    ["Count", "integer"],
  ]);
  expect(created.listing().inputSchema).toMatchObject({ properties: { place: { [MARK]: "Region" }, count: { [MARK]: "Count" } } });
  expect(() => tool({ name: "t", input: z.object({ price: z.number().meta({ [MARK]: "Price" }) }), run: () => "" })).toThrow(TypeError);
});

test("checks a lazy schema when it arrives", () => {
  const created = tool({ name: "t", input: () => z.object({ price: z.number().meta({ [MARK]: "Price" }) }), run: () => "" });
  expect(() => created.headers()).toThrow('tool "t", price: x-mcp-header needs');
});
