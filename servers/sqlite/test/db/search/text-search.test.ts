// Pages of a search: each match once, whatever the kind of table and wherever a page ends.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { searchText } from "../../../src/db/search/text-search.ts";
import type { SearchMatch, SearchPosition, SearchRequest } from "../../../src/db/protocol/query-messages.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";

const N = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)";
const SCHEMA = `
  CREATE VIRTUAL TABLE f USING fts5(title, body); ${N} INSERT INTO f SELECT 'title ' || i, printf('needle %.*c', i, 'x') FROM n;
  CREATE VIRTUAL TABLE g USING fts5(body); ${N} INSERT INTO g SELECT 'needle' FROM n;
  CREATE TABLE a (id INTEGER PRIMARY KEY, v); ${N} INSERT INTO a SELECT i * 100000, 'a needle ' || i FROM n;
  CREATE TABLE big (id INTEGER PRIMARY KEY, v); INSERT INTO big VALUES (-9223372036854775808, 'needle'), (9223372036854775807, 'needle'), (9007199254740993, 'needle');
  CREATE TABLE w (k PRIMARY KEY, v) WITHOUT ROWID; ${N} INSERT INTO w SELECT i, 'needle' FROM n;
  CREATE TABLE taken (rowid, _rowid_, oid, v); ${N} INSERT INTO taken SELECT i, i, i, 'needle' FROM n;
  CREATE TABLE none (v); INSERT INTO none VALUES ('hay');
  CREATE TABLE z (v); INSERT INTO z VALUES ('needle');
`;
const COUNT = 12 * 5 + 3 + 1;

const find = ({ engine }: OpenedEngine, request: Partial<SearchRequest> = {}) =>
  searchText(engine, { op: "search", text: "needle", tables: [], maxMatches: 1000, maxBytes: 1_000_000, ...request });

function allPages(opened: OpenedEngine, request: Partial<SearchRequest>): SearchMatch[][] {
  const pages: SearchMatch[][] = [];
  let after: SearchPosition | undefined;
  do {
    const { matches, next, truncated } = find(opened, { ...request, after });
    expect(truncated).toBe(next !== undefined);
    pages.push(matches);
    after = next;
  } while (after !== undefined);
  return pages;
}

test.each([1, 5, 12, 13, 63])("returns each match once in pages of %i matches, in the order of one large page", async (maxMatches) => {
  await using opened = await openEngine(SCHEMA, { write: false });
  const { matches, truncated, next } = find(opened);
  expect([matches.length, truncated, next]).toEqual([COUNT, false, undefined]);
  const pages = allPages(opened, { maxMatches });
  expect(pages.flat()).toEqual(matches);
  expect(Math.max(...pages.map((page) => page.length))).toBe(maxMatches);
});

test.each([1, 150, 400, 2000])("returns each match once in pages of %i bytes", async (maxBytes) => {
  await using opened = await openEngine(SCHEMA, { write: false });
  const pages = allPages(opened, { maxBytes });
  expect(pages.flat()).toEqual(find(opened).matches);
  for (const page of pages)
    expect(page.length === 1 || page.reduce((sum, match) => sum + Buffer.byteLength(JSON.stringify(match)), 0) <= maxBytes).toBe(true);
});

test("names the tables that a page did not search completely", async () => {
  await using opened = await openEngine(SCHEMA, { write: false });
  expect(find(opened, { maxMatches: 30 })).toMatchObject({
    truncated: true,
    unfinished: ["a", "big", "none", "taken", "w", "z"],
    next: { table: "a", rowid: "600000" },
  });
  expect(find(opened, { maxMatches: 3 })).toMatchObject({ next: { table: "f", skip: 3 } });
  expect(find(opened, { maxMatches: 12 })).toMatchObject({ next: { table: "g" } });
  expect(find(opened, { tables: ["w"], maxMatches: 2 })).toMatchObject({ unfinished: ["w"], next: { table: "w", skip: 2 } });
});

test("refuses a page after its table was removed", async () => {
  await using opened = await openEngine(SCHEMA);
  opened.engine.db.exec("DROP TABLE a");
  expect(() => find(opened, { after: { table: "a", rowid: "1" } })).toThrow(
    "was removed since the previous page. Search again without cursor",
  );
});

test.each([
  ["nothing but blanks", " \n", "expected a text to find"],
  ["a text of more than 8,000 characters", "x".repeat(8001), "the limit is 8000"],
])("refuses %s", async (_name, text, message) => {
  await using opened = await openEngine(SCHEMA, { write: false });
  expect(() => find(opened, { text })).toThrow(message);
  expect(find(opened, { text: "y".repeat(8000) }).matches).toEqual([]);
});

test("ends in time within a view without an end, and names it", async () => {
  const endless = "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;";
  await using opened = await openEngine(`${endless} CREATE TABLE t (a); INSERT INTO t VALUES ('hay')`, { write: false });
  const request = { op: "search", text: "needle", tables: ["endless"], maxMatches: 10, maxBytes: 10_000 } as const;
  expect(searchText(opened.engine, request, 50)).toMatchObject({
    matches: [],
    truncated: true,
    next: undefined,
    notSearched: [{ table: "endless", reason: expect.stringMatching(/^searching it takes too long: use read_query/) }],
  });
  expect(searchText(opened.engine, { ...request, tables: [] }, 5000)).toMatchObject({ truncated: false, views: ["endless"], searched: 1 });
});

