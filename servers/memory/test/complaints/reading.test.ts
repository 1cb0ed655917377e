// Known problems of other memory servers with files, reading and searching: one test each. The manual lists them. Those about locations and
// damaged files are tested in test/cases too.
import { readFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, manyEntities } from "../support/graphs.ts";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";

/** Tokens for a model, at four characters each. */
const tokens = (text: string): number => text.length / 4;

/** Six weeks of use. */
async function months(server: InProcessServer): Promise<void> {
  const { entities, relations } = manyEntities(3000);
  for (let from = 0; from < 3000; from += 1000) {
    await server.does("create_entities", { entities: entities.slice(from, from + 1000) });
    await server.does("create_relations", { relations: relations.slice(from, from + 1000) });
  }
}

test("servers#3953 names, summaries, pages and statistics cost a fraction of the whole graph", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  await months(server);
  const stats = await server.call("graph_stats");
  expect(stats.structured).toMatchObject({ entities: 3000, relations: 3000 });
  expect(tokens(stats.text)).toBeLessThan(2500);
  const names = await server.call("read_graph", { detail: "names", limit: 100 });
  expect(tokens(names.text)).toBeLessThan(4000);
  expect(names.structured!["nextCursor"]).toEqual(expect.any(String));
  const page = await server.call("read_graph", { limit: 50 });
  expect(tokens(page.text)).toBeLessThan(4000);
  const found = await server.call("search_nodes", { query: "coffee", limit: 10, detail: "summary" });
  expect(tokens(found.text)).toBeLessThan(4000);
});

test("RchGrav/astraeus#2 every reply stays below the operator's limit and can be continued", async () => {
  await using folder = tempFolder();
  await using writer = await serveInProcess(folder.at("m.db"));
  await months(writer);
  await using server = await serveInProcess(folder.at("m.db"), { maxResultBytes: 100_000 });
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
    const { isError, text, structured } = await server.call(name, args);
    expect(isError, `${name}: ${text.slice(0, 300)}`).toBe(false);
    expect(Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(structured)), name).toBeLessThan(100_000);
  }
  expect(await server.names()).toHaveLength(3000);
});

test("basicmachines-co/basic-memory#256 basicmachines-co/basic-memory#1479 a changed text is found once by its new words, and not by the old ones", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.jsonl"));
  const found = async (query: string): Promise<string[]> =>
    ((await server.does("search_nodes", { query }))["entities"] as { name: string }[]).map(({ name }) => name);
  await server.does("create_entities", { entities: [entity("Marta", "person", "lives in Lisbon")] });
  expect(await found("Lisbon")).toEqual(["Marta"]);
  await server.does("add_observations", {
    observations: [{ entityName: "Marta", contents: ["lives in Porto"], supersedes: ["lives in Lisbon"] }],
  });
  expect(await found("Lisbon")).toEqual([]);
  expect(await found("Porto")).toEqual(["Marta"]);
  await server.does("update_entities", { updates: [{ name: "Marta", newName: "Marta Reis", entityType: "colleague" }] });
  expect(await found("Marta")).toEqual(["Marta Reis"]);
  expect(await found("colleague")).toEqual(["Marta Reis"]);
  expect(await found("person")).toEqual([]);
  await server.does("delete_observations", { deletions: [{ entityName: "Marta Reis", observations: ["lives in Porto"] }] });
  expect(await found("Porto")).toEqual([]);
});

test("basicmachines-co/basic-memory#1296 a traversal of a dense graph is bounded and says that it is truncated", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  const names = Array.from({ length: 150 }, (_, at) => `n${at}`);
  await server.create(...names);
  const all = names.flatMap((from) => names.map((to) => ({ from, to, relationType: "knows" })));
  for (let at = 0; at < all.length; at += 5000) await server.does("create_relations", { relations: all.slice(at, at + 5000) });
  const { text, structured } = await server.call("traverse_graph", { start: "n0", depth: 10 });
  expect(text.length + JSON.stringify(structured).length).toBeLessThan(1_680_000);
  expect(structured).toMatchObject({ truncated: true });
  expect(text).toMatch(/truncated|left out/i);
});

/** A time after everything so far, and before everything that follows. */
async function afterThisMillisecond(): Promise<string> {
  const isLater = (than: number): Promise<number> =>
    waitUntil(
      () => Date.now(),
      (now) => now > than,
    );
  const time = await isLater(Date.now());
  await isLater(time);
  return new Date(time).toISOString();
}

test("supermemoryai/supermemory-mcp#10 after a change of job, reads show the new job, history and asOf the old one", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  await server.does("create_entities", { entities: [entity("Ivo", "person", "works at Quay & Sons", "likes tea")] });
  const before = await afterThisMillisecond();
  await server.does("add_observations", {
    observations: [{ entityName: "Ivo", contents: ["works at the harbour office"], supersedes: ["works at Quay & Sons"] }],
  });
  const open = async (more: Json) =>
    ((await server.does("open_nodes", { names: ["Ivo"], ...more }))["entities"] as { observations: string[] }[])[0]!.observations;
  expect(await open({})).toEqual(["likes tea", "works at the harbour office"]);
  expect(await open({ asOf: before })).toEqual(["works at Quay & Sons", "likes tea"]);
  expect((await server.does("search_nodes", { query: "Quay" }))["entities"]).toEqual([]);
  const history = await server.call("get_history", { entityName: "Ivo" });
  expect(history.text).toContain("works at Quay & Sons");
  expect(history.text).toContain("works at the harbour office");
});

test("getzep/graphiti#1121 getzep/graphiti#1135 no package of a model or a vendor is needed", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { dependencies: object };
  const known = [
    "@oarlock/cli",
    "@oarlock/domain-kit",
    "@oarlock/extensions",
    "@oarlock/server-kit",
    "@orama/stemmers",
    "better-sqlite3",
    "chokidar",
    "sqlite-vec",
    "yaml",
    "zod",
  ];
  // A copy of the server has fewer, as it begins without add-ons.
  expect(Object.keys(manifest.dependencies).filter((name) => !known.includes(name))).toEqual([]);
});
