// Known problems of other memory servers with lost, damaged or refused writes: one test each. The README lists them.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expectWithin, tempFolder, waitUntil } from "@oarlock/testing";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { startServer, namesIn, recordsIn } from "../support/server-process.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const named = (...names: string[]) => ({ entities: names.map((name) => entity(name, "t")) });

test("servers#1819 servers#2577 servers#2578 servers#2579 servers#2689 parallel calls of every kind leave a readable file with all changes", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.jsonl"));
  await server.create("old", "gone");
  const each = Array.from({ length: 10 }, (_, at) => at);
  await Promise.all(
    each.flatMap((at) => [
      server.does("create_entities", { entities: [entity(`e${at}`, "t", "x".repeat(5000))] }),
      server.does("create_relations", { relations: [{ from: "old", to: `e${at}`, relationType: "r" }] }),
      server.does("add_observations", { observations: [{ entityName: "old", contents: [`fact ${at}`] }] }),
      server.does("delete_observations", { deletions: [{ entityName: "old", observations: [`no such ${at}`] }] }),
      server.does("delete_entities", { entityNames: [`gone`] }),
      server.does("read_graph"),
    ]),
  );
  const { entities, relations } = await server.graph();
  expect(entities.map(({ name }) => name).toSorted()).toEqual([...each.map((at) => `e${at}`), "old"].toSorted());
  expect(relations).toHaveLength(10);
  expect(entities.find(({ name }) => name === "old")!.observations.toSorted()).toEqual(each.map((at) => `fact ${at}`));
  await server.close();
  expect(recordsIn(folder.at("m.jsonl"))).toHaveLength(21);
});

test("servers#4797 servers#3286 servers#3060 parallel writes of two processes are all in the store and in the file", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using one = await startServer(file);
  await using other = await startServer(file);
  const each = Array.from({ length: 20 }, (_, at) => at);
  await Promise.all(each.flatMap((at) => [one.create(`one ${at}`), other.create(`other ${at}`)]));
  const wanted = each.flatMap((at) => [`one ${at}`, `other ${at}`]).toSorted();
  expect((await one.names()).toSorted()).toEqual(wanted);
  await Promise.all([one.close(), other.close()]);
  expect(namesIn(file).toSorted()).toEqual(wanted);
});

test("servers#3653 the file ends with a newline after every write", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using server = await startServer(file);
  for (let at = 0; at < 3; at++) {
    await server.create(`e${at}`);
    await waitUntil(
      () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
      (text) => text.includes(`e${at}`),
      4000,
    );
    expect(readFileSync(file, "utf8")).toMatch(/\}\n$/);
  }
  folder.write({ "m.jsonl": `${folder.read("m.jsonl")}${jsonl([entity("appended", "t")])}` });
  await waitUntil(
    () => server.names(),
    (names) => names.includes("appended"),
    4000,
  );
});

test("raycast/extensions#22083 observations of a missing entity are refused with a remedy that works", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.db"));
  const observations = [{ entityName: "Ada Lovelace", contents: ["wrote the first program"] }];
  const message = await server.refuses("add_observations", { observations });
  expect(message).toMatch(/^Entity with name Ada Lovelace not found/);
  expect(message).toMatch(/createMissing|create_entities/);
  await server.does("add_observations", { observations, createMissing: true });
  expect((await server.graph()).entities).toMatchObject([{ name: "Ada Lovelace", observations: ["wrote the first program"] }]);
});

test("basicmachines-co/basic-memory#625 existing entities are not overwritten, and the reply lists them", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.jsonl"));
  const notes = entity("notes of today", "day", "one", "two", "three");
  await server.does("create_entities", { entities: [notes] });
  expect(await server.does("create_entities", { entities: [entity("notes of today", "day")] })).toMatchObject({
    entities: [],
    skipped: ["notes of today"],
  });
  expect((await server.graph()).entities).toEqual([notes]);
});

