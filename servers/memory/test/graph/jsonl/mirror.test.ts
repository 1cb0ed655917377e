// The JSONL file when a memory closes: the last changes are in it, and so is what an editor appended to the file before it was replaced.
import { closeSync, openSync, writeSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Memory } from "../../../src/graph/memory.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { addObservations, createEntities } from "../../../src/graph/write/creation.ts";
import { updateEntities } from "../../../src/graph/write/update.ts";
import { entity } from "../../support/graphs.ts";

const create = (memory: Memory, ...names: string[]): Promise<unknown> =>
  memory.write("test", (store, call) =>
    runAtOnce(
      createEntities(
        store,
        call,
        names.map((name) => entity(name, "person")),
      ),
    ),
  );

test("is up to date as soon as the memory is closed", async () => {
  await using folder = tempFolder();
  const location = { database: folder.at("m.db"), mirror: folder.at("m.jsonl") };
  for (const name of ["Ada", "Ben", "Cleo"]) {
    const memory = new Memory({ location });
    await create(memory, name);
    await memory.close();
    expect(folder.read("m.jsonl")).toContain(`"${name}"`);
  }
  expect(folder.read("m.jsonl").trim().split("\n")).toHaveLength(3);
});

test("gets a line that a program appends to the file just before it is replaced, when the memory closes at once", async () => {
  await using folder = tempFolder();
  const location = { database: folder.at("m.db"), mirror: folder.at("m.jsonl") };
  const memory = new Memory({ location });
  await create(memory, "Ada");
  await memory.flush();
  const editor = openSync(location.mirror, "a");
  await create(memory, "Ben");
  await memory.flush();
  writeSync(editor, `${JSON.stringify({ type: "entity", ...entity("Cleo", "person") })}\n`);
  closeSync(editor);
  await memory.close();
  expect(folder.read("m.jsonl")).toContain('"Cleo"');
  const again = new Memory({ location });
  expect(await again.read((store) => store.totals().entities)).toBe(3);
  await again.close();
});

test("gets the tags of an update that changes nothing else", async () => {
  await using folder = tempFolder();
  const memory = new Memory({ location: { database: folder.at("m.db"), mirror: folder.at("m.jsonl") } });
  await create(memory, "Ada");
  await memory.flush();
  await memory.write("test", (store, call) => updateEntities(store, call, [{ name: "Ada", tags: ["math"] }], false));
  await memory.close();
  expect(JSON.parse(folder.read("m.jsonl"))).toMatchObject({ name: "Ada", tags: ["math"] });
});

test("gets tags beside a new entity, and those that are added to known observations", async () => {
  await using folder = tempFolder();
  const memory = new Memory({ location: { database: folder.at("m.db"), mirror: folder.at("m.jsonl") } });
  await create(memory, "Ada");
  await memory.flush();
  await memory.write("test", (store, call) => updateEntities(store, call, [{ name: "Ada", tags: ["math"] }], false));
  await create(memory, "Bob");
  await memory.flush();
  await memory.write("test", (store, call) =>
    runAtOnce(addObservations(store, call, [{ entityName: "Ada", contents: [], tags: ["code"] }], false)),
  );
  await memory.close();
  expect(folder.read("m.jsonl").split("\n")[0]).toContain('"tags":["math","code"]');
});
