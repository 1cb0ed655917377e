// What a statement may do to rows, found before it runs.
import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { NO_ROW_EFFECTS, type RowEffects } from "../../../src/db/policy/row-effects.ts";
import { allowWrite } from "../../../src/db/policy/statement-policy.ts";

const SCHEMA = `
  CREATE TABLE plain (a);
  CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b);
  CREATE INDEX t_b ON t (b);
  CREATE TABLE keyed (k PRIMARY KEY, v UNIQUE) WITHOUT ROWID;
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT);
  CREATE TABLE other (a);
  CREATE TABLE log (a);
  CREATE TABLE inserts (a);
  CREATE TRIGGER on_inserts AFTER INSERT ON inserts BEGIN INSERT INTO log VALUES (new.a); END;
  CREATE TABLE updates (a);
  CREATE TRIGGER on_updates AFTER INSERT ON updates BEGIN UPDATE other SET a = 1; INSERT INTO log VALUES (1); END;
  CREATE TABLE keys (a);
  CREATE TRIGGER on_keys AFTER INSERT ON keys BEGIN INSERT INTO keyed VALUES (new.a, 1); UPDATE keyed SET v = 2; END;
  CREATE TABLE removals (a);
  CREATE TRIGGER on_removals AFTER INSERT ON removals BEGIN DELETE FROM keyed WHERE k = new.a; END;
  CREATE TABLE reads (a);
  CREATE TRIGGER on_reads AFTER INSERT ON reads BEGIN SELECT 1; END;
  CREATE TABLE parents (id INTEGER PRIMARY KEY);
  CREATE TABLE children (id INTEGER PRIMARY KEY, parent REFERENCES parents ON DELETE CASCADE);
  CREATE VIEW v AS SELECT * FROM t;
  CREATE TRIGGER on_v INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.id, new.a, new.b); END;
`;
const FULL_TEXT = `
  CREATE VIRTUAL TABLE Words USING fts5(body);
  CREATE VIRTUAL TABLE boxes USING rtree(id, a, b);
  CREATE TABLE indexed (id INTEGER PRIMARY KEY, body);
  CREATE VIRTUAL TABLE idx USING fts5(body, content='indexed', content_rowid='id');
  CREATE TRIGGER on_indexed AFTER INSERT ON indexed BEGIN INSERT INTO idx (rowid, body) VALUES (new.id, new.body); END;
  CREATE TRIGGER on_indexed_gone AFTER DELETE ON indexed BEGIN INSERT INTO idx (idx, rowid, body) VALUES ('delete', old.id, old.body); END;
`;

const opened = (schema: string): Database.Database => {
  const db = new Database(":memory:");
  db.pragma("foreign_keys = 1");
  return db.exec(schema);
};
const effectsIn = (db: Database.Database, sql: string): RowEffects => allowWrite(db, sql).rowEffects;

const db = opened(SCHEMA + FULL_TEXT);
afterAll(() => void db.close());

/** A statement, and where its effects differ from none at all. */
type Case = [sql: string, effects: Partial<RowEffects>];

test.each<Case>([
  ["INSERT INTO plain VALUES (1)", { addsTo: ["plain"], writesTo: ["plain"] }],
  ["INSERT INTO plain SELECT a FROM t", { addsTo: ["plain"], writesTo: ["plain"] }],
  ["INSERT OR ABORT INTO t VALUES (1, 2, 3)", { addsTo: ["t"], writesTo: ["t"] }],
  ["INSERT OR FAIL INTO t VALUES (1, 2, 3)", { addsTo: ["t"], writesTo: ["t"], isAtomic: false }],
  ["INSERT INTO keyed VALUES (1, 2)", { addsTo: ["keyed"], writesTo: ["keyed"] }],
  ["INSERT INTO counted DEFAULT VALUES", { addsTo: ["counted"], writesTo: ["counted"] }],
  ["CREATE TABLE n AS SELECT * FROM t", {}],
  ["CREATE INDEX n ON t (a)", {}],
  ["DROP TABLE t", {}],
])("classifies %s as only adding rows", (sql, effects) => {
  expect(effectsIn(db, sql)).toEqual({ ...NO_ROW_EFFECTS, ...effects });
});

test.each<Case>([
  ["UPDATE t SET a = 1", { addsTo: ["t"], writesTo: ["t"] }],
  ["UPDATE keyed SET v = 1", { addsTo: ["keyed"], writesTo: ["keyed"] }],
  ["DELETE FROM t", { writesTo: ["t"] }],
  ["DELETE FROM t WHERE id = 1", { writesTo: ["t"] }],
  ["DELETE FROM keyed WHERE k = 1", { writesTo: ["keyed"] }],
  ["INSERT INTO t VALUES (1, 2, 3) ON CONFLICT DO UPDATE SET b = 1", { addsTo: ["t"], writesTo: ["t"] }],
  ["INSERT INTO keyed VALUES (1, 2) ON CONFLICT (k) DO UPDATE SET v = 1", { addsTo: ["keyed"], writesTo: ["keyed"] }],
  // Two unique keys and the row id.
  ["INSERT OR REPLACE INTO t VALUES (1, 2, 3)", { mayReplace: true, maxReplaced: 2, addsTo: ["t"], writesTo: ["t"] }],
  ["REPLACE INTO keyed VALUES (1, 2)", { mayReplace: true, maxReplaced: 3, addsTo: ["keyed"], writesTo: ["keyed"] }],
  ["REPLACE INTO plain VALUES (1)", { mayReplace: true, maxReplaced: 1, addsTo: ["plain"], writesTo: ["plain"] }],
])("classifies %s as altering rows", (sql, effects) => {
  expect(effectsIn(db, sql)).toEqual({ ...NO_ROW_EFFECTS, mayAlter: true, ...effects });
});

