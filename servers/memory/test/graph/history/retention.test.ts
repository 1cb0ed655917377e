// --keep-history: what ended long ago is removed, what is current stays, and answers about the past say what is missing.
import { tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { Memory } from "../../../src/graph/memory.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, text } from "../../support/memory-fixture.ts";
import { allowWaiting } from "../../support/patience.ts";

allowWaiting();

/** Makes all calls up to now calls of a past date. */
function backdate(file: string, date: string): void {
  const db = new Database(file);
  db.prepare("UPDATE call SET at = ? WHERE at > ?").run(Date.parse(date), Date.parse("2026-11-01"));
  db.close();
}

test("removes old history with a report, and refuses the past before it", async () => {
  const reports: string[] = [];
  await using before = await serveMemory({
    entities: [entity("Ana", "person", "old and true"), entity("gone", "t", "x", "y")],
    relations: [relation("Ana", "knows", "gone")],
  });
  const file = before.folder.at("m.db");
  await before.call("delete_entities", { entityNames: ["gone"] });
  backdate(file, "2026-01-05");
  const supersedes = ["old and true"];
  await before.call("add_observations", { observations: [{ entityName: "Ana", contents: ["second"], supersedes }] });
  await before.wired[Symbol.asyncDispose]();
  backdate(file, "2026-02-05");

  const report = (message: string): void => void reports.push(message);
  const keepHistoryMs = Date.now() - Date.parse("2026-02-01");
  await using memory = await serveMemory({ file, keepHistoryMs, report });
  await memory.call("graph_stats");
  // The first pass begins a second after the start.
  await expect
    .poll(() => reports, { timeout: 20_000 })
    .toEqual(["Old history removed: 1 deleted entity, 2 past observations, 1 past relation."]);

  expect(await memory.failure("get_history", { entityName: "gone" })).toMatch(/not found/);
  const history = await memory.client.call("get_history", { entityName: "Ana" });
  expect(text(history)).toContain("What ended before 2026-01-05T00:00:00.000Z is not kept.");
  const { events } = history.structuredContent as { events: { event: string }[] }; // as its schema says
  expect(events.map(({ event }) => event)).toEqual(["created", "observed", "observed", "superseded"]);
  const past = await memory.call("open_nodes", { names: ["Ana"], asOf: "2026-01-10" });
  expect(past["entities"]).toEqual([{ name: "Ana", entityType: "person", observations: ["old and true"] }]);
  expect(await memory.failure("open_nodes", { names: ["Ana"], asOf: "2026-01-04" })).toMatch(
    /^History of that time not found: what ended before 2026-01-05T00:00:00\.000Z was removed \(--keep-history\)\. Ask for a later time\./,
  );
});

test("removes more rows than one transaction does", async () => {
  await using folder = tempFolder();
  const memory = new Memory({ location: { database: folder.at("m.db") } });
  try {
    const names = Array.from({ length: 1200 }, (_, at) => `e${at}`);
    await memory.write("test", (store, call) =>
      runAtOnce(
        createEntities(
          store,
          call,
          names.map((name) => entity(name, "t", "fact")),
        ),
      ),
    );
    await memory.write("test", (store, call) => runAtOnce(deleteEntities(store, call, names.slice(1))));
    expect(await memory.pruneHistory(Date.now() + 1)).toEqual({ entities: 1199, observations: 1199, relations: 0 });
    expect(await memory.pruneHistory(Date.now() + 1)).toEqual({ entities: 0, observations: 0, relations: 0 });
    expect(await memory.read((store) => store.totals())).toEqual({ entities: 1, relations: 0 });
  } finally {
    await memory.close();
  }
});

test("keeps rows whose deletion a JSONL file has not seen", async () => {
  await using folder = tempFolder();
  const database = folder.at("m.db");
  const mirrored = { location: { database, mirror: folder.at("m.jsonl") } };
  const withFile = new Memory(mirrored);
  await withFile.write("test", (store, call) => runAtOnce(createEntities(store, call, [entity("a", "t"), entity("b", "t")])));
  await withFile.close();
  const without = new Memory({ location: { database } });
  await without.write("test", (store, call) => runAtOnce(deleteEntities(store, call, ["a"])));
  expect(await without.pruneHistory(Date.now() + 1)).toEqual({ entities: 0, observations: 0, relations: 0 });
  await without.close();
  const again = new Memory(mirrored);
  try {
    expect(await again.read((store) => store.totals())).toEqual({ entities: 1, relations: 0 });
    await again.flush();
    expect(folder.read("m.jsonl")).not.toContain('"a"');
  } finally {
    await again.close();
  }
});
