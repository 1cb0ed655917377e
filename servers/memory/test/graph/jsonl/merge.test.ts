// The three-way merge, compared with a model: additions on either side are kept, and deletions on either side stay unless the other side has
// added to the entity.
import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { addObservations, createEntities } from "../../../src/graph/write/creation.ts";
import { createRelations } from "../../../src/graph/write/relation-creation.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { Memory } from "../../../src/graph/memory.ts";
import { readGraph } from "../../../src/graph/read/graph-page.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { updateEntities } from "../../../src/graph/write/update.ts";
import { entity, jsonl, relation } from "../../support/graphs.ts";
import { checkMerges } from "../../support/merge-model.ts";

test("agrees with the model after changes on both sides", () => checkMerges({ numRuns: 15, seed: 1 }));

test("changes in the file to a renamed entity reach it under its new name", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  const before = jsonl([entity("a", "t"), entity("b", "t"), entity("c", "t"), entity("x", "t", "1")], [relation("a", "r", "c")]);
  writeFileSync(file, before);
  const memory = new Memory({ location: { database: `${file}.db`, mirror: file } });
  try {
    await memory.open();
    await memory.write("test", (store, call) => {
      updateEntities(store, call, [{ name: "a", newName: "a2" }], true);
      updateEntities(store, call, [{ name: "a2", newName: "b", merge: true }], true);
      runAtOnce(deleteEntities(store, call, ["x"]));
    });
    await memory.write("test", (store, call) => {
      runAtOnce(createEntities(store, call, [{ name: "x", entityType: "t", observations: [] }]));
      updateEntities(store, call, [{ name: "x", newName: "y" }], true);
    });
    writeFileSync(`${file}.new`, before + jsonl([entity("d", "t")]));
    utimesSync(`${file}.new`, new Date(), new Date(Date.now() - 5000));
    renameSync(`${file}.new`, file);
    await memory.flush();
    const { entities, relations } = await memory.read((store) => readGraph(store, { detail: "full", maxBytes: 1e9 }));
    expect(entities.map(({ name }) => name)).toEqual(["b", "c", "y", "d"]);
    expect(relations).toEqual([relation("b", "r", "c")]);
  } finally {
    await memory.close();
  }
});

/** A memory with its JSONL file, and a function that lets another program write the file as of an earlier state. */
async function withFile(
  before: string,
  act: (memory: Memory, writeFile: (content: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await using folder = tempFolder({ "m.jsonl": before });
  const file = folder.at("m.jsonl");
  const memory = new Memory({ location: { database: `${file}.db`, mirror: file } });
  try {
    await memory.open();
    await act(memory, async (content) => {
      writeFileSync(`${file}.new`, content);
      utimesSync(`${file}.new`, new Date(), new Date(Date.now() - 5000));
      renameSync(`${file}.new`, file);
      await memory.flush();
    });
  } finally {
    await memory.close();
  }
}

const wholeGraph = async (memory: Memory) => {
  const { entities, relations } = await memory.read((store) => readGraph(store, { detail: "full", maxBytes: 1e9 }));
  return { entities, relations };
};

test("keeps a renamed entity that an older file lacks", async () => {
  await withFile(jsonl([entity("a", "t"), entity("b", "t")]), async (memory, writeFile) => {
    await memory.write("test", (store, call) => updateEntities(store, call, [{ name: "a", newName: "a2" }], true));
    await writeFile(jsonl([entity("b", "t")]));
    expect((await wholeGraph(memory)).entities).toEqual([entity("a2", "t"), entity("b", "t")]);
  });
});

test("keeps an entity with a new observation that an older file lacks", async () => {
  await withFile(jsonl([entity("a", "t", "old"), entity("b", "t")]), async (memory, writeFile) => {
    await memory.write("test", (store, call) => runAtOnce(addObservations(store, call, [{ entityName: "a", contents: ["new"] }], false)));
    await writeFile(jsonl([entity("b", "t")]));
    expect((await wholeGraph(memory)).entities).toEqual([entity("a", "t", "new"), entity("b", "t")]);
  });
});

test("ends a relation that an older file lacks, unless it is newer", async () => {
  const entities = [entity("a", "t"), entity("b", "t")];
  await withFile(jsonl(entities, [relation("a", "r", "b"), relation("a", "s", "b")]), async (memory, writeFile) => {
    await memory.write("test", (store, call) => runAtOnce(createRelations(store, call, [relation("b", "new", "a")], false)));
    await writeFile(jsonl(entities, [relation("a", "s", "b")]));
    expect((await wholeGraph(memory)).relations).toEqual([relation("a", "s", "b"), relation("b", "new", "a")]);
  });
});

test("prefers a type that the file has changed", async () => {
  await withFile(jsonl([entity("a", "t"), entity("b", "t")]), async (memory, writeFile) => {
    const updates = [
      { name: "a", entityType: "memory" },
      { name: "b", entityType: "memory" },
    ];
    await memory.write("test", (store, call) => updateEntities(store, call, updates, true));
    await writeFile(jsonl([entity("a", "file"), entity("b", "t")]));
    expect((await wholeGraph(memory)).entities).toEqual([entity("a", "file"), entity("b", "memory")]);
  });
});
