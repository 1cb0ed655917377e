// New texts are indexed in batches: search finds a text in the same way before and after.
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { backupsOf } from "../../../src/graph/store/backups.ts";
import { positionOf } from "../../../src/graph/text-index/index-positions.ts";
import { shortGrams, trigramText } from "../../../src/graph/text-index/ngrams.ts";
import { entity } from "../../support/graphs.ts";
import { serveMemory } from "../../support/memory-fixture.ts";
import { walkAtRandom } from "../../support/random-walk.ts";

test.each([1, 2, 3])("random walk %i: each word finds exactly the texts with it, in every state of the indexes", (seed) =>
  walkAtRandom(seed, 60),
);

test("finds a text by two words that are apart in it, indexed or waiting", async () => {
  await using memory = await serveMemory();
  const found: string[][] = [];
  for (const later of [0, 70]) {
    const others = Array.from({ length: later }, (_, at) => entity(`other ${later} ${at}`, "t"));
    await memory.call("create_entities", { entities: [entity(`both ${later}`, "t", "birch on the left, fjord on the right"), ...others] });
    found.push(await memory.search("birch fjord"));
  }
  expect(found).toEqual([["both 0"], ["both 70", "both 0"]]);
});

test("upgrades a store of the first format after a backup, and keeps its content usable", async () => {
  await using before = await serveMemory({
    entities: Array.from({ length: 100 }, (_, at) => entity(`old ${at}`, "t", `fact ${at} of birch`)),
  });
  const file = before.folder.at("m.db");
  await before.wired[Symbol.asyncDispose]();
  // After so many at once all are in the indexes, as they always were in that format.
  const db = new Sqlite(file);
  expect(db.prepare("SELECT * FROM indexed").all()).toEqual([{ name: 100, observation: 100 }]);
  db.exec("DROP TABLE indexed; ALTER TABLE observation DROP COLUMN confirmed; PRAGMA user_version = 1");
  db.close();

  await using after = await serveMemory({ file });
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `old ${from + at}`).reverse();
  expect(await after.search("birch", { limit: 1000, max_tokens: 20_000 })).toEqual(names(0, 100));
  expect(backupsOf(file)).toHaveLength(1);
  await after.call("delete_entities", { entityNames: names(50, 100) });
  await after.call("create_entities", { entities: [entity("new", "t", "of birch too")] });
  expect(await after.search("birch", { limit: 1000, max_tokens: 20_000 })).toEqual(["new", ...names(0, 50)]);
});

test("upgrades a store whose texts were folded in the earlier way, and keeps each text in its index once", async () => {
  const texts = ["Straße 12", "Zoe\u0308 – so", "plain", "東京 İzmir"];
  await using before = await serveMemory({
    entities: Array.from({ length: 24 }, (_, at) => entity(`${texts[at % 4]} ${at}`, "Café", ...texts)),
  });
  const file = before.folder.at("m.db");
  await before.wired[Symbol.asyncDispose]();
  const db = new Sqlite(file);
  const lower = (text: string) => text.toLowerCase();
  const change = (table: string, position: bigint, old: string, earlier: string) => {
    if (old !== "") db.prepare(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`).run(position, old);
    if (earlier !== "") db.prepare(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`).run(position, earlier);
  };
  for (const [kind, sql] of [
    ["name", "SELECT id, name AS text FROM entity"],
    ["observation", "SELECT id, text FROM observation"],
    ["type", "SELECT id, name AS text FROM type"],
  ] as const)
    for (const { id, text } of db.prepare<[], { id: number; text: string }>(sql).all()) {
      change("trigram", positionOf(kind, id), trigramText(text), trigramText(text, lower));
      change("gram", positionOf(kind, id), shortGrams(text), shortGrams(text, lower));
    }
  db.exec("UPDATE entity SET key = 'earlier' || id; PRAGMA user_version = 3");
  db.close();

  await using after = await serveMemory({ file });
  const queries = ["STRASSE", "zoë - SO", "izmir", "京", "cafe", "plain"];
  const counts = async () => Promise.all(queries.map(async (query) => (await after.search(query, { limit: 99, detail: "names" })).length));
  expect(await counts()).toEqual([24, 24, 24, 24, 24, 24]);
  expect(await after.call("create_entities", { entities: [entity("zoe – so 1", "t")] })).toMatchObject({
    similar: [{ existing: ["Zoe\u0308 – so 1"] }],
  });
  await after.call("delete_entities", { entityNames: Array.from({ length: 24 }, (_, at) => `${texts[at % 4]} ${at}`) });
  expect(await counts()).toEqual([0, 1, 0, 0, 0, 0]);
  const index = new Sqlite(file);
  index.exec(
    "INSERT INTO trigram (trigram) VALUES ('optimize'); INSERT INTO gram (gram) VALUES ('optimize'); CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'gram', 'row')",
  );
  expect(index.prepare("SELECT term FROM temp.terms").all()).toEqual([]);
  index.close();
});
