// Complaints about files, and about reading and finding, each answered by a test. The README lists them; those about where a store
// lies, and about broken files, are answered in test/cases too.
import { readFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, manyEntities } from "../support/graph.ts";
import { keep, Keeper } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

/** What a model pays for, at four characters a token. */
const tokens = (text: string): number => text.length / 4;

/** Six weeks of use. */
async function months(keeper: Keeper): Promise<void> {
  const { entities, relations } = manyEntities(3000);
  for (let from = 0; from < 3000; from += 1000) {
    await keeper.does("create_entities", { entities: entities.slice(from, from + 1000) });
    await keeper.does("create_relations", { relations: relations.slice(from, from + 1000) });
  }
}

test("servers#3953 names alone, a summary, pages and an overview cost a fraction of all of it", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.db"));
  await months(keeper);
  const stats = await keeper.call("graph_stats");
  expect(stats.structured).toMatchObject({ entities: 3000, relations: 3000 });
  expect(tokens(stats.text)).toBeLessThan(2500);
  const names = await keeper.call("read_graph", { detail: "names", limit: 100 });
  expect(tokens(names.text)).toBeLessThan(4000);
  expect(names.structured!["nextCursor"]).toEqual(expect.any(String));
  const page = await keeper.call("read_graph", { limit: 50 });
  expect(tokens(page.text)).toBeLessThan(4000);
  const found = await keeper.call("search_nodes", { query: "coffee", limit: 10, detail: "summary" });
  expect(tokens(found.text)).toBeLessThan(4000);
});

test("RchGrav/astraeus#2 every reply stays below what the operator says, and can be gone on from", async () => {
  await using folder = tempFolder();
  await using writer = await keep(folder.at("m.db"));
  await months(writer);
  await using keeper = await keep(folder.at("m.db"), ["--max-result-bytes=100000"]);
  const calls: [string, Json][] = [
    ["read_graph", {}],
    ["search_nodes", { query: "fact" }],
    ["search_nodes", { query: "Entity", depth: 2 }],
    ["open_nodes", { names: Array.from({ length: 3000 }, (_, at) => `Entity ${at}`) }],
    ["open_nodes", { names: Array.from({ length: 3000 }, (_, at) => `No such entity ${at}`) }],
    ["traverse_graph", { start: "Entity 0", depth: 10, limit: 1000 }],
    ["graph_stats", {}],
    ["get_history", { entityName: "Entity 0" }],
  ];
  for (const [name, args] of calls) {
    const { isError, text, structured } = await keeper.call(name, args);
    expect(isError, `${name}: ${text.slice(0, 300)}`).toBe(false);
    expect(Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(structured)), name).toBeLessThan(100_000);
  }
  expect(await keeper.names()).toHaveLength(3000);
});

test("basicmachines-co/basic-memory#256 basicmachines-co/basic-memory#1479 what was changed is found by its new words, not by the old ones, and once", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.jsonl"));
  const found = async (query: string): Promise<string[]> =>
    ((await keeper.does("search_nodes", { query }))["entities"] as { name: string }[]).map(({ name }) => name);
  await keeper.does("create_entities", { entities: [entity("Marta", "person", "lives in Lisbon")] });
  expect(await found("Lisbon")).toEqual(["Marta"]);
  await keeper.does("add_observations", {
    observations: [{ entityName: "Marta", contents: ["lives in Porto"], supersedes: ["lives in Lisbon"] }],
  });
  expect(await found("Lisbon")).toEqual([]);
  expect(await found("Porto")).toEqual(["Marta"]);
  await keeper.does("update_entities", { updates: [{ name: "Marta", newName: "Marta Reis", entityType: "colleague" }] });
  expect(await found("Marta")).toEqual(["Marta Reis"]);
  expect(await found("colleague")).toEqual(["Marta Reis"]);
  expect(await found("person")).toEqual([]);
  await keeper.does("delete_observations", { deletions: [{ entityName: "Marta Reis", observations: ["lives in Porto"] }] });
  expect(await found("Porto")).toEqual([]);
});

test("basicmachines-co/basic-memory#1296 a traversal of a dense graph is bounded, and says what it left out", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.db"));
  const names = Array.from({ length: 150 }, (_, at) => `n${at}`);
  await keeper.create(...names);
  const all = names.flatMap((from) => names.map((to) => ({ from, to, relationType: "knows" })));
  for (let at = 0; at < all.length; at += 5000) await keeper.does("create_relations", { relations: all.slice(at, at + 5000) });
  const { text, structured } = await keeper.call("traverse_graph", { start: "n0", depth: 10 });
  expect(text.length + JSON.stringify(structured).length).toBeLessThan(1_680_000);
  expect(structured).toMatchObject({ truncated: true });
  expect(text).toMatch(/truncated|left out/i);
});

test("getzep/graphiti#1121 getzep/graphiti#1135 it works without a key, a model or a network", async () => {
  await using folder = tempFolder();
  const own = bin([`--db=${folder.at("m.db")}`]);
  // A network of its own, with nothing in it, where that is allowed.
  const words = [own.command, ...(own.args ?? [])].map((word) => `'${word}'`).join(" ");
  await using keeper = await new Keeper({
    ...own,
    command: "sh",
    args: ["-c", `unshare -rn true 2>/dev/null && exec unshare -rn ${words}; exec ${words}`],
  }).begin();
  await keeper.does("create_entities", { entities: [entity("a", "t", "the sea")] });
  expect((await keeper.does("search_nodes", { query: "sea" }))["entities"]).toHaveLength(1);
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { dependencies: object };
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual([
    "@oarlock/cli",
    "@oarlock/domain-kit",
    "@oarlock/server-kit",
    "better-sqlite3",
    "zod",
  ]);
});

test("supermemoryai/supermemory-mcp#10 after a change of job reads tell the new one, history and asOf the old one", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.db"));
  await keeper.does("create_entities", { entities: [entity("Ivo", "person", "works at Quay & Sons", "likes tea")] });
  await new Promise((resolve) => setTimeout(resolve, 30));
  const before = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await keeper.does("add_observations", {
    observations: [{ entityName: "Ivo", contents: ["works at the harbour office"], supersedes: ["works at Quay & Sons"] }],
  });
  const open = async (more: Json) =>
    ((await keeper.does("open_nodes", { names: ["Ivo"], ...more }))["entities"] as { observations: string[] }[])[0]!.observations;
  expect(await open({})).toEqual(["likes tea", "works at the harbour office"]);
  expect(await open({ asOf: before })).toEqual(["works at Quay & Sons", "likes tea"]);
  expect((await keeper.does("search_nodes", { query: "Quay" }))["entities"]).toEqual([]);
  const history = await keeper.call("get_history", { entityName: "Ivo" });
  expect(history.text).toContain("works at Quay & Sons");
  expect(history.text).toContain("works at the harbour office");
});
