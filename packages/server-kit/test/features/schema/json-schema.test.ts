// The form in which schemas are published (security cases KIT-04 … KIT-06).
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { publish } from "../../../src/features/schema/json-schema.ts";
import { fromJsonSchema, type Schema } from "../../../src/features/schema/schema.ts";
import { isObject, type Json } from "../../../src/wire/json-rpc.ts";

const raw = (schema: Json): Schema => fromJsonSchema(schema, () => undefined);
const strict = (schema: Json, side: "input" | "output" = "input"): Json =>
  publish(raw(schema), side, { owner: 'tool "t"', strictHosts: true });
const field = (schema: Json): unknown => (strict({ type: "object", properties: { a: schema } })["properties"] as Json)["a"];

describe("a schema for hosts", () => {
  test("has no dialect line and no definitions", () => {
    expect(
      strict({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", $defs: { x: {} }, definitions: { y: {} } }),
    ).toEqual({ type: "object" });
  });

  test("has no bounds of safe integers", () => {
    expect(field({ type: "integer", minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })).toEqual({ type: "integer" });
    expect(field({ type: "integer", minimum: 0, maximum: 2 ** 53 - 2 })).toEqual({ type: "integer", minimum: 0, maximum: 2 ** 53 - 2 });
  });

  test("has a type beside every enum of one kind", () => {
    expect(field({ enum: ["a", "b"] })).toEqual({ type: "string", enum: ["a", "b"] });
    expect(field({ enum: [1, 2] })).toEqual({ type: "number", enum: [1, 2] });
    expect(field({ enum: [null] })).toEqual({ type: "null", enum: [null] });
    expect(field({ enum: ["a", 1] })).toEqual({ enum: ["a", 1] });
    expect(field({ type: "string", enum: ["a"] })).toEqual({ type: "string", enum: ["a"] });
  });

  test("has local references replaced by their schemas", () => {
    const point = { type: "object", properties: { x: { type: "number" } } };
    const schema = {
      type: "object",
      $defs: { point },
      properties: { a: { $ref: "#/$defs/point" }, b: { $ref: "#/$defs/point", description: "B" } },
    };
    expect(strict(schema)).toEqual({ type: "object", properties: { a: point, b: { ...point, description: "B" } } });
    expect(
      strict({ ...schema, $defs: undefined, definitions: { point }, properties: { a: { $ref: "#/definitions/point" } } })["properties"],
    ).toEqual({ a: point });
  });

  test("is converted at every position of a schema", () => {
    const inner = { $schema: "https://json-schema.org/draft/2020-12/schema", $ref: "#/$defs/word", maximum: Number.MAX_SAFE_INTEGER };
    const clean = { type: "string" };
    const rows: [Json, Json][] = [
      ...[
        "items",
        "additionalProperties",
        "propertyNames",
        "not",
        "contains",
        "if",
        "then",
        "else",
        "unevaluatedProperties",
        "unevaluatedItems",
      ].map((key): [Json, Json] => [{ [key]: inner }, { [key]: clean }]),
      ...["anyOf", "oneOf", "allOf", "prefixItems"].map((key): [Json, Json] => [{ [key]: [inner, inner] }, { [key]: [clean, clean] }]),
      ...["properties", "patternProperties", "dependentSchemas"].map((key): [Json, Json] => [
        { [key]: { k: inner } },
        { [key]: { k: clean } },
      ]),
    ];
    for (const [given, expected] of rows) {
      const published = strict({ type: "object", $defs: { word: clean }, properties: { a: given } });
      expect.soft(published["properties"], JSON.stringify(given)).toEqual({ a: expected });
    }
  });

  test("keeps data inside a schema unchanged", () => {
    const data = { $schema: "x", $ref: "https://x.example/", $defs: {}, maximum: Number.MAX_SAFE_INTEGER, enum: ["a"] };
    for (const key of ["default", "const", "examples", "x-data"])
      expect.soft(field({ [key]: key === "examples" ? [data] : data })).toEqual({ [key]: key === "examples" ? [data] : data });
    expect(field({ enum: [data] })).toMatchObject({ enum: [data] });
  });

  test("may have properties with names of keywords and of prototypes", () => {
    const properties = JSON.parse(
      '{"$ref":{"type":"string"},"$schema":{"type":"string"},"enum":{"type":"string"},"__proto__":{"type":"string"}}',
    );
    expect(Object.keys(strict({ type: "object", properties })["properties"] as Json)).toEqual(["$ref", "$schema", "enum", "__proto__"]);
  });

  test("may come from zod", () => {
    const schema = z.object({
      path: z.string(),
      limit: z.int().optional(),
      mode: z.enum(["a", "b"]).default("a"),
      deep: z.object({ x: z.null() }).nullable(),
    });
    expect(publish(schema, "input", { owner: "", strictHosts: true })).toEqual({
      type: "object",
      properties: {
        path: { type: "string" },
        limit: { type: "integer" },
        mode: { type: "string", enum: ["a", "b"], default: "a" },
        deep: { anyOf: [{ type: "object", properties: { x: { type: "null" } }, required: ["x"] }, { type: "null" }] },
      },
      required: ["path", "deep"],
    });
  });
});

describe("refuses with its owner's name a schema that no host accepts", () => {
  const loop = {
    type: "object",
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    properties: { first: { $ref: "#/$defs/node" } },
  };
  const mutual = {
    type: "object",
    $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    properties: { x: { $ref: "#/$defs/a" } },
  };
  const outside = [
    "https://x.example/s",
    "http://x.example/s",
    "file:///etc/passwd",
    "#/properties/a",
    "#",
    "#/$defs/a%",
    "#/required/0",
    "other",
    "#/$defs/missing",
    "#/$defs/a/b",
    "#/$defs/__proto__",
    "#/$defs/constructor",
    7,
    null,
  ];
  const rows: [string, Json][] = [
    ["KIT-04 a reference to itself", loop],
    ["KIT-04 references in a circle", mutual],
    ...outside.map((ref): [string, Json] => [
      `KIT-05 SCHEMA-05 SCHEMA-08 $ref ${String(ref)}`,
      { type: "object", $defs: { a: { $defs: { b: {} } } }, properties: { a: { $ref: ref } } },
    ]),
    ...["if", "contains", "unevaluatedProperties"].map((key): [string, Json] => [
      `KIT-05 $ref in ${key}`,
      { type: "object", properties: { a: { [key]: { $ref: "https://x.example/" } } } },
    ]),
    ["KIT-05 $ref in dependentSchemas", { type: "object", dependentSchemas: { a: { $ref: "https://x.example/" } } }],
    ["KIT-05 $dynamicRef", { type: "object", properties: { a: { $dynamicRef: "#x" } } }],
    ["another root", { type: "string" }],
    ["no type at the root", { properties: {} }],
    ["a list of types at the root", { type: ["object", "null"] }],
    ...["anyOf", "oneOf", "allOf"].map((key): [string, Json] => [`${key} at the root`, { type: "object", [key]: [{}] }]),
    ["not at the root", { type: "object", not: {} }],
  ];
  test.each(rows)("%s", (_title, schema) => {
    expect(() => strict(schema)).toThrow(/^tool "t": /);
    expect(() => strict(schema, "output")).toThrow(/^tool "t": /);
  });

  test("KIT-04 SCHEMA-09 refuses data 100,000 levels deep without a stack overflow", () => {
    let deep: Json = { type: "string" };
    for (let at = 0; at < 100_000; at++) deep = { type: "array", items: deep };
    expect(() => strict({ type: "object", properties: { a: deep } })).toThrow("deeper than 32");
  });

  test("KIT-06 publishes or refuses twenty levels of two-way composition quickly", () => {
    let both: Json = { type: "string" };
    for (let at = 0; at < 20; at++) both = { anyOf: [both, both] };
    const started = process.cpuUsage();
    try {
      strict({ type: "object", properties: { a: both } });
    } catch (error) {
      expect(String(error)).toContain('tool "t"');
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000); // exponential work takes minutes
  });

  test("KIT-06 refuses references that double at each level, or publishes them at low cost", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        at === 0 ? { type: "string" } : { anyOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
      ]),
    );
    const started = process.cpuUsage();
    try {
      strict({ type: "object", $defs, properties: { a: { $ref: "#/$defs/d29" } } });
    } catch (error) {
      expect(String(error)).toContain('tool "t"');
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000); // exponential work takes minutes
  }, 10_000);
});