test.each<Case>([
  ["INSERT INTO inserts VALUES (1)", { alsoChanges: ["log"], addsTo: ["inserts", "log"], writesTo: ["inserts", "log"] }],
  ["INSERT INTO v VALUES (1, 2, 3)", { alsoChanges: ["t"], addsTo: ["t"], writesTo: ["t"] }],
  [
    "INSERT INTO updates VALUES (1)",
    { mayAlter: true, alsoChanges: ["other", "log"], addsTo: ["updates", "other", "log"], writesTo: ["updates", "other", "log"] },
  ],
  ["INSERT INTO keys VALUES (1)", { mayAlter: true, alsoChanges: ["keyed"], addsTo: ["keys", "keyed"], writesTo: ["keys", "keyed"] }],
  ["INSERT INTO removals VALUES (1)", { mayAlter: true, alsoChanges: ["keyed"], addsTo: ["removals"], writesTo: ["removals", "keyed"] }],
  ["DELETE FROM parents WHERE id = 1", { mayAlter: true, alsoChanges: ["children"], writesTo: ["parents", "children"] }],
])("finds side effects of %s", (sql, effects) => {
  expect(effectsIn(db, sql)).toEqual({ ...NO_ROW_EFFECTS, hasSideEffects: true, ...effects });
});

test("finds no side effects of a trigger that only reads", () => {
  expect(effectsIn(db, "INSERT INTO reads VALUES (1)")).toEqual({ ...NO_ROW_EFFECTS, addsTo: ["reads"], writesTo: ["reads"] });
});

test.each<Case>([
  ["INSERT INTO boxes VALUES (1, 2, 3)", { addsTo: ["boxes"] }],
  ["INSERT INTO Words VALUES ('a')", { addsTo: ["Words"] }],
  ["UPDATE Words SET body = 'x'", { mayAlter: true }],
  ["DELETE FROM Words", { mayAlter: true }],
  ["INSERT OR REPLACE INTO Words (rowid, body) VALUES (1, 'a')", { mayAlter: true, mayReplace: true, maxReplaced: 1, addsTo: ["Words"] }],
  ["INSERT INTO Words (Words) VALUES ('optimize')", { isCommand: true, addsTo: ["Words"] }],
  ["INSERT INTO Words (Words) VALUES ('delete-all')", { isCommand: true, mayAlter: true, clears: ["words"], addsTo: ["Words"] }],
])("classifies %s as a change of a virtual table, not atomic", (sql, effects) => {
  expect(effectsIn(db, sql)).toEqual({ ...NO_ROW_EFFECTS, isAtomic: false, ...effects });
});

test("finds that a trigger of a full-text index clears nothing unless it uses delete-all", () => {
  const keeping = opened(SCHEMA + FULL_TEXT);
  const insert = "INSERT INTO indexed VALUES (1, 'a')";
  const effects = { ...NO_ROW_EFFECTS, triggersWriteVirtualTables: true, addsTo: ["indexed"], writesTo: ["indexed"], isAtomic: false };
  expect(effectsIn(keeping, insert)).toEqual(effects);
  keeping.exec("CREATE TRIGGER on_other AFTER INSERT ON other BEGIN INSERT INTO IDX (IDX) VALUES ('delete-all'); END");
  expect(effectsIn(keeping, insert)).toEqual({ ...effects, mayAlter: true, clears: ["idx"] });
  keeping.close();
});

test.each([
  "CREATE TABLE r (a UNIQUE ON CONFLICT REPLACE)",
  "CREATE TRIGGER r AFTER INSERT ON other BEGIN REPLACE INTO t VALUES (1, 2, 3); END",
])("assumes that every change may replace rows with the schema %s", (sql) => {
  const replacing = opened(SCHEMA);
  expect(effectsIn(replacing, "INSERT INTO t VALUES (1, 2, 3)").mayReplace).toBe(false);
  replacing.exec(sql);
  expect(effectsIn(replacing, "INSERT INTO t VALUES (1, 2, 3)")).toMatchObject({ mayAlter: true, mayReplace: true, maxReplaced: 2 });
  expect(effectsIn(replacing, "DELETE FROM t")).toMatchObject({ mayReplace: true, maxReplaced: 0 });
  replacing.close();
});

test("ignores the word REPLACE in a view or an index", () => {
  const reading = opened(`${SCHEMA} CREATE VIEW r AS SELECT replace(a, 'x', 'y') FROM t; CREATE INDEX i ON t (replace(a, 'x', 'y'))`);
  expect(effectsIn(reading, "INSERT INTO t VALUES (1, 2, 3)").mayReplace).toBe(false);
  reading.close();
});
