// Known problems of other memory servers with lost, damaged or refused writes: one test each. The manual lists them.
import { existsSync, readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { recordsIn } from "../support/mirror-file.ts";
import { onFilesOnly } from "../support/store-under-test.ts";
import { allowWaiting, until } from "../support/patience.ts";

allowWaiting();

test("servers#1819 servers#2577 servers#2578 servers#2579 servers#2689 parallel calls of every kind leave a readable file with all changes", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.jsonl"));
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

test("servers#3653 the file ends with a newline after every write", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using server = await serveInProcess(file);
  for (let at = 0; at < 3; at++) {
    await server.create(`e${at}`);
    await until(
      () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
      (text) => text.includes(`e${at}`),
    );
    expect(readFileSync(file, "utf8")).toMatch(/\}\n$/);
  }
  folder.write({ "m.jsonl": `${folder.read("m.jsonl")}${jsonl([entity("appended", "t")])}` });
  await until(
    () => server.names(),
    (names) => names.includes("appended"),
  );
});

test("raycast/extensions#22083 observations of a missing entity are refused with a remedy that works", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  const observations = [{ entityName: "Ada Lovelace", contents: ["wrote the first program"] }];
  const message = await server.refuses("add_observations", { observations });
  expect(message).toMatch(/^Entity with name Ada Lovelace not found/);
  expect(message).toMatch(/createMissing|create_entities/);
  await server.does("add_observations", { observations, createMissing: true });
  expect((await server.graph()).entities).toMatchObject([{ name: "Ada Lovelace", observations: ["wrote the first program"] }]);
});

test("basicmachines-co/basic-memory#625 existing entities are not overwritten, and the reply lists them", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.jsonl"));
  const notes = entity("notes of today", "day", "one", "two", "three");
  await server.does("create_entities", { entities: [notes] });
  expect(await server.does("create_entities", { entities: [entity("notes of today", "day")] })).toMatchObject({
    entities: [],
    skipped: ["notes of today"],
  });
  expect((await server.graph()).entities).toEqual([notes]);
});

test("mem0ai/mem0#3616 one fact, one relation or one entity can be deleted, and the rest stays", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.jsonl"));
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

test("AVIDS2/memorix#291 nhadaututtheky/neural-memory#128 a call waits for a slow writer while reads go on", onFilesOnly(), async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  await using server = await serveInProcess(file);
  await server.create("a");
  const db = new Database(file);
  try {
    db.exec("BEGIN IMMEDIATE");
    const waiting = Promise.all([0, 1, 2, 3].map((at) => server.create(`waited ${at}`)));
    // These reads are answered although the lock ends only after them.
    for (let at = 0; at < 8; at++) expect(await server.names()).toEqual(["a"]);
    db.exec("COMMIT");
    await waiting;
  } finally {
    db.close();
  }
  expect((await server.names()).toSorted()).toEqual(["a", "waited 0", "waited 1", "waited 2", "waited 3"]);
});
