// Purging: what is purged is in no table, index, history, file or log, and stays away; and what deleting costs.
import { readdirSync, readFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity } from "../support/graph.ts";
import { keep, type Keeper } from "../support/server-process.ts";

const SECRET = "Zyxqvut-7731-secret ☃☄★";
const other = (at: number) => entity(`e${at}`, "t", `fact number ${at} about harbours`, `another one, ${at * 7}`);

/** Files whose bytes have a text. */
const holding = (folder: TempFolder, text: string): string[] =>
  readdirSync(folder.path).filter((name) => readFileSync(folder.at(name)).includes(text));

/** Three characters in a row that nothing else has: the index keeps them as they stand. */
const PIECE = "☃☄★";

async function remember(keeper: Keeper): Promise<void> {
  await keeper.does("create_entities", {
    entities: [entity("keeper of it", "t", SECRET, "plain"), entity(`named ${SECRET}`, `typed ${SECRET}`)],
  });
  // Behind so many the indexes have seen it.
  await keeper.does("create_entities", { entities: Array.from({ length: 500 }, (_, at) => other(at)) });
  await keeper.does("create_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] });
}

const PURGES = [
  ["an observation", "delete_observations", { deletions: [{ entityName: "keeper of it", observations: [SECRET] }] }],
  ["an entity, by name and type", "delete_entities", { entityNames: [`named ${SECRET}`] }],
  ["a relation", "delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] }],
] as const;

describe.each(["m.jsonl", "m.db"])("purging from %s", (name) => {
  test("what was purged, part by part, is in no bytes of any file, while the server runs and after", async () => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at(name), ["--allow-purge"]);
    await remember(keeper);
    expect(holding(folder, SECRET)).not.toEqual([]);
    for (const [, tool, args] of PURGES) await keeper.does(tool, { ...args, purge: true });
    expect(holding(folder, SECRET)).toEqual([]);
    expect((await keeper.does("search_nodes", { query: SECRET }))["entities"]).toEqual([]);
    for (const entityName of ["keeper of it", "e1"]) expect((await keeper.call("get_history", { entityName })).text).not.toContain(SECRET);
    expect((await keeper.graph()).entities).toHaveLength(501);
    await keeper.close();
    expect(holding(folder, SECRET)).toEqual([]);
    expect(holding(folder, PIECE)).toEqual([]);
    await using again = await keep(folder.at(name));
    expect((await again.does("search_nodes", { query: SECRET }))["entities"]).toEqual([]);
    expect(await again.names()).toHaveLength(501);
  });

  test("what was deleted or superseded before, and renamed, goes too", async () => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at(name), ["--allow-purge"]);
    await remember(keeper);
    const one = (contents: string[], supersedes: string[]) =>
      keeper.does("add_observations", { observations: [{ entityName: "keeper of it", contents, supersedes }] });
    await one([`${SECRET} again`], [SECRET]);
    await one(["harmless"], [`${SECRET} again`]);
    expect((await keeper.call("get_history", { entityName: "keeper of it" })).text).toContain(SECRET);
    await keeper.does("delete_entities", { entityNames: [`named ${SECRET}`] });
    await keeper.does("delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }] });
    await keeper.does("delete_entities", { entityNames: ["keeper of it", `named ${SECRET}`], purge: true });
    await keeper.does("delete_relations", { relations: [{ from: "e1", to: "e2", relationType: `related ${SECRET}` }], purge: true });
    expect(holding(folder, SECRET)).toEqual([]);
    await keeper.close();
    expect(holding(folder, SECRET)).toEqual([]);
    expect(holding(folder, PIECE)).toEqual([]);
  });
});

test("rule M4: to delete takes no longer than to create, in a large store too", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.db"));
  const time = async (act: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await act();
    return performance.now() - from;
  };
  for (let from = 0; from < 20_000; from += 5000)
    await keeper.does("create_entities", { entities: Array.from({ length: 5000 }, (_, at) => other(from + at)) });
  const texts = Array.from({ length: 5000 }, (_, at) => `fact number ${at} of many`);
  const adding = await time(() => keeper.does("add_observations", { observations: [{ entityName: "e1", contents: texts }] }));
  const deleting = await time(() => keeper.does("delete_observations", { deletions: [{ entityName: "e1", observations: texts }] }));
  expect(deleting).toBeLessThan(5 * adding + 500);
});

test("while thousands are purged, others are answered", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.db"), ["--allow-purge"]);
  const names = Array.from({ length: 20_000 }, (_, at) => `name ${at}`);
  await keeper.does("create_entities", { entities: names.map((name) => ({ name, entityType: "t", observations: [`fact of ${name}`] })) });
  const state = { isDone: false };
  const purge = keeper.does("delete_entities", { entityNames: names, purge: true }).finally(() => (state.isDone = true));
  let longest = 0;
  while (!state.isDone) {
    const since = performance.now();
    await keeper.does("search_nodes", { query: "elsewhere" });
    longest = Math.max(longest, performance.now() - since);
  }
  expect(await purge).toMatchObject({ deleted: { entities: 20_000, observations: 20_000 } });
  expect(longest).toBeLessThan(1000);
});
