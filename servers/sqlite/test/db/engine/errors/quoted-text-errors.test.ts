// Texts in double quotes in the schema: an error names the object and the text, and its way on works.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openEngine, transact, change, type OpenedEngine } from "../../../support/engine.ts";
import { explainError } from "../../../../src/db/engine/errors/error-messages.ts";

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
  const opened = await openEngine("CREATE TABLE q (id INTEGER PRIMARY KEY, x); CREATE TABLE log (entry)");
  using peer = Object.assign(new DatabaseSync(opened.file, { enableDoubleQuotedStringLiterals: true }), {
    [Symbol.dispose]: () => undefined,
  });
  peer.exec(sql);
  peer.close();
  return opened;
}

/** The statements after "in one run_transaction: ", each of which begins with DROP or CREATE. */
const statementsIn = (message: string): string[] =>
  (message.split("in one run_transaction: ")[1] ?? "").split(/, (?:and )?(?=(?:DROP|CREATE) (?:TRIGGER|VIEW|INDEX))/);

const RENAME = "ALTER TABLE q RENAME COLUMN x TO y";

test.each([
  [
    "a view that is changed",
    'CREATE VIEW v AS SELECT x FROM q WHERE x <> "a" AND x <> "b"; CREATE TRIGGER i INSTEAD OF INSERT ON v BEGIN INSERT INTO q (x) VALUES (new.x); END',
    "INSERT INTO v VALUES (1)",
    "view v holds",
  ],
  ["a view at a rename", 'CREATE VIEW v AS SELECT x FROM q WHERE x <> "a"', RENAME, 'view v holds the text "a"'],
  ["an index at a rename", 'CREATE INDEX i ON q (x) WHERE x <> "none"', RENAME, 'index i holds the text "none"'],
  [
    "a trigger at a rename",
    'CREATE TRIGGER t AFTER INSERT ON q BEGIN INSERT INTO log VALUES ("new"); END',
    RENAME,
    'trigger t holds the text "new"',
  ],
  [
    "two triggers of one table",
    'CREATE TRIGGER t AFTER INSERT ON q BEGIN INSERT INTO log VALUES ("new"); END; CREATE TRIGGER u AFTER INSERT ON q BEGIN INSERT INTO log VALUES ("other"); END',
    "INSERT INTO q (x) VALUES (1)",
    "in double quotes, which is a name here",
  ],
])("names %s with statements that make the change work", async (_name, schema, sql, named) => {
  await using opened = await openAsPeer(schema);
  const message = failure(opened, sql);
  expect(message).toContain(named);
  transact(opened, statementsIn(message), { allowDrop: true });
  expect(failure(opened, sql)).toBe("");
});

test.each([
  ["CHECK", 'CREATE TABLE country (c CHECK (c IN ("Asia", "Europe")))'],
  ["a generated column", 'CREATE TABLE country (c, d AS (coalesce(c, "Asia")))'],
])("names the table with a text in %s where it keeps another one from being altered", async (_name, schema) => {
  await using opened = await openAsPeer(schema);
  for (const sql of [RENAME, "ALTER TABLE q RENAME TO r", "ALTER TABLE q DROP COLUMN x"])
    expect(failure(opened, sql)).toMatch(
      /^The table country holds the text "Asia" in double quotes, which is a name here. ADD COLUMN and changes/,
    );
  for (const sql of ["ALTER TABLE q ADD COLUMN z", "INSERT INTO country (c) VALUES ('Asia')"]) expect(failure(opened, sql)).toBe("");
});

test("leaves the message about a text of the statement itself", async () => {
  await using opened = await openAsPeer('CREATE VIEW v AS SELECT x FROM q WHERE x <> "a"');
  expect(failure(opened, 'UPDATE q SET x = "a"')).toContain("should this be a string literal in single-quotes?");
});
