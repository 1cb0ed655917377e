// Sizes of lines that a process reads, and of a hub. Rule M4.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { serveInProcess } from "../support/in-process.ts";
import { startServer } from "../support/server-process.ts";

const MIB = 1024 * 1024;
const of = (name: string, ...observations: string[]) => ({ name, entityType: "t", observations });

test.each([
  ["an observation of 50 MB", { entities: [of("a", "o".repeat(50 * MIB))] }],
  ["200,000 entities in one call", { entities: Array.from({ length: 200_000 }, (_, at) => of(`e${at}`)) }],
])("case MEM-11: %s is refused with the limit in the message, and the next call works", async (_, args) => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.jsonl"));
  expect((await server.refuses("create_entities", args)).length).toBeLessThan(2000);
  await server.create("fine");
  expect(await server.names()).toEqual(["fine"]);
});

test("rule M4: a hub with 20,000 relations is opened, searched and deleted in bounded replies", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  await server.create("hub", "other");
  const relations = Array.from({ length: 20_000 }, (_, at) => ({
    from: at % 2 === 0 ? "hub" : `spoke ${at}`,
    to: at % 2 === 0 ? `spoke ${at}` : "hub",
    relationType: "holds",
  }));
  await server.does("create_relations", { relations });
  for (const [name, args, limit] of [
    ["open_nodes", { names: ["hub"] }, 2_500_000],
    ["search_nodes", { query: "hub" }, 300_000],
    ["search_nodes", { query: "hub", depth: 2 }, 300_000],
    ["open_nodes", { names: ["hub"], depth: 3 }, 2_500_000],
  ] as const) {
    const { isError, text, structured } = await server.call(name, args);
    expect(isError, text.slice(0, 300)).toBe(false);
    expect(text.length + JSON.stringify(structured).length).toBeLessThan(limit);
  }
  expect(await server.does("delete_entities", { entityNames: ["hub"] })).toMatchObject({ deleted: { entities: 1, relations: 20_000 } });
  expect((await server.graph()).relations).toEqual([]);
});
