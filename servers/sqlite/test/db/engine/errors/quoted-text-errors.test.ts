// Texts in double quotes in the schema: changes of rows and of the schema run as in the program that wrote them.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openEngine, change, type OpenedEngine } from "../../../support/engine.ts";
import { explainError } from "../../../../src/db/engine/errors/error-messages.ts";

const TABLES = "CREATE TABLE q (id INTEGER PRIMARY KEY, x, extra); CREATE TABLE log (entry)";

/** What a change fails with, in words. */
function failure(opened: OpenedEngine, sql: string): string {
  try {
    change(opened, sql, { maxChanges: null, allowDrop: true });
  } catch (error) {
    return (explainError(error, sql, opened.engine.db) as Error).message;
  }
  return "";
}

async function openAsPeer(sql: string): Promise<OpenedEngine> {
  const opened = await openEngine(TABLES);
  using peer = Object.assign(new DatabaseSync(opened.file, { enableDoubleQuotedStringLiterals: true }), {
    [Symbol.dispose]: () => undefined,
  });
  peer.exec(sql);
  peer.close();
  return opened;
}

const RENAME = "ALTER TABLE q RENAME COLUMN x TO y";
const HOLDERS = [
  ["view", 'CREATE VIEW h AS SELECT x FROM q WHERE x <> "a" AND x <> "it\'s"'],
  ["index", 'CREATE INDEX h ON q (x) WHERE x <> "none"'],
  ["trigger", 'CREATE TRIGGER h AFTER INSERT ON q BEGIN INSERT INTO log VALUES ("new"); UPDATE q SET "x" = "y"; END'],
  ["table", 'CREATE TABLE h ("Asia", c CHECK (c IN ("Europe", "none")))'],
  ["table", 'CREATE TABLE h (c, d AS (coalesce(c, "Asia")))'],
] as const;
const ALTERS = [RENAME, "ALTER TABLE q RENAME TO r", "ALTER TABLE q DROP COLUMN extra"];

/** What the statement leaves in the schema, where SQLite allows such texts. */
function schemaAsPeer(schema: string, alter: string): unknown {
  const peer = new DatabaseSync(":memory:", { enableDoubleQuotedStringLiterals: true });
  peer.exec(`${TABLES}; ${schema}; ${alter}`);
  const rows = peer.prepare("SELECT type, name, sql FROM sqlite_schema").all();
  peer.close();
  return rows;
}

test.each(HOLDERS.flatMap(([type, schema]) => ALTERS.map((alter) => [alter, type, schema] as const)))(
  "runs %s beside a %s with texts as SQLite does: %s",
  async (alter, type, schema) => {
    await using opened = await openAsPeer(schema);
    const before = opened.engine.db.prepare("SELECT type, name, sql FROM sqlite_schema").all();
    const dry = change(opened, alter, { dryRun: true });
    expect(dry.schemaChange).toMatchObject({ isDone: true, advice: expect.stringMatching(`: the ${type} h.$`) });
    expect(opened.engine.db.prepare("SELECT type, name, sql FROM sqlite_schema").all()).toEqual(before);
    change(opened, alter, { allowDrop: true });
    const written = opened.engine.db.prepare("SELECT type, name, sql FROM sqlite_schema").all();
    // RENAME TO keeps double quotes there, and this SQLite needs single ones to go on.
    const plain = (rows: unknown): string =>
      JSON.stringify(rows)
        .replaceAll("''", "'")
        .replaceAll(String.raw`\"`, "'");
    expect(plain(written)).toBe(plain(schemaAsPeer(schema, alter)));
    expect(failure(opened, "ALTER TABLE log RENAME TO log2")).toBe("");
    expect(opened.engine.db.pragma("integrity_check", { simple: true })).toBe("ok");
  },
);

test("leaves the schema where an ALTER fails for another reason", async () => {
  await using opened = await openAsPeer(HOLDERS[1][1]);
  expect(failure(opened, "ALTER TABLE q DROP COLUMN x")).toContain("error in index h after drop column");
  expect(failure(opened, "ALTER TABLE q RENAME TO log")).toContain("already another table");
  expect(opened.engine.db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'h'").pluck().get()).toBe(HOLDERS[1][1]);
});

test("keeps the schema closed to statements of the caller", async () => {
  await using opened = await openAsPeer(HOLDERS[2][1]);
  change(opened, "INSERT INTO q (x) VALUES (1)");
  change(opened, RENAME);
  expect(failure(opened, "UPDATE sqlite_schema SET sql = ''")).not.toBe("");
  expect(() => opened.engine.db.exec("UPDATE sqlite_schema SET sql = ''")).toThrow("may not be modified");
});

test("runs several triggers with one text, which is a column of another table", async () => {
  await using opened = await openAsPeer(
    'CREATE TRIGGER t AFTER INSERT ON q BEGIN INSERT INTO log SELECT "entry" FROM (SELECT 1 AS entry) UNION ALL VALUES ("entry"); END; CREATE TRIGGER u AFTER INSERT ON q BEGIN INSERT INTO log VALUES ("other"); END',
  );
  change(opened, "INSERT INTO q (x) VALUES (1)");
  expect(opened.engine.db.prepare("SELECT entry FROM log ORDER BY 1").pluck().all()).toEqual([1, "entry", "other"]);
});

test("leaves the message about a text of the statement itself", async () => {
  await using opened = await openAsPeer('CREATE VIEW v AS SELECT x FROM q WHERE x <> "a"');
  expect(failure(opened, 'UPDATE q SET x = "a"')).toContain("should this be a string literal in single-quotes?");
});
