// Databases of other programs in form: what each tool says about them.
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type TempFolder, type TestConnection } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeEncryptedDatabase, makeProgramDatabase, PROGRAMS, type ProgramName } from "../support/program-databases.ts";
import { text } from "../support/shop.ts";
import { targetOf } from "../support/target.ts";

const NAMES = Object.keys(PROGRAMS) as ProgramName[];
let folder: TempFolder;
let wired: TestConnection;
beforeAll(async () => {
  folder = tempFolder();
  const files = NAMES.map((name) => makeProgramDatabase(folder.at(`${name}.db`), name));
  wired = await connectTo(targetOf({ files: [...files, makeEncryptedDatabase(folder.at("encrypted.db"))] }));
});
afterAll(async () => {
  await wired[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const call = (name: string, database: string, args: Json = {}): Promise<CallToolResult> => wired.client.call(name, { database, ...args });
async function structured(name: string, database: string, args: Json = {}): Promise<Json> {
  const result = await call(name, database, args);
  expect(result.isError, text(result)).toBeUndefined();
  return result.structuredContent as Json;
}

test.each<[ProgramName, string, string[]]>([
  ["browser", "walrus", ["moz_places 1"]],
  ["messenger", "otter", ["message 2"]],
  ["photos", "CAFE\u0301", ["ZMOMENT 1"]],
  ["anki", "badger", ["notes 1"]],
  ["zotero", "habits ibex", ["itemDataValues 1"]],
  ["geopackage", "lynx", ["towns 1"]],
  ["plex", "ete", ["metadata_items 2"]],
  ["mail", "gecko bill", ["messagesText_content_search 1"]],
  ["mail", "invoice", ["messagesText_content_search 1", "subjects 1"]],
  ["tracks", "stork", ["areas 1", "shapes 1"]],
])("search_text in %s finds %s", async (name, query, wanted) => {
  const { matches } = (await structured("search_text", name, { query })) as unknown as { matches: { table: string; rowid: number }[] };
  expect(matches.map(({ table, rowid }) => `${table} ${rowid}`).toSorted()).toEqual(wanted);
});

test("search_text names the full-text table of Plex that it cannot read", async () => {
  const result = await call("search_text", "plex", { query: "heron" });
  expect(result.structuredContent).toMatchObject({
    matches: [{ table: "metadata_items", column: "title" }],
    unreadable: [{ table: "fts4_metadata_titles_icu", reason: expect.stringMatching(/^unknown tokenizer: collating\. .*metadata_items/) }],
  });
});

describe("check_database", () => {
  test.each<[ProgramName, string[]]>([
    ["browser", []],
    ["messenger", ["function delete_attachment_path: trigger before_delete_on_attachment"]],
    ["photos", []],
    ["anki", ["collation unicase: table decks, table fields, index idx_decks_name"]],
    ["zotero", []],
    ["geopackage", ["function ST_IsEmpty: trigger rtree_towns_geom_insert"]],
    [
      "plex",
      [
        "collation icu_root: table metadata_items, index index_title_sort, index index_title_sort_icu",
        "tokenizer collating: table fts4_metadata_titles_icu",
      ],
    ],
    ["mail", []],
    ["tracks", []],
  ])("names what %s has and SQLite has not", async (name, wanted) => {
    const found = await structured("check_database", name);
    const { missing } = found["schema"] as { missing: { kind: string; name: string; neededBy: string[] }[] };
    expect(missing.map((part) => `${part.kind} ${part.name}: ${part.neededBy.join(", ")}`).toSorted()).toEqual(wanted);
    expect(found["ok"]).toBe(wanted.length === 0);
    expect(found["size"]).toMatchObject({ pageSize: 4096 });
  });

  test.each<[ProgramName, string[]]>([
    ["browser", ["moz_historyvisits.place_id: 1"]],
    ["messenger", ["message.handle_id: 1"]],
    ["photos", ["ZASSET.ZMOMENT -> ZMOMENT.Z_PK"]],
    ["zotero", ["itemNotes.parentItemID -> items.itemID"]],
  ])("finds the links of %s without a foreign key", async (name, wanted) => {
    const { data } = (await structured("check_database", name, { checks: ["data"] })) as unknown as {
      data: { findings: { kind: string; table: string; column: string; count: number }[]; linksWithoutForeignKey?: string[] };
    };
    const orphans = data.findings.filter(({ kind }) => kind === "link").map(({ table, column, count }) => `${table}.${column}: ${count}`);
    expect([...orphans, ...(data.linksWithoutForeignKey ?? [])]).toEqual(wanted);
  });
});

test.each<[ProgramName, string, unknown]>([
  ["browser", "SELECT datetime(last_visit_date / 1000000, 'unixepoch') FROM moz_places ORDER BY id LIMIT 1", "2026-01-01 00:00:00"],
  ["anki", "SELECT name FROM decks ORDER BY name LIMIT 1", "animals"],
  ["anki", "SELECT name FROM decks WHERE name = 'ANIMALS' COLLATE NOCASE", "animals"],
  ["geopackage", "SELECT name FROM towns JOIN rtree_towns_geom ON id = fid WHERE minx < 9", "Lynxhausen"],
  ["plex", "SELECT count(*) FROM metadata_items", 3],
  ["plex", "SELECT title FROM metadata_items ORDER BY title_sort LIMIT 1", "alpine"],
  ["mail", "SELECT subject FROM messagesText_content_search WHERE messagesText_content_search MATCH 'gecko'", "Invoice"],
  ["tracks", "SELECT label FROM areas WHERE minx <= 5 AND maxx >= 5", "stork meadow"],
])("read_query on %s: %s", async (name, query, value) => {
  expect(await structured("read_query", name, { query, limit: 1 })).toMatchObject({ rows: [[value]] });
});

test.each(NAMES)("list_tables and describe_table read every table of %s", async (name) => {
  const { tables } = (await structured("list_tables", name)) as unknown as { tables: { name: string; error?: string }[] };
  expect(tables.length).toBeGreaterThan(1);
  for (const { name: table, error } of tables) {
    expect([table, error]).toEqual([table, table === "fts4_metadata_titles_icu" ? "unknown tokenizer: collating" : undefined]);
    expect(await structured("describe_table", name, { table_name: table, sample_rows: 1 })).toMatchObject({ table });
  }
});

test.each(["read_query", "list_tables", "search_text", "check_database"])(
  "%s says that an encrypted file is none that it can read",
  async (tool) => {
    const result = await call(tool, "encrypted", { query: "SELECT 1 FROM sqlite_schema" });
    expect(result.isError).toBe(true);
    expect(text(result)).toMatch(/not a SQLite database|encrypted/);
  },
);

test("write_query changes the schema beside a full-text table that cannot be opened", async () => {
  expect(await structured("write_query", "plex", { query: "ALTER TABLE metadata_items ADD COLUMN note TEXT" })).toMatchObject({
    schemaChanged: true,
  });
});
