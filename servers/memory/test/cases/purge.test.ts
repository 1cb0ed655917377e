// Purges remove texts from tables, indexes, history, files and logs, and let other calls run in between.
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";

const SECRET = "Zyxqvut-7731-secret ☃☄★";
const FILLERS = 200;
const other = (at: number) => entity(`e${at}`, "t", `fact number ${at} about harbours`, `another one, ${at * 7}`);

/** Files that contain a text. */
const holding = (folder: TempFolder, text: string): string[] =>
  readdirSync(folder.path).filter((name) => readFileSync(folder.at(name)).includes(text));

/** Trigrams that no other text has: the index stores them as they are. */
const PIECE = "☃☄★";

async function fill(server: InProcessServer): Promise<void> {
  await server.does("create_entities", {
    entities: [entity("server of it", "t", SECRET, "plain"), entity(`named ${SECRET}`, `typed ${SECRET}`)],
  });
  // After so many, the text is in the indexes.
  await server.does("create_entities", { entities: Array.from({ length: FILLERS }, (_, at) => other(at)) });
  await server.does("create_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] });
}

const PURGES = [
  ["an observation", "delete_observations", { deletions: [{ entityName: "server of it", observations: [SECRET] }] }],
  ["an entity, by name and type", "delete_entities", { entityNames: [`named ${SECRET}`] }],
  ["a relation", "delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] }],
] as const;

describe.each(["m.jsonl", "m.db"])("purging from %s", (name) => {
  test("removes purged texts from all files, while the server runs and afterwards", async () => {
    await using folder = tempFolder();
    await using server = await serveInProcess(folder.at(name), { allowPurge: true });
    await fill(server);
    expect(holding(folder, SECRET)).not.toEqual([]);
    for (const [, tool, args] of PURGES) await server.does(tool, { ...args, purge: true });
    expect(holding(folder, SECRET)).toEqual([]);
    expect((await server.does("search_nodes", { query: SECRET }))["entities"]).toEqual([]);
    for (const entityName of ["server of it", "e1"]) expect((await server.call("get_history", { entityName })).text).not.toContain(SECRET);
    expect((await server.graph()).entities).toHaveLength(FILLERS + 1);
    await server.close();
    expect(holding(folder, SECRET)).toEqual([]);
    expect(holding(folder, PIECE)).toEqual([]);
    await using again = await serveInProcess(folder.at(name));
    expect((await again.does("search_nodes", { query: SECRET }))["entities"]).toEqual([]);
    expect(await again.names()).toHaveLength(FILLERS + 1);
  });

  test("purges deleted, superseded and renamed texts too", async () => {
    await using folder = tempFolder();
    await using server = await serveInProcess(folder.at(name), { allowPurge: true });
    await fill(server);
    const one = (contents: string[], supersedes: string[]) =>
      server.does("add_observations", { observations: [{ entityName: "server of it", contents, supersedes }] });
    await one([`${SECRET} again`], [SECRET]);
    await one(["harmless"], [`${SECRET} again`]);
    expect((await server.call("get_history", { entityName: "server of it" })).text).toContain(SECRET);
    await server.does("delete_entities", { entityNames: [`named ${SECRET}`] });
    await server.does("delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] });
    await server.does("delete_entities", { entityNames: ["server of it", `named ${SECRET}`], purge: true });
    await server.does("delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }], purge: true });
    expect(holding(folder, SECRET)).toEqual([]);
    await server.close();
    expect(holding(folder, SECRET)).toEqual([]);
    expect(holding(folder, PIECE)).toEqual([]);
  });
});

test("answers other calls while many entities are purged", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"), { allowPurge: true });
  const names = Array.from({ length: 1500 }, (_, at) => `name ${at}`);
  await server.does("create_entities", { entities: names.map((name) => ({ name, entityType: "t", observations: [`fact of ${name}`] })) });
  const answers: string[] = [];
  const purge = server.does("delete_entities", { entityNames: names, purge: true }).finally(() => answers.push("purge"));
  while (!answers.includes("purge")) {
    await setImmediate(); // between two parts of the purge: calls in memory only would leave it no time
    await server.does("search_nodes", { query: "elsewhere" });
    answers.push("search");
  }
  expect(await purge).toMatchObject({ deleted: { entities: 1500, observations: 1500 } });
  // One search may be answered before the purge begins.
  expect(answers.indexOf("purge")).toBeGreaterThan(1);
});
