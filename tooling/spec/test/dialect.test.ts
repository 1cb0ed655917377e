/** The dialect of published schemas: JSON Schema 2020-12, the default of a schema without `$schema`. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { defineServer } from "@oarlock/server-kit";
import { sampleServer } from "../../../packages/server-kit/test/fixtures/sample-server.ts";
import { schemaTools } from "../../../packages/server-kit/test/fixtures/schema-tools.ts";
import { talk } from "../../../packages/server-kit/test/support/talk.ts";
import { readSources } from "../../checks/src/sources.ts";

type Json = Record<string, unknown>;
type Listed = { name: string; inputSchema: Json; outputSchema?: Json };

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const server = () => defineServer({ name: "dialect", version: "1", tools: schemaTools() });

/** The golden tool lists of the servers. */
const golden = Object.entries(readSources("servers/*/test/golden/*.tools.json")).map(
  ([file, text]) => [file, JSON.parse(text) as Listed[]] as const,
);
const listed = async (of: ReturnType<typeof server>): Promise<Listed[]> => {
  await using client = await talk(of);
  return (await client.result("tools/list"))["tools"] as Listed[];
};

test("refuses older dialects", () => {
  for (const schema of [
    { items: [{ type: "string" }] },
    { exclusiveMinimum: true },
    { type: "text" },
    { properties: [] },
    { required: "a" },
  ])
    expect.soft(ajv.validateSchema(schema)).toBe(false);
  expect(ajv.validateSchema({ prefixItems: [{ type: "string" }] })).toBe(true);
});

describe("SCHEMA-04 every schema is valid in its dialect", () => {
  const faults = (tools: readonly Listed[]): string[] =>
    tools.flatMap(({ name, inputSchema, outputSchema = {} }) =>
      [inputSchema, outputSchema]
        .filter((schema) => ajv.validateSchema(schema) !== true)
        .map((schema) => `${name}: ${JSON.stringify(schema)}`),
    );

  test("of the kit's fixtures", async () => {
    const tools = [...(await listed(server())), ...(await listed(sampleServer()))];
    expect(tools.length).toBeGreaterThan(20);
    expect(faults(tools)).toEqual([]);
  });

  test.each(golden)("of %s", (_file, tools) => {
    expect(tools.length).toBeGreaterThan(0);
    expect(faults(tools)).toEqual([]);
  });
});

test("SCHEMA-03 the README of the kit names the dialect, and published schemas leave it out", () => {
  const [readme = ""] = Object.values(readSources("packages/server-kit/README.md"));
  expect(readme).toMatch(/Schemas are published in JSON Schema 2020-12, without a `\$schema` line/);
});

describe("SCHEMA-01 a schema without a dialect line means the same in 2020-12 as in the server", () => {
  const values: [tool: string, args: Json][] = [
    ...[["a", 1], ["a", 1, true], ["a", 1, "x"], ["a"], [1, "a"], ["a", "b"], [], "a"].map((pair): [string, Json] => ["tuple", { pair }]),
    ...[0, 0.1, 9.9, 10, -1, "5", null].map((above): [string, Json] => ["bounds", { above, one: "a" }]),
    ...["a", 2, null, "b", 3, false].map((one): [string, Json] => ["bounds", { above: 1, one }]),
    ...[{}, { a: [1, 2] }, { a: [1, 2, 3] }, { a: [1.5] }, { A: [] }, { a: 1 }, []].map((named): [string, Json] => [
      "bounds",
      { above: 1, one: 2, named },
    ]),
  ];

  test("accepts and refuses the same arguments", async () => {
    const tools = await listed(server());
    expect(JSON.stringify(tools)).toContain("prefixItems");
    expect(JSON.stringify(tools)).not.toContain("$schema");
    const checks = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));
    await using client = await talk(server());
    const verdicts: boolean[] = [];
    for (const [name, args] of values) {
      const passes = checks.get(name)!(args);
      const { isError } = await client.call(name, args);
      expect.soft(isError !== true, `${name} ${JSON.stringify(args)}`).toBe(passes);
      verdicts.push(passes);
    }
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(5);
    expect(verdicts.filter((passes) => !passes).length).toBeGreaterThan(10);
  });

  test("accepts a structured result by its published schema", async () => {
    const tools = await listed(server());
    const check = ajv.compile(tools.find(({ name }) => name === "bounds")?.outputSchema ?? {});
    await using client = await talk(server());
    const { structuredContent } = await client.call("bounds", { above: 1, one: 2 });
    expect(check(structuredContent)).toBe(true);
    expect(check({ either: { kind: "z" } })).toBe(false);
  });
});
