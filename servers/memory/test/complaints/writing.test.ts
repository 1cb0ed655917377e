// Complaints about writes that are lost, broken or refused, each answered by a test. The README lists them.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expectWithin, tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { entity, jsonl } from "../support/graph.ts";
import { keep, namesIn, recordsIn } from "../support/server-process.ts";
import { soon } from "../support/soon.ts";

const named = (...names: string[]) => ({ entities: names.map((name) => entity(name, "t")) });

test("servers#1819 servers#2577 servers#2578 servers#2579 servers#2689 parallel calls of every kind leave a file that can be read, with all they did", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.jsonl"));
  await keeper.create("old", "gone");
  const each = Array.from({ length: 10 }, (_, at) => at);
  await Promise.all(
    each.flatMap((at) => [
      keeper.does("create_entities", { entities: [entity(`e${at}`, "t", "x".repeat(5000))] }),
      keeper.does("create_relations", { relations: [{ from: "old", to: `e${at}`, relationType: "r" }] }),
      keeper.does("add_observations", { observations: [{ entityName: "old", contents: [`fact ${at}`] }] }),
      keeper.does("delete_observations", { deletions: [{ entityName: "old", observations: [`no such ${at}`] }] }),
      keeper.does("delete_entities", { entityNames: [`gone`] }),
      keeper.does("read_graph"),
    ]),
  );
  const { entities, relations } = await keeper.graph();
  expect(entities.map(({ name }) => name).toSorted()).toEqual([...each.map((at) => `e${at}`), "old"].toSorted());
  expect(relations).toHaveLength(10);
  expect(entities.find(({ name }) => name === "old")!.observations.toSorted()).toEqual(each.map((at) => `fact ${at}`));
  await keeper.close();
  expect(recordsIn(folder.at("m.jsonl"))).toHaveLength(21);
});

test("servers#4797 servers#3286 servers#3060 what two processes write at once is all in the store and in the file", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using one = await keep(file);
  await using other = await keep(file);
  const each = Array.from({ length: 20 }, (_, at) => at);
  await Promise.all(each.flatMap((at) => [one.create(`one ${at}`), other.create(`other ${at}`)]));
  const wanted = each.flatMap((at) => [`one ${at}`, `other ${at}`]).toSorted();
  expect((await one.names()).toSorted()).toEqual(wanted);
  await Promise.all([one.close(), other.close()]);
  expect(namesIn(file).toSorted()).toEqual(wanted);
});

test("servers#3653 whoever appends to the file finds a newline at its end, after every write", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using keeper = await keep(file);
  for (let at = 0; at < 3; at++) {
    await keeper.create(`e${at}`);
    await soon(
      () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
      (text) => text.includes(`e${at}`),
      4000,
    );
    expect(readFileSync(file, "utf8")).toMatch(/\}\n$/);
  }
  folder.write({ "m.jsonl": `${folder.read("m.jsonl")}${jsonl([entity("appended", "t")])}` });
  await soon(
    () => keeper.names(),
    (names) => names.includes("appended"),
    4000,
  );
});

test("raycast/extensions#22083 observations about what is not there yet are refused with the way out, which works", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.db"));
  const observations = [{ entityName: "Ada Lovelace", contents: ["wrote the first program"] }];
  const said = await keeper.refuses("add_observations", { observations });
  expect(said).toMatch(/^Entity with name Ada Lovelace not found/);
  expect(said).toMatch(/createMissing|create_entities/);
  await keeper.does("add_observations", { observations, createMissing: true });
  expect((await keeper.graph()).entities).toMatchObject([{ name: "Ada Lovelace", observations: ["wrote the first program"] }]);
});

test("basicmachines-co/basic-memory#625 nothing that is there is overwritten, and the caller is told", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.jsonl"));
  const notes = entity("notes of today", "day", "one", "two", "three");
  await keeper.does("create_entities", { entities: [notes] });
  expect(await keeper.does("create_entities", { entities: [entity("notes of today", "day")] })).toMatchObject({
    entities: [],
    skipped: ["notes of today"],
  });
  expect((await keeper.graph()).entities).toEqual([notes]);
});

