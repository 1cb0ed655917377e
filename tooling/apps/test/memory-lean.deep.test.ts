// The graph view of a memory server with --lean, whose replies have the graph in their text only.
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { viewStage } from "./support/view-tests.ts";

const RECORDS = [
  { type: "entity", name: "Ada", entityType: "person", observations: ["likes tea"] },
  { type: "relation", from: "Ada", to: "Ben", relationType: "knows" },
];

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  folder.write({ "memory.jsonl": RECORDS.map((record) => `${JSON.stringify(record)}\n`).join("") });
  await stage.serve("memory", [`--db=${folder.at("memory.jsonl")}`, "--lean"]);
});
afterAll(() => folder[Symbol.asyncDispose]());

test.each(["read_graph", "open_nodes", "search_nodes", "traverse_graph"])("%s shows its graph, which expands", async (tool) => {
  await using view = await stage.show({ tool, args: { names: ["Ada"], query: "Ada", start: "Ada" } });
  await view.waitForText("2 entities, 1 relation");
  await view.click("Expand Ben");
  await view.waitForText("Nothing else is related to Ben.");
  await view.click("Ada");
  await view.waitForText("likes tea");
  await view.click("Timeline of Ada");
  await view.waitForText("Current");
  expect(await view.problems()).toEqual([]);
});
