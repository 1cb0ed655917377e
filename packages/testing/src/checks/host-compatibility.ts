// Compatibility with hosts: JSON Schema keywords that a host rejects, and the names, titles, descriptions and annotations of tools.
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";

/** JSON Schema keywords that at least one host rejects. */
const REJECTED_KEYWORDS = [
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
 * Registers two tests for each tool. Call it in a `describe`.
 * @example
 * describe("host compatibility", async () => testHostCompatibility(await client.tools().all()));
 */
export function testHostCompatibility(tools: readonly Tool[]): void {
  test.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s: its schemas use no keyword that a host rejects",
    (_name, { inputSchema, outputSchema }) => {
      for (const schema of [inputSchema, outputSchema].filter(isObject)) {
        expect(schema["type"]).toBe("object");
        const advice = "at least one host rejects these keywords, or a list of types: use one type, and omit a member instead of null";
        expect(rejectedIn(schema), advice).toEqual([]);
      }
      expect(JSON.stringify(inputSchema["properties"] ?? {})).not.toContain('"additionalProperties":false');
      // Closed where a tool takes no arguments, open where a later version may add some.
      expect(inputSchema["additionalProperties"]).toBe(Object.keys(inputSchema["properties"] ?? {}).length === 0 ? false : undefined);
      expect([...untyped(inputSchema), ...untyped(outputSchema ?? {})]).toEqual([]);
    },
  );

  test.each(tools.map((tool) => [tool.name, tool] as const))("%s: its title, descriptions and annotations are complete", (name, tool) => {
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

/** Paths of rejected keywords and of lists of types, such as `path.format`. */
function rejectedIn(schema: Json, at = ""): string[] {
  const found = Object.keys(schema)
    .filter((keyword) => REJECTED_KEYWORDS.includes(keyword))
    .map((keyword) => at + keyword);
  if (Array.isArray(schema["type"])) found.push(`${at}type`);
  for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
    if (isObject(property)) found.push(...rejectedIn(property, `${at}${name}.`));
  }
  if (isObject(schema["items"])) found.push(...rejectedIn(schema["items"], `${at}items.`));
  return found;
}

/** Paths of arguments without a description, including those inside lists. */
function undescribed(schema: Json, at: string): string[] {
  const own = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, property]) => {
    if (!isObject(property)) return [`${at}.${name}`];
    const below = undescribed(property, `${at}.${name}`);
    return typeof property["description"] === "string" && property["description"].length >= 3 ? below : [`${at}.${name}`, ...below];
  });
  return isObject(schema["items"]) ? [...own, ...undescribed(schema["items"], `${at}[]`)] : own;
}

/** Paths of properties without a `type`: converters of strict clients refuse them. */
function untyped(schema: Json, at = ""): string[] {
  const own = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, property]) => {
    if (!isObject(property)) return [at + name];
    return [...(property["type"] === undefined ? [at + name] : []), ...untyped(property, `${at}${name}.`)];
  });
  return isObject(schema["items"]) ? [...own, ...untyped(schema["items"], `${at}items.`)] : own;
}