describe("a reference beside other keywords", () => {
  const $defs = {
    base: { type: "object", properties: { a: { type: "integer", minimum: 5 } }, required: ["a"] },
    closed: { type: "object", properties: { a: {} }, additionalProperties: false },
    size: { type: "integer", minimum: 5, maximum: 10 },
    code: { type: "string", pattern: "^a" },
  };
  const beside = (schema: Json): unknown => (strict({ type: "object", $defs, properties: { x: schema } })["properties"] as Json)["x"];

  test("keeps the members of both", () => {
    expect(strict({ $defs, $ref: "#/$defs/base", properties: { b: { type: "string" } }, required: ["b"] })).toEqual({
      type: "object",
      properties: { a: { type: "integer", minimum: 5 }, b: { type: "string" } },
      required: ["a", "b"],
    });
  });

  test("has the narrower bounds", () => {
    expect(beside({ $ref: "#/$defs/size", minimum: 1, maximum: 7, description: "d" })).toEqual({
      type: "integer",
      minimum: 5,
      maximum: 7,
      description: "d",
    });
    expect(beside({ $ref: "#/$defs/base", properties: { a: { minimum: 7 } } })).toEqual({
      type: "object",
      properties: { a: { type: "integer", minimum: 7 } },
      required: ["a"],
    });
  });

  test.each([
    [
      { $ref: "#/$defs/code", pattern: "z$" },
      { type: "string", allOf: [$defs.code, { pattern: "z$" }] },
    ],
    [
      { $ref: "#/$defs/closed", properties: { b: {} } },
      { type: "object", allOf: [$defs.closed, { properties: { b: {} } }] },
    ],
    [
      { $ref: "#/$defs/base", unevaluatedProperties: false },
      { type: "object", allOf: [$defs.base, { unevaluatedProperties: false }] },
    ],
    [
      { $ref: "#/$defs/base", title: "t", properties: { a: false, b: true } },
      { ...$defs.base, properties: { a: false, b: true }, title: "t" },
    ],
  ])("means both in %j", (given, expected) => expect(beside(given)).toEqual(expected));
});

