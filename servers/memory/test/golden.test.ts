// The list of tools in each revision equals the golden file (UPDATE_GOLDEN=1 writes it), and follows the rules of hosts.
import { readFileSync, writeFileSync } from "node:fs";
import type { Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, testHostCompatibility, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { targetOf } from "./support/targets.ts";

const GOLDEN_HINT = "run with UPDATE_GOLDEN=1 to write the golden files anew";
const LIMIT_HINT = "hosts load the whole list: shorten descriptions in src/tools/, or give the tool a toolset that is off by default";

async function listed(revision?: string): Promise<Tool[]> {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ file: folder.at("m.db") }), revision === undefined ? {} : { revision });
  return await Array.fromAsync(wired.client.tools());
}

everyRevision("TOOL-02 TOOL-03 TOOL-42 TOOL-43 the list of tools equals the golden file", async (revision) => {
  const file = new URL(`golden/${revision}.tools.json`, import.meta.url);
  const tools = await listed(revision);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`);
  expect(tools, GOLDEN_HINT).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

everyRevision("TOOL-08 two lists of tools are equal, byte by byte", async (revision) => {
  expect(JSON.stringify(await listed(revision))).toBe(JSON.stringify(await listed(revision)));
});

everyRevision("the response to tools/list is at most 12 KB", async (revision) => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ file: folder.at("m.db") }), { revision });
  const result = await wired.client.request("tools/list", {});
  expect(result).toMatchObject({ tools: expect.any(Array) });
  expect(Buffer.byteLength(JSON.stringify(result)), LIMIT_HINT).toBeLessThanOrEqual(12_000);
});

describe("rules of hosts", async () => {
  const tools = await listed();

  test("keeps the list of tools within 12 KB", () => {
    expect(Buffer.byteLength(JSON.stringify({ tools })), LIMIT_HINT).toBeLessThanOrEqual(12_000);
  });

  testHostCompatibility(tools);
});