test("goes on after the rows of a table that it had time for", async () => {
  await using opened = await openEngine(SCHEMA, { write: false });
  const { next, truncated } = searchText(
    opened.engine,
    { op: "search", text: "needle", tables: ["a", "z"], maxMatches: 100, maxBytes: 10_000 },
    -1,
  );
  expect([truncated, next]).toEqual([true, { table: "a", rowid: "100500", hadMatches: true }]);
});

test("reads no BLOB that is too long to be searched", async () => {
  await using opened = await openEngine(
    `CREATE TABLE photos (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
      INSERT INTO photos VALUES (1, 'hay', CAST(printf('%.*c', 200000, 'x') AS BLOB)), (2, 'needle', NULL)`,
    { write: false },
  );
  const bytes = readFileSync(opened.file);
  // The BLOB is kept in a chain of pages, each with the number of the next one and bytes of x.
  for (let page = 0; page < bytes.length; page += 4096)
    if (bytes.toString("latin1", page + 4, page + 8) === "xxxx") bytes.fill(0xff, page, page + 4);
  writeFileSync(opened.file, bytes);
  expect(() => opened.engine.db.prepare("SELECT data FROM photos").get()).toThrow("malformed");
  expect(find(opened)).toMatchObject({
    matches: [{ table: "photos", column: "name", rowid: 2 }],
    unreadable: [],
    notSearched: [{ table: "photos", column: "data" }],
  });
});

test("ends in time in a table of long texts", async () => {
  await using opened = await openEngine(
    "CREATE TABLE long (v); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO long SELECT printf('%.*c', 20000, 'x') FROM n",
  );
  const { next, truncated } = searchText(opened.engine, { op: "search", text: "needle", tables: [], maxMatches: 5, maxBytes: 10_000 }, 0);
  expect(truncated).toBe(true);
  expect(Number(next?.rowid)).toBeLessThan(1000);
});

test.each([1, 2, 50])("returns a row once that a full-text table indexes, in pages of %i matches", async (maxMatches) => {
  await using opened = await openEngine(
    `CREATE TABLE art (id INTEGER PRIMARY KEY, title TEXT, body TEXT, tag TEXT);
     CREATE VIRTUAL TABLE art_fts USING fts5(title, body, content='art', content_rowid='id', tokenize='porter');
     CREATE VIRTUAL TABLE art_parts USING fts5(title, content='art', content_rowid='id', tokenize='trigram');
     CREATE VIRTUAL TABLE art_4 USING fts4(body, content='art');
     INSERT INTO art VALUES (1, 'needle work', 'x', ''), (2, 'y', 'a needle again', ''), (3, 'y', 'unneedled', ''), (4, 'needles', 'y', ''), (5, 'y', 'y', 'needle');
     INSERT INTO art_fts (art_fts) VALUES ('rebuild'); INSERT INTO art_parts (art_parts) VALUES ('rebuild'); INSERT INTO art_4 (art_4) VALUES ('rebuild')`,
    { write: false },
  );
  const places = allPages(opened, { maxMatches }).flatMap((page) => page.map(({ table, column, rowid }) => `${table} ${column} ${rowid}`));
  expect(places.toSorted()).toEqual(["art body 3", "art tag 5", "art_4 body 2", "art_fts title 1", "art_fts title 4"]);
  const ofTable = find(opened, { tables: ["art"], maxMatches }).matches;
  expect(ofTable.map(({ table }) => table)).toEqual(ofTable.map(() => "art"));
});

test("finds the rows of a table whose full-text index cannot be read", async () => {
  await using opened = await openEngine(
    `CREATE TABLE art (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO art VALUES (1, 'needle');
     CREATE VIRTUAL TABLE art_fts USING fts5(title, content='art', content_rowid='id'); INSERT INTO art_fts (art_fts) VALUES ('rebuild');
     CREATE TABLE keyed (code INTEGER, title TEXT, PRIMARY KEY (code)) WITHOUT ROWID; INSERT INTO keyed VALUES (7, 'needle');
     CREATE VIRTUAL TABLE keyed_fts USING fts5(title, content='keyed', content_rowid='code'); INSERT INTO keyed_fts (keyed_fts) VALUES ('rebuild')`,
  );
  expect(find(opened).matches.map(({ table }) => table)).toEqual(["art_fts", "keyed_fts"]);
  opened.engine.db.exec("ALTER TABLE art RENAME COLUMN title TO name; DROP TABLE keyed");
  expect(find(opened).matches).toMatchObject([{ table: "art", column: "name", rowid: 1 }]);
  opened.engine.db.exec("INSERT INTO art VALUES (2, 'needle')");
  expect(find(opened, { after: find(opened, { maxMatches: 1 }).next })).toMatchObject({ matches: [{ table: "art", rowid: 2 }] });
});