describe("a JSON pointer is decoded:", () => {
  const word = { type: "string" };
  test.each([
    ["#/$defs/geo~1Point", { "geo/Point": word }],
    ["#/$defs/geo/Point", { "geo/Point": word }],
    ["#/$defs/geo/Point", { geo: { Point: word } }],
    ["#/$defs/a%20b", { "a b": word }],
    ["#/$defs/a~0b", { "a~b": word }],
    ["#/$defs/%C3%A9", { é: word }],
    ["#/$defs/list/anyOf/1", { list: { anyOf: [{}, word] } }],
  ])("%s", (pointer, $defs) =>
    expect(strict({ type: "object", $defs, properties: { x: { $ref: pointer } } })).toEqual({ type: "object", properties: { x: word } }),
  );

  test("to another member of the schema", () =>
    expect(strict({ type: "object", properties: { a: word, b: { $ref: "#/properties/a" } } })["properties"]).toEqual({ a: word, b: word }));
});

describe("errors about schemas that many hosts refuse name both ways out", () => {
  const tree: z.ZodType = z.object({ name: z.string(), children: z.lazy(() => z.array(tree)) });
  test.each([
    ["z.json()", z.object({ data: z.json() }), "z.unknown()"],
    ["a tree", tree, "z.unknown()"],
    ["a union at the root", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), "put the union into a member"],
    [
      "a choice at the root",
      z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]),
      "put the union",
    ],
  ])("%s", (_name, schema, way) => {
    const publishStrictly = (): Json => publish(schema as Schema, "input", { owner: 'tool "t"', strictHosts: true });
    expect(publishStrictly).toThrow(/^tool "t": .* Pass strictHosts: false/);
    expect(publishStrictly).toThrow(way);
    expect(publish(schema as Schema, "input", { owner: "", strictHosts: false })).toMatchObject({ type: "object" });
  });
});

