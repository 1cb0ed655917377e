// The exact tools of each revision (UPDATE_GOLDEN=1 updates the files), and the rules of hosts for tools.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Json, Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, testHostCompatibility, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase } from "./support/databases.ts";
import { keepDefaultTools, targetOf } from "./support/target.ts";

const GOLDEN_HINT = "run with UPDATE_GOLDEN=1 to update the golden files";
const LIMIT_HINT = "hosts load the whole list: shorten descriptions in src/tools/, or give the tool a toolset that is off by default";

/** The list of a server for one database with the default tools, or for two with every tool. */
async function listed(offer: "default" | "all", revision?: string): Promise<Json> {
  await using folder = tempFolder();
  const files = ["shop.db", "other.db"].map((name) => makeDatabase(folder.at(name), "CREATE TABLE t (a)"));
  const { server } = targetOf({ files: offer === "all" ? files : files.slice(0, 1) });
  await using wired = await connectTo(offer === "all" ? server() : keepDefaultTools(server()), revision === undefined ? {} : { revision });
  return await wired.client.request("tools/list", {});
}

everyRevision("TOOL-02 TOOL-03 TOOL-42 TOOL-43 lists the tools of the golden file", async (revision) => {
  const file = new URL(`golden/${revision}.tools.json`, import.meta.url);
  const { tools } = await listed("all", revision);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(new URL("golden/", import.meta.url), { recursive: true });
    writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`);
  }
  expect(tools, GOLDEN_HINT).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

everyRevision("answers tools/list with at most 12 KB", async (revision) => {
  const result = await listed("default", revision);
  expect(result).toMatchObject({ tools: expect.any(Array) });
  expect(Buffer.byteLength(JSON.stringify(result)), LIMIT_HINT).toBeLessThanOrEqual(12 * 1024);
});

test("TOOL-08 returns two identical lists", async () => {
  expect(JSON.stringify(await listed("all"))).toBe(JSON.stringify(await listed("all")));
});

describe("hosts accept every tool", async () => {
  const tools = (await listed("all"))["tools"] as Tool[];

  testHostCompatibility(tools);

  test.each(tools.map((tool) => [tool.name, tool] as const))("gives each property of %s a type", (_name, { inputSchema, outputSchema }) => {
    const untyped = [inputSchema, outputSchema].flatMap((schema) => untypedProperties(schema as Json | undefined));
    expect(untyped).toEqual([]);
  });
});

function untypedProperties(schema: Json | undefined): string[] {
  const properties = Object.entries((schema?.["properties"] ?? {}) as Record<string, Json>);
  return properties.flatMap(([name, property]) => [
    ...("type" in property ? [] : [name]),
    ...untypedProperties(property),
    ...untypedProperties(property["items"] as Json | undefined),
  ]);
}
