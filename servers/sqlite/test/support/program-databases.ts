// Databases in the form that programs give them: the schemas of browsers, messengers, photo libraries and others, with few rows.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { makeDatabase } from "./databases.ts";
import { renameInSchema } from "./foreign-schema.ts";

interface Program {
  readonly sql: string;
  /** Names of what only the program has, for those that SQLite knows. */
  readonly names?: readonly (readonly [object: string, from: string, to: string])[];
}

export const PROGRAMS = {
  browser: {
    sql: `CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, visit_count INTEGER DEFAULT 0, last_visit_date INTEGER, guid TEXT);
      CREATE UNIQUE INDEX moz_places_guid ON moz_places (guid);
      CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER);
      CREATE INDEX moz_historyvisits_place ON moz_historyvisits (place_id);
      INSERT INTO moz_places VALUES (1, 'https://example.org/walrus', 'All about the walrus', 2, 1767225600000000, 'aaaa'), (2, 'https://example.org/', 'Home', 1, 1767225700000000, 'bbbb');
      INSERT INTO moz_historyvisits VALUES (1, 0, 1, 1767225600000000), (2, 1, 1, 1767225650000000), (3, 0, 9, 1767225660000000);`,
  },
  messenger: {
    sql: `CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, service TEXT, UNIQUE (id, service));
      CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, attributedBody BLOB, handle_id INTEGER DEFAULT 0, date INTEGER);
      CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, filename TEXT);
      CREATE TRIGGER before_delete_on_attachment BEFORE DELETE ON attachment BEGIN SELECT hex(OLD.filename); END;
      INSERT INTO handle VALUES (1, '+4915100000000', 'SMS'), (2, '+4915100000001', 'SMS');
      INSERT INTO message VALUES (1, 'g1', 'See you at eight', NULL, 1, 700000000), (2, 'g2', NULL, CAST(x'040b73747265616d' || 'the otter is here' AS BLOB), 2, 700000001), (3, 'g3', 'ok', NULL, 0, 700000002);
      INSERT INTO attachment VALUES (1, '~/a.jpg');`,
    names: [["before_delete_on_attachment", "hex", "delete_attachment_path"]],
  },
  photos: {
    sql: `CREATE TABLE ZMOMENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTITLE VARCHAR); CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZMOMENT INTEGER, ZDATECREATED TIMESTAMP, ZFILENAME VARCHAR, ZPREVIEW BLOB);
      CREATE INDEX ZASSET_ZMOMENT ON ZASSET (ZMOMENT);
      INSERT INTO ZMOMENT VALUES (1, 2, 'Café in Zürich'); INSERT INTO ZASSET VALUES (1, 1, 1, 700000000.5, 'IMG_0001.HEIC', zeroblob(100000)), (2, 1, 1, 700000001.5, 'IMG_0002.HEIC', NULL);`,
  },
  anki: {
    sql: `CREATE TABLE notes (id INTEGER PRIMARY KEY, guid TEXT NOT NULL, mid INTEGER NOT NULL, flds TEXT NOT NULL, sfld INTEGER NOT NULL); CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INTEGER NOT NULL, did INTEGER NOT NULL);
      CREATE TABLE decks (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE NOCASE, mtime_secs INTEGER NOT NULL); CREATE UNIQUE INDEX idx_decks_name ON decks (name);
      CREATE TABLE fields (ntid INTEGER NOT NULL, ord INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
      INSERT INTO notes VALUES (1, 'x', 1, 'der Dachs' || char(31) || 'the badger', 'der Dachs'); INSERT INTO cards VALUES (1, 1, 1); INSERT INTO decks VALUES (1, 'Verbs', 0), (2, 'animals', 0); INSERT INTO fields VALUES (1, 0, 'Front'), (1, 1, 'Back');`,
    names: [
      ["decks", "NOCASE", "unicase"],
      ["fields", "NOCASE", "unicase"],
    ],
  },
  zotero: {
    sql: `CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, key TEXT NOT NULL); CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
      CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID), FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN KEY (valueID) REFERENCES itemDataValues(valueID));
      CREATE INDEX itemData_valueID ON itemData(valueID); CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT);
      INSERT INTO items VALUES (1, 2, 'ABCD2345'); INSERT INTO itemDataValues VALUES (1, 'On the habits of the ibex'), (2, 1998); INSERT INTO itemData VALUES (1, 1, 1), (1, 2, 2); INSERT INTO itemNotes VALUES (3, 1, '<p>ibex</p>');`,
  },
  geopackage: {
    sql: `PRAGMA application_id = 1196444487; CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE); CREATE TABLE towns (fid INTEGER PRIMARY KEY AUTOINCREMENT, geom BLOB, name TEXT);
      CREATE VIRTUAL TABLE rtree_towns_geom USING rtree(id, minx, maxx, miny, maxy);
      INSERT INTO gpkg_contents VALUES ('towns', 'features', 'towns'); INSERT INTO towns VALUES (1, x'47500001e6100000', 'Lynxhausen'); INSERT INTO rtree_towns_geom VALUES (1, 8, 8, 47, 47);
      CREATE TRIGGER rtree_towns_geom_insert AFTER INSERT ON towns WHEN (NEW.geom NOT NULL AND NOT abs(NEW.geom)) BEGIN INSERT OR REPLACE INTO rtree_towns_geom VALUES (NEW.fid, 0, 0, 0, 0); END;`,
    names: [["rtree_towns_geom_insert", "abs", "ST_IsEmpty"]],
  },
  plex: {
    sql: `CREATE TABLE metadata_items (id INTEGER PRIMARY KEY AUTOINCREMENT, library_section_id INTEGER, title VARCHAR(255), title_sort VARCHAR(255) COLLATE NOCASE);
      CREATE INDEX index_title_sort ON metadata_items (title_sort); CREATE INDEX index_title_sort_icu ON metadata_items (title_sort COLLATE NOCASE);
      CREATE VIRTUAL TABLE fts4_metadata_titles_icu USING fts4(content='metadata_items', title, title_sort, tokenize=simple);
      INSERT INTO metadata_items VALUES (1, 1, 'The Heron', 'Heron'), (2, 1, 'Été', 'Été'), (3, 1, 'alpine', 'alpine');`,
    names: [
      ["metadata_items", "NOCASE", "icu_root"],
      ["index_title_sort_icu", "NOCASE", "icu_root"],
      ["fts4_metadata_titles_icu", "simple", "collating"],
    ],
  },
  mail: {
    sql: `CREATE VIRTUAL TABLE messagesText_content_search USING fts3(subject, body); CREATE TABLE messages (id INTEGER PRIMARY KEY, subject TEXT, sender TEXT); CREATE VIRTUAL TABLE subjects USING fts4(content='messages', subject, tokenize=porter);
      INSERT INTO messagesText_content_search VALUES ('Invoice', 'The bill for the gecko'); INSERT INTO messages VALUES (1, 'Invoices due', 'a@example.org'); INSERT INTO subjects (docid, subject) VALUES (1, 'Invoices due');`,
  },
  tracks: {
    sql: `CREATE VIRTUAL TABLE areas USING rtree(id, minx, maxx, miny, maxy, +label TEXT); INSERT INTO areas VALUES (1, 0, 10, 0, 10, 'stork meadow'); CREATE VIRTUAL TABLE shapes USING geopoly(label); INSERT INTO shapes (_shape, label) VALUES ('[[0,0],[1,0],[1,1],[0,0]]', 'stork nest');`,
  },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof PROGRAMS;

export function makeProgramDatabase(file: string, name: ProgramName): string {
  const program: Program = PROGRAMS[name];
  return renameInSchema(makeDatabase(file, program.sql), program.names ?? []);
}

/** As SQLCipher writes a file: no byte of it is plain. */
export function makeEncryptedDatabase(file: string): string {
  writeFileSync(file, randomBytes(8192));
  return file;
}
