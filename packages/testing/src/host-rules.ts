// The rules by which hosts take a tool: words of JSON Schema that one or another refuses, names, titles and annotations.
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";

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

/**
 * Makes two tests for each tool; to be called in a `describe`.
 * @example
 * describe("what hosts take", async () => hostRules(await listed()));
 */
export function hostRules(tools: readonly Tool[]): void {
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
    expect(undescribed(tool.inputSchema, name)).toEqual([]);
    const { readOnlyHint, openWorldHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
    expect([readOnlyHint, openWorldHint]).toEqual([expect.any(Boolean), expect.any(Boolean)]);
    if (readOnlyHint !== true) expect([destructiveHint, idempotentHint]).toEqual([expect.any(Boolean), expect.any(Boolean)]);
  });
}

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
