// The memory as a whole: purges and closing beside other programs, and notifications beside large changes.
import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { tempFolder, waitUntil, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Memory } from "../../src/graph/memory.ts";
import type { Entity } from "../../src/graph/model.ts";
import { createEntities } from "../../src/graph/write/creation.ts";
import { entity, jsonl } from "../support/graphs.ts";

const memoryIn = (folder: TempFolder): Memory => new Memory({ location: { database: folder.at("m.db"), mirror: folder.at("m.jsonl") } });

const create = (memory: Memory, ...entities: Entity[]) =>
  memory.writeInSlices("test", (store, call) => createEntities(store, call, entities));

const has = (memory: Memory, name: string): Promise<boolean> => memory.read((store) => store.entities.named(name) !== undefined);

test("reads the JSONL file before a purge, so that purged texts do not come back", async () => {
  await using folder = tempFolder();
  const memory = memoryIn(folder);
  await create(memory, entity("Ana", "person", "tall"), entity("Ben", "person"));
  await memory.flush();
  appendFileSync(folder.at("m.jsonl"), jsonl([entity("Secret", "person", "under the stone")]));
  expect(await memory.purge("test", { kind: "entities", names: ["Secret"] })).toMatchObject({
    entities: 1,
    observations: 1,
  });
  expect(await has(memory, "Secret")).toBe(false);
  expect(readFileSync(folder.at("m.jsonl"), "utf8")).toBe(jsonl([entity("Ana", "person", "tall"), entity("Ben", "person")]));
  await memory.close();
});

test("lines that another program writes to the replaced file are kept when the memory closes", async () => {
  await using folder = tempFolder();
  const memory = memoryIn(folder);
  await create(memory, entity("Ana", "person"));
  await memory.flush();
  const replaced = openSync(folder.at("m.jsonl"), "a");
  await create(memory, entity("Ben", "person"));
  await memory.flush();
  writeSync(replaced, jsonl([entity("Cleo", "person")]));
  closeSync(replaced);
  await memory.close();
  expect(readFileSync(folder.at("m.jsonl"), "utf8")).toContain("Cleo");
  const again = memoryIn(folder);
  expect([await has(again, "Ana"), await has(again, "Ben"), await has(again, "Cleo")]).toEqual([true, true, true]);
  await again.close();
});

test("notifies of a change although a large one fails right after it", async () => {
  await using folder = tempFolder();
  const memory = memoryIn(folder);
  let notified = 0;
  const stop = await memory.watch({ kind: "any" }, () => void (notified += 1));
  await create(memory, entity("Ana", "person"));
  const failing = memory.writeInSlices("test", function* () {
    const end = performance.now() + 200;
    while (performance.now() < end) yield;
    throw new Error("it failed");
  });
  await expect(failing).rejects.toThrow("it failed");
  await waitUntil(
    () => notified,
    (count) => count > 0,
    20_000,
  );
  stop();
  await memory.close();
});
