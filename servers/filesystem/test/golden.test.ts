// The exact list of tools that each revision sees (UPDATE_GOLDEN=1 writes the files anew), and the rules by which hosts take a tool.
import { readFileSync, writeFileSync } from "node:fs";
import type { Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, testHostCompatibility, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { keepDefaultTools, targetOf } from "./support/target.ts";

const GOLDEN_HINT = "run with UPDATE_GOLDEN=1 to write the golden files anew";
const LIMIT_HINT = "hosts load the whole list: shorten descriptions in src/tools/, or give the tool a toolset that is off by default";

/** The tools of a start without --toolsets, or of all toolsets that need no optional package. */
async function listed(offer: "default" | "all", revision?: string): Promise<Tool[]> {
  await using folder = tempFolder();
  const toolsets = offer === "all" ? ["default", "bulk", "compare", "modes"] : ["default"];
  const { server } = await targetOf({ directories: [folder.path], stateHome: folder.path, toolsets });
  await using wired = await connectTo(server(), revision === undefined ? {} : { revision });
  return await Array.fromAsync(wired.client.tools());
}

everyRevision("TOOL-02 TOOL-03 TOOL-42 TOOL-43 lists the tools of the golden file", async (revision) => {
  const file = new URL(`golden/${revision}.tools.json`, import.meta.url);
  const tools = await listed("all", revision);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`);
  expect(tools, GOLDEN_HINT).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

everyRevision("TOOL-08 returns two lists equal byte by byte", async (revision) => {
  expect(JSON.stringify(await listed("all", revision))).toBe(JSON.stringify(await listed("all", revision)));
});

everyRevision("answers tools/list with at most 16 KB, including all members around the tools", async (revision) => {
  await using folder = tempFolder();
  await using wired = await connectTo(keepDefaultTools((await targetOf({ directories: [folder.path], stateHome: folder.path })).server()), {
    revision,
  });
  const result = await wired.client.request("tools/list", {});
  expect(result).toMatchObject({ tools: expect.any(Array) });
  expect(Buffer.byteLength(JSON.stringify(result)), LIMIT_HINT).toBeLessThanOrEqual(16 * 1024);
});

describe("limits of hosts", async () => {
  const tools = await listed("all");

  test("lists its tools in at most 16 KB", async () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: await listed("default") })), LIMIT_HINT).toBeLessThanOrEqual(16 * 1024);
  });

  testHostCompatibility(tools);
});
