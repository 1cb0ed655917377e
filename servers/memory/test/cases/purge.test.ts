// Purges remove texts from tables, indexes, history, files and logs; and the cost of deletions.
import { readdirSync, readFileSync } from "node:fs";
import { cpuMs, tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";

const SECRET = "Zyxqvut-7731-secret ☃☄★";
const other = (at: number) => entity(`e${at}`, "t", `fact number ${at} about harbours`, `another one, ${at * 7}`);

/** Files that contain a text. */
const holding = (folder: TempFolder, text: string): string[] =>
  readdirSync(folder.path).filter((name) => readFileSync(folder.at(name)).includes(text));

/** Trigrams that no other text has: the index stores them as they are. */
const PIECE = "☃☄★";

async function serveMemory(server: ServerProcess): Promise<void> {
  await server.does("create_entities", {
    entities: [entity("server of it", "t", SECRET, "plain"), entity(`named ${SECRET}`, `typed ${SECRET}`)],
  });
  // After so many, the text is in the indexes.
  await server.does("create_entities", { entities: Array.from({ length: 500 }, (_, at) => other(at)) });
  await server.does("create_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] });
}

const PURGES = [
  ["an observation", "delete_observations", { deletions: [{ entityName: "server of it", observations: [SECRET] }] }],
  ["an entity, by name and type", "delete_entities", { entityNames: [`named ${SECRET}`] }],
  ["a relation", "delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] }],
] as const;

describe.each(["m.jsonl", "m.db"])("purging from %s", (name) => {
  test("purged texts are in no file, while the server runs and afterwards", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at(name), ["--allow-purge"]);
    await serveMemory(server);
    expect(holding(folder, SECRET)).not.toEqual([]);
    for (const [, tool, args] of PURGES) await server.does(tool, { ...args, purge: true });
    expect(holding(folder, SECRET)).toEqual([]);
    expect((await server.does("search_nodes", { query: SECRET }))["entities"]).toEqual([]);
    for (const entityName of ["server of it", "e1"]) expect((await server.call("get_history", { entityName })).text).not.toContain(SECRET);
    expect((await server.graph()).entities).toHaveLength(501);
    await server.close();
    expect(holding(folder, SECRET)).toEqual([]);
    expect(holding(folder, PIECE)).toEqual([]);
    await using again = await startServer(folder.at(name));
    expect((await again.does("search_nodes", { query: SECRET }))["entities"]).toEqual([]);
    expect(await again.names()).toHaveLength(501);
  });

  test("deleted, superseded and renamed texts are purged too", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at(name), ["--allow-purge"]);
    await serveMemory(server);
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

test("rule M4: deleting costs no more CPU time than creating, also in a large store", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  const cost = async (act: () => Promise<unknown>): Promise<number> => {
    const before = cpuMs();
    await act();
    return cpuMs() - before;
  };
  for (let from = 0; from < 20_000; from += 5000)
    await server.does("create_entities", { entities: Array.from({ length: 5000 }, (_, at) => other(from + at)) });
  const texts = Array.from({ length: 5000 }, (_, at) => `fact number ${at} of many`);
  const adding = await cost(() => server.does("add_observations", { observations: [{ entityName: "e1", contents: texts }] }));
  const deleting = await cost(() => server.does("delete_observations", { deletions: [{ entityName: "e1", observations: texts }] }));
  expect(deleting).toBeLessThan(5 * adding + 500);
});

test("other calls are answered while thousands of entities are purged", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.db"), ["--allow-purge"]);
  const names = Array.from({ length: 20_000 }, (_, at) => `name ${at}`);
  await server.does("create_entities", { entities: names.map((name) => ({ name, entityType: "t", observations: [`fact of ${name}`] })) });
  const state = { isDone: false };
  const purge = server.does("delete_entities", { entityNames: names, purge: true }).finally(() => (state.isDone = true));
  let answered = 0;
  while (!state.isDone) {
    await server.does("search_nodes", { query: "elsewhere" });
    answered++;
  }
  expect(await purge).toMatchObject({ deleted: { entities: 20_000, observations: 20_000 } });
  expect(answered).toBeGreaterThan(5);
});