describe("with strictHosts: false", () => {
  const loose = (schema: Json, side: "input" | "output" = "input"): Json =>
    publish(raw(schema), side, { owner: 'tool "t"', strictHosts: false });

  test("arguments are an object all the same", () => {
    expect(loose({ anyOf: [{ required: ["a"] }] })).toEqual({ type: "object", anyOf: [{ required: ["a"] }] });
    expect(loose({ type: ["object", "null"] })).toEqual({ type: "object" });
    expect(() => loose({ type: "string" })).toThrow('tool "t": the schema must describe an object');
  });

  test("a union of objects is an object, and another result keeps its type", () => {
    expect(loose({ oneOf: [{ type: "object" }] }, "output")).toEqual({ type: "object", oneOf: [{ type: "object" }] });
    for (const schema of [{ type: "array" }, { anyOf: [{ type: "object" }, { type: "string" }] }, { anyOf: [] }])
      expect(loose(schema, "output")).toBe(schema);
  });
});

test("publishes a schema unchanged with strictHosts: false, also when a strict tool shares it", () => {
  const source = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", anyOf: [{ $ref: "https://x.example/" }] };
  const odd = raw(source);
  expect(publish(odd, "input", { owner: "", strictHosts: false })).toBe(source);
  expect(() => publish(odd, "input", { owner: "", strictHosts: true })).toThrow("outside");
  const fine = raw({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
  expect(publish(fine, "input", { owner: "", strictHosts: true })).toEqual({ type: "object" });
  expect(publish(fine, "input", { owner: "", strictHosts: false })).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
  });
});

test("keeps results open to fields of later versions", () => {
  expect(strict({ type: "object", additionalProperties: false }, "output")).toEqual({ type: "object" });
});

test("publishes repeatably, keeps the author's object unchanged, and removes what hosts refuse", () => {
  const leaf = fc.constantFrom<Json>(
    { type: "string" },
    { enum: ["a"] },
    { $ref: "#/$defs/d" },
    { type: "integer", maximum: Number.MAX_SAFE_INTEGER },
    { default: { $ref: "x" } },
  );
  const { node } = fc.letrec<{ node: Json }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("node") }),
      fc.record({ anyOf: fc.array(tie("node"), { maxLength: 3 }) }),
      fc.record({ type: fc.constant("object"), properties: fc.dictionary(fc.string({ maxLength: 3 }), tie("node"), { maxKeys: 3 }) }),
    ),
  }));
  const bad = (value: unknown): boolean =>
    isObject(value)
      ? "$ref" in value ||
        "$schema" in value ||
        "$defs" in value ||
        Object.entries(value).some(
          ([key, item]) => key !== "default" && (key === "properties" ? Object.values(item as Json).some(bad) : bad(item)),
        )
      : Array.isArray(value) && value.some(bad);
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 3 }), node), (properties) => {
      const source = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: { d: { type: "boolean" } },
        properties,
      };
      const before = JSON.stringify(source);
      const once = strict(source);
      expect(JSON.stringify(source)).toBe(before);
      expect(bad(once)).toBe(false);
      expect(strict(once)).toEqual(once);
    }),
    { numRuns: 500 },
  );
});

describe("SCHEMA-02 SCHEMA-04 refuses keywords of another dialect", () => {
  const rows: Json[] = [
    { $schema: "https://unknown.example/x" },
    { properties: { a: { type: "array", items: [{ type: "string" }] } } },
    { properties: { a: { type: "array", additionalItems: false } } },
    { dependencies: { a: ["b"] } },
    { properties: { a: { type: "number", minimum: 1, exclusiveMinimum: true } } },
  ];
  test.each(rows)("%j", (row) => {
    const given = { type: "object", ...row };
    expect(() => strict(given)).toThrow(/means something else in JSON Schema 2020-12/);
    expect(publish(raw(given), "input", { owner: "", strictHosts: false })).toBe(given);
  });

  test.each([
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ])("keeps a schema whose only oddity is %s", ($schema) => expect(strict({ $schema, type: "object" })).toEqual({ type: "object" }));
});

test("leaves out that the names of members are strings, which some hosts refuse", () => {
  expect(field({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} })).toEqual({
    type: "object",
    additionalProperties: {},
  });
  const limited = { type: "object", propertyNames: { type: "string", enum: ["a"] } };
  expect(field(limited)).toEqual(limited);
});