test("getzep/graphiti#1707 getzep/graphiti#704 an acknowledged change survives a kill right afterwards", async () => {
  await using folder = tempFolder();
  for (let round = 0; round < 3; round++) {
    await using server = await startServer(folder.at("m.jsonl"));
    const pending = [0, 1, 2].map((at) => server.attempt("create_entities", named(`${round} ${at}`)));
    await server.create(`${round}`);
    await server.kill();
    const acknowledged = (await Promise.all(pending)).flatMap((answer, at) => (answer === undefined ? [] : [`${round} ${at}`]));
    await using next = await startServer(folder.at("m.jsonl"));
    expect(await next.names()).toEqual(expect.arrayContaining([`${round}`, ...acknowledged]));
  }
});

test("mem0ai/mem0#3616 one fact, one relation or one entity can be deleted, and the rest stays", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.jsonl"));
  await server.does("create_entities", { entities: [entity("a", "t", "one", "two"), entity("b", "t", "one"), entity("c", "t")] });
  const relations = [
    { from: "a", to: "b", relationType: "r" },
    { from: "a", to: "b", relationType: "s" },
    { from: "b", to: "c", relationType: "r" },
  ];
  await server.does("create_relations", { relations });
  await server.does("delete_observations", { deletions: [{ entityName: "a", observations: ["one"] }] });
  await server.does("delete_relations", { relations: [relations[0]!] });
  await server.does("delete_entities", { entityNames: ["c"] });
  expect(await server.graph()).toEqual({ entities: [entity("a", "t", "two"), entity("b", "t", "one")], relations: [relations[1]] });
});

test.skipIf(isOnPostgres())(
  "AVIDS2/memorix#291 nhadaututtheky/neural-memory#128 a call waits for a slow writer while reads go on",
  async () => {
    await using folder = tempFolder();
    const file = folder.at("m.db");
    await using server = await startServer(file);
    await server.create("a");
    const db = new Database(file);
    try {
      db.exec("BEGIN IMMEDIATE");
      const waiting = Promise.all([0, 1, 2, 3].map((at) => server.create(`waited ${at}`)));
      for (let at = 0; at < 8; at++) {
        await expectWithin(1000, async () => expect(await server.names()).toEqual(["a"]));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      db.exec("COMMIT");
      await waiting;
    } finally {
      db.close();
    }
    expect((await server.names()).toSorted()).toEqual(["a", "waited 0", "waited 1", "waited 2", "waited 3"]);
  },
);

test.skipIf(isOnPostgres())(
  "MemPalace/mempalace#2302 0xK3vin/MegaMemory#13 DeusData/codebase-memory-mcp#1037 DeusData/codebase-memory-mcp#1206 a process that ends does not disturb the others",
  async () => {
    await using folder = tempFolder();
    const file = folder.at("m.db");
    await using one = await startServer(file);
    await one.create("first");
    const { ino } = statSync(file);
    for (let round = 0; round < 3; round++) {
      await using other = await startServer(file);
      await Promise.all([other.create(`other ${round}`), one.create(`one ${round}`)]);
      const log = statSync(`${file}-wal`).size;
      await other.close();
      expect(statSync(`${file}-wal`).size).toBeGreaterThanOrEqual(log);
      expect(await one.names()).toContain(`other ${round}`);
    }
    expect(await one.close()).toEqual({ code: 0, signal: null });
    expect(statSync(file).ino).toBe(ino);
    expect(readdirSync(folder.path).filter((name) => !/^m\.db(-wal|-shm)?$/.test(name))).toEqual([]);
    await using again = await startServer(file);
    expect(await again.names()).toHaveLength(7);
  },
);

test("GlitterKill/sdl-mcp#15 pomazanbohdan/memory-mcp-1file#41 four clients start at once on a new store, and all write", async () => {
  await using folder = tempFolder();
  const keepers = await Promise.all([0, 1, 2, 3].map(() => startServer(folder.at("m.jsonl"))));
  try {
    await Promise.all(keepers.map((server, at) => server.create(`e${at}`)));
    for (const server of keepers) expect((await server.names()).toSorted()).toEqual(["e0", "e1", "e2", "e3"]);
  } finally {
    await Promise.all(keepers.map((server) => server[Symbol.asyncDispose]()));
  }
});
