// The exact list of tools that each revision sees (UPDATE_GOLDEN=1 writes the files anew), and the rules by which hosts take a tool.
import { readFileSync, writeFileSync } from "node:fs";
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { bin } from "./support/target.ts";

const ALL = ["--toolsets=default,remote,integrate"];

/** What `tools/list` answers, of a process, as groups are chosen by switches. */
async function answered(args: readonly string[], revision?: string): Promise<Json> {
  await using folder = tempFolder();
  const { path } = makeRepository(folder.at("project"));
  await using wired = await connectTo(bin(["--repository", path, ...args]), revision === undefined ? {} : { revision });
  const result = await wired.client.request("tools/list", {});
  if (!isObject(result)) throw new TypeError("no list");
  return result;
}

const listed = async (args: readonly string[], revision?: string): Promise<Tool[]> => (await answered(args, revision))["tools"] as Tool[];

everyRevision("TOOL-02 TOOL-03 TOOL-42 TOOL-43 the list of tools is the golden one", async (revision) => {
  const file = new URL(`golden/${revision}.tools.json`, import.meta.url);
  const tools = await listed([], revision);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`);
  expect(tools).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

test("the list of all groups is the golden one", async () => {
  const file = new URL("golden/all.tools.json", import.meta.url);
  const tools = await listed(ALL);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`);
  expect(tools).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

everyRevision("TOOL-08 two lists are equal, byte by byte", async (revision) => {
  expect(JSON.stringify(await listed([], revision))).toBe(JSON.stringify(await listed([], revision)));
});

everyRevision("the answer to tools/list is at most 20 KB with all groups off, with all that comes around the tools", async (revision) => {
  expect(Buffer.byteLength(JSON.stringify(await answered([], revision)))).toBeLessThanOrEqual(20_000);
});

test("--read-only offers no tool that changes anything", async () => {
  const tools = await listed([...ALL, "--read-only"]);
  expect(tools.map(({ name }) => name)).toEqual([
    "git_status",
    "git_diff_unstaged",
    "git_diff_staged",
    "git_diff",
    "git_log",
    "git_show",
    "git_branch",
    "git_blame",
    "git_grep",
    "git_reflog",
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

test("--lean leaves out the schemas of results", async () => {
  const tools = await listed(["--lean"]);
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(16_000);
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
  const tools = await listed(ALL);

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
