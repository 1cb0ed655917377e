// The exact list of tools that each revision sees (UPDATE_GOLDEN=1 writes the files anew), and the rules by which hosts take a tool.
import { readFileSync, writeFileSync } from "node:fs";
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { targetOf } from "./support/target.ts";

async function listed(revision?: string): Promise<Tool[]> {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ file: folder.at("m.db") }), revision === undefined ? {} : { revision });
  return await Array.fromAsync(wired.client.tools());
}

everyRevision("TOOL-02 TOOL-03 TOOL-42 TOOL-43 the list of tools is the golden one", async (revision) => {
  const file = new URL(`golden/${revision}.tools.json`, import.meta.url);
  const tools = await listed(revision);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`);
  expect(tools).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

everyRevision("TOOL-08 two lists are equal, byte by byte", async (revision) => {
  expect(JSON.stringify(await listed(revision))).toBe(JSON.stringify(await listed(revision)));
});

everyRevision("the answer to tools/list is at most 12 KB, with all that comes around the tools", async (revision) => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ file: folder.at("m.db") }), { revision });
  const result = await wired.client.request("tools/list", {});
  expect(result).toMatchObject({ tools: expect.any(Array) });
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(12_000);
});

/** Words of JSON Schema that one host or another refuses. */
const REFUSED = [
  "$schema",
  "$ref",
  "$defs",
  "$id",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "format",
  "pattern",
  "const",
  "nullable",
];

describe("what hosts take", async () => {
  const tools = await listed();

  test("the list is at most 12 KB", () => {
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(12_000);
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s: its schemas hold nothing that a host refuses",
    (_name, { inputSchema, outputSchema }) => {
      for (const schema of [inputSchema, outputSchema].filter(isObject)) {
        expect(schema["type"]).toBe("object");
        expect(refusedIn(schema)).toEqual([]);
      }
      expect(JSON.stringify(inputSchema)).not.toContain('"additionalProperties":false');
    },
  );

  test.each(tools.map((tool) => [tool.name, tool] as const))("%s: title, descriptions and annotations are complete", (name, tool) => {
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(tool.title).toMatch(/^.{3,60}$/);
    expect(tool.title).not.toBe(name);
    expect(tool.description).toMatch(/^[^]{10,2048}$/);
    expect(undescribed(tool.inputSchema as Json, name)).toEqual([]);
    const { readOnlyHint, openWorldHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
    expect([readOnlyHint, openWorldHint]).toEqual([expect.any(Boolean), expect.any(Boolean)]);
    if (readOnlyHint !== true) expect([destructiveHint, idempotentHint]).toEqual([expect.any(Boolean), expect.any(Boolean)]);
  });
});

/** Places of refused words and of lists of types, as `properties.path.format`. */
function refusedIn(schema: Json, at = ""): string[] {
  const found = Object.keys(schema)
    .filter((word) => REFUSED.includes(word))
    .map((word) => at + word);
  if (Array.isArray(schema["type"])) found.push(`${at}type`);
  for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
    if (isObject(property)) found.push(...refusedIn(property, `${at}${name}.`));
  }
  if (isObject(schema["items"])) found.push(...refusedIn(schema["items"], `${at}items.`));
  return found;
}

/** Arguments without a description, those within lists too. */
function undescribed(schema: Json, at: string): string[] {
  const own = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, property]) => {
    if (!isObject(property)) return [`${at}.${name}`];
    const below = undescribed(property, `${at}.${name}`);
    return typeof property["description"] === "string" && property["description"].length >= 3 ? below : [`${at}.${name}`, ...below];
  });
  return isObject(schema["items"]) ? [...own, ...undescribed(schema["items"], `${at}[]`)] : own;
}