test("getzep/graphiti#1707 getzep/graphiti#704 what was acknowledged is there after a kill in the next moment", async () => {
  await using folder = tempFolder();
  for (let round = 0; round < 3; round++) {
    await using keeper = await keep(folder.at("m.jsonl"));
    const pending = [0, 1, 2].map((at) => keeper.attempt("create_entities", named(`${round} ${at}`)));
    await keeper.create(`${round}`);
    await keeper.kill();
    const acknowledged = (await Promise.all(pending)).flatMap((answer, at) => (answer === undefined ? [] : [`${round} ${at}`]));
    await using next = await keep(folder.at("m.jsonl"));
    expect(await next.names()).toEqual(expect.arrayContaining([`${round}`, ...acknowledged]));
  }
});

test("mem0ai/mem0#3616 one fact, one relation or one entity can be deleted, and the rest stays", async () => {
  await using folder = tempFolder();
  await using keeper = await keep(folder.at("m.jsonl"));
  await keeper.does("create_entities", { entities: [entity("a", "t", "one", "two"), entity("b", "t", "one"), entity("c", "t")] });
  const relations = [
    { from: "a", to: "b", relationType: "r" },
    { from: "a", to: "b", relationType: "s" },
    { from: "b", to: "c", relationType: "r" },
  ];
  await keeper.does("create_relations", { relations });
  await keeper.does("delete_observations", { deletions: [{ entityName: "a", observations: ["one"] }] });
  await keeper.does("delete_relations", { relations: [relations[0]!] });
  await keeper.does("delete_entities", { entityNames: ["c"] });
  expect(await keeper.graph()).toEqual({ entities: [entity("a", "t", "two"), entity("b", "t", "one")], relations: [relations[1]] });
});

test("AVIDS2/memorix#291 nhadaututtheky/neural-memory#128 a writer that takes seconds is waited for, and reading goes on", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  await using keeper = await keep(file);
  await keeper.create("a");
  const db = new Database(file);
  try {
    db.exec("BEGIN IMMEDIATE");
    const waiting = Promise.all([0, 1, 2, 3].map((at) => keeper.create(`waited ${at}`)));
    for (let at = 0; at < 8; at++) {
      await expectWithin(1000, async () => expect(await keeper.names()).toEqual(["a"]));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    db.exec("COMMIT");
    await waiting;
  } finally {
    db.close();
  }
  expect((await keeper.names()).toSorted()).toEqual(["a", "waited 0", "waited 1", "waited 2", "waited 3"]);
});

test("MemPalace/mempalace#2302 0xK3vin/MegaMemory#13 DeusData/codebase-memory-mcp#1037 DeusData/codebase-memory-mcp#1206 one that ends takes nothing from those that go on", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  await using one = await keep(file);
  await one.create("first");
  const { ino } = statSync(file);
  for (let round = 0; round < 3; round++) {
    await using other = await keep(file);
    await Promise.all([other.create(`other ${round}`), one.create(`one ${round}`)]);
    const log = statSync(`${file}-wal`).size;
    await other.close();
    expect(statSync(`${file}-wal`).size).toBeGreaterThanOrEqual(log);
    expect(await one.names()).toContain(`other ${round}`);
  }
  expect(await one.close()).toEqual({ code: 0, signal: null });
  expect(statSync(file).ino).toBe(ino);
  expect(readdirSync(folder.path).filter((name) => !/^m\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  await using again = await keep(file);
  expect(await again.names()).toHaveLength(7);
});

test("GlitterKill/sdl-mcp#15 pomazanbohdan/memory-mcp-1file#41 four clients start at once on a store that is not there yet, and all write", async () => {
  await using folder = tempFolder();
  const keepers = await Promise.all([0, 1, 2, 3].map(() => keep(folder.at("m.jsonl"))));
  try {
    await Promise.all(keepers.map((keeper, at) => keeper.create(`e${at}`)));
    for (const keeper of keepers) expect((await keeper.names()).toSorted()).toEqual(["e0", "e1", "e2", "e3"]);
  } finally {
    await Promise.all(keepers.map((keeper) => keeper[Symbol.asyncDispose]()));
  }
});
