// Rows that triggers and foreign keys change beside a statement: how many, and of which tables.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runChange } from "../../../src/db/change/change.ts";
import { countByTable } from "../../../src/db/change/side-effects.ts";
import type { WriteReply } from "../../../src/db/protocol/change-messages.ts";
import { NO_OUTPUT, openEngine, type OpenedEngine } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE log (what); CREATE TABLE stock (id INTEGER PRIMARY KEY, amount); INSERT INTO stock VALUES (1, 1), (2, 2), (3, 3);
  CREATE TABLE one (a); CREATE TRIGGER on_one AFTER INSERT ON one BEGIN INSERT INTO log VALUES (new.a); END;
  CREATE TABLE two (a); CREATE TRIGGER on_two AFTER INSERT ON two BEGIN
    INSERT INTO log VALUES (new.a); UPDATE stock SET amount = 0 WHERE new.a > 0; DELETE FROM "it's" WHERE b = new.a; END;
  CREATE TABLE "it's" (b); INSERT INTO "it's" VALUES (1), (1);
  CREATE TABLE self (a); INSERT INTO self VALUES (1), (2), (3);
  CREATE TRIGGER on_self AFTER DELETE ON self BEGIN DELETE FROM self WHERE a > old.a; INSERT INTO log VALUES (old.a); END;
  CREATE TABLE quiet (a); CREATE TRIGGER on_quiet AFTER INSERT ON quiet WHEN new.a > 0 BEGIN INSERT INTO log VALUES (1); END;
  CREATE TABLE parents (id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (1), (2);
  CREATE TABLE children (id INTEGER PRIMARY KEY, parent REFERENCES parents ON DELETE CASCADE); INSERT INTO children VALUES (1, 1), (2, 1), (3, 2);
  CREATE TABLE pets (owner REFERENCES children ON DELETE SET NULL); INSERT INTO pets VALUES (1), (2), (3);
  CREATE VIEW v AS SELECT * FROM stock; CREATE TRIGGER on_v INSTEAD OF UPDATE ON v BEGIN
    UPDATE stock SET amount = new.amount WHERE id = new.id; INSERT INTO log VALUES (1); END;
  CREATE VIRTUAL TABLE words USING fts5(body); CREATE TABLE texts (a);
  CREATE TRIGGER on_texts AFTER INSERT ON texts BEGIN INSERT INTO words VALUES (new.a); INSERT INTO log VALUES (1); END;
`;

let opened: OpenedEngine;
beforeAll(async () => void (opened = await openEngine(SCHEMA)));
afterAll(() => opened[Symbol.asyncDispose]());

const LIMITS = { maxRows: 100, maxBytes: 100_000, maxTextLength: 1000, maxBlobBytes: 32 };

const request = (sql: string) =>
  ({ op: "write", sql, params: undefined, limits: LIMITS, maxChanges: null, allowDrop: true, dryRun: true }) as const;

/** The effect of a statement, which is not kept. */
function effectOf(sql: string): Partial<WriteReply> {
  const { changes, alsoChanged, alsoChangedTables } = runChange(opened.engine, request(sql), NO_OUTPUT);
  return { changes, ...(alsoChanged !== undefined && { alsoChanged }), ...(alsoChangedTables !== undefined && { alsoChangedTables }) };
}

const tables = (counts: Record<string, number>) => Object.entries(counts).map(([table, changes]) => ({ table, changes }));

test.each<[sql: string, changes: number, also: Record<string, number>]>([
  ["INSERT INTO one VALUES (1), (2)", 2, { log: 2 }],
  ["INSERT INTO two VALUES (0)", 1, { log: 1 }],
  ["INSERT INTO two VALUES (1)", 1, { log: 1, stock: 3, "it's": 2 }],
  ["INSERT INTO two VALUES (1), (2) RETURNING a", 2, { log: 2, stock: 6, "it's": 2 }],
  // A trigger does not start itself again.
  ["DELETE FROM self WHERE a = 1", 1, { self: 2, log: 1 }],
  ["DELETE FROM parents WHERE id = 1", 1, { children: 2, pets: 2 }],
  ["INSERT INTO texts VALUES ('x')", 1, { log: 1 }],
])("counts for %s %i rows, and others beside them", (sql, changes, also) => {
  const { alsoChangedTables = [], ...effect } = effectOf(sql);
  const alsoChanged = Object.values(also).reduce((sum, count) => sum + count, 0);
  expect(effect).toEqual({ changes, alsoChanged });
  expect(alsoChangedTables.toSorted((a, b) => a.table.localeCompare(b.table))).toEqual(
    tables(also).toSorted((a, b) => a.table.localeCompare(b.table)),
  );
});

test.each(["INSERT INTO quiet VALUES (0)", "INSERT INTO log VALUES (1)", "UPDATE stock SET amount = 1 WHERE id = 1"])(
  "counts for %s only its own row",
  (sql) => {
    expect(effectOf(sql)).toEqual({ changes: 1 });
  },
);

test("counts the rows that triggers of a view change", () => {
  expect(effectOf("UPDATE v SET amount = 9")).toEqual({ changes: 6 });
  const reply = runChange(opened.engine, { ...request("UPDATE v SET amount = 9"), maxChanges: 0, dryRun: false }, NO_OUTPUT);
  expect(reply).toMatchObject({ rolledBack: true, confirmation: { alsoChangedTables: tables({ stock: 3, log: 3 }) } });
});

test("names for DROP TABLE the tables whose rows foreign keys change", () => {
  expect(effectOf("DROP TABLE parents")).toMatchObject({ alsoChanged: 6, alsoChangedTables: [{ table: "children" }, { table: "pets" }] });
  expect(effectOf("DROP TABLE log")).not.toHaveProperty("alsoChanged");
});

describe("the counting triggers", () => {
  test("are removed after the statement, also after one that fails", () => {
    const { db } = opened.engine;
    const allowed = opened.engine.allowed("INSERT INTO two VALUES (1)", "write");
    const temporary = () => db.prepare("SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'").pluck().get();
    expect(countByTable(db, allowed, temporary).result).toBeGreaterThan(0);
    expect(() =>
      countByTable(db, allowed, () => {
        throw new Error("fails");
      }),
    ).toThrow("fails");
    expect(temporary()).toBe(0);
    expect(countByTable(db, opened.engine.allowed("INSERT INTO one VALUES (1)", "write"), temporary)).toEqual({
      result: 0,
      rows: undefined,
    });
  });
});
