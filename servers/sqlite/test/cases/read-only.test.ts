// SQL-01 to SQL-17, SQL-30, SQL-31: what statements may do, through every tool that takes SQL.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Attack } from "./statements/attack.ts";
import { CHANGING } from "./statements/write-statements.ts";
import { REACHING } from "./statements/reaching-out.ts";
import { READING } from "./statements/read-statements.ts";
import { SETTINGS } from "./statements/settings.ts";
import { tryAll, entryPointsOf, type EntryPoint } from "./entry-points.ts";
import { openFortress, type Fortress } from "./fortress.ts";

let fortress: Fortress;
let entryPoints: readonly EntryPoint[];
let before: Record<string, string>;
beforeAll(async () => {
  fortress = await openFortress();
  entryPoints = await entryPointsOf(fortress);
  before = fortress.inside();
});
afterAll(() => fortress[Symbol.asyncDispose]());

const resolve = createRequire(import.meta.url).resolve;
/** A library that can be loaded: the one of the driver. */
const LIBRARY = join(dirname(resolve("better-sqlite3/package.json")), `prebuilds/${process.platform}-${process.arch}.node`);

const withPaths = (sql: string): string =>
  sql.replaceAll("OUT", fortress.out).replaceAll("ROOT", fortress.root).replaceAll("LIBRARY", LIBRARY);
const titled = (attacks: readonly Attack[], verb: string) =>
  attacks.map((attack) => [`${attack.id} ${verb} ${attack.what}`, attack] as const);

/** Expects an error of limited length without memory addresses or parts of the secret. */
function expectRefusal({ failed, text }: { failed: boolean; text: string }, about: string): void {
  expect(failed, `${about}: ${text.slice(0, 300)}`).toBe(true);
  expect(text, about).not.toMatch(/Internal error|0x[0-9a-f]{6}|[0-9A-F]{16}/);
  expect(text.length, about).toBeLessThan(2000);
}

test("tries every tool that takes SQL as an entry point", () => {
  expect(entryPoints.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["read_query", "write_query", "write_query dry_run", "create_table", "explain_query", "run_transaction"]),
  );
  expect(entryPoints.filter(({ reads }) => reads).map(({ name }) => name)).toEqual(expect.arrayContaining(["read_query", "explain_query"]));
});

describe.each(titled([...SETTINGS, ...REACHING], "every tool refuses"))("%s", (_, { sql }) => {
  test.each(sql)("%j", async (text) => {
    for (const outcome of await tryAll(fortress, entryPoints, withPaths(text))) {
      // A plan may be shown for a statement that is refused: it is compiled and not run.
      if (outcome.entryPoint === "explain_query" && !outcome.failed) continue;
      expectRefusal(outcome, outcome.entryPoint);
    }
    expect(fortress.inside()).toEqual(before);
  });
});

describe.each(titled(CHANGING, "tools that only read refuse"))("%s", (_, { sql }) => {
  test.each(sql)("%j", async (text) => {
    const reading = entryPoints.filter(({ reads }) => reads);
    for (const outcome of await tryAll(fortress, reading, withPaths(text))) {
      if (outcome.entryPoint === "explain_query" && !outcome.failed) continue;
      expectRefusal(outcome, outcome.entryPoint);
    }
    expect(fortress.inside()).toEqual(before);
  });
});

describe.each(titled(READING, "read_query runs"))("%s", (_, { sql }) => {
  test.each(sql)("%j", async (text) => {
    const reply = await fortress.read(text);
    expect(reply.failed, reply.text).toBe(false);
    expect(fortress.inside()).toEqual(before);
  });
});

test("SQL-14 finds the library of the attacks", () => expect(existsSync(LIBRARY)).toBe(true));

test("SQL-06 changes nothing by EXPLAIN of a change through any tool", async () => {
  for (const outcome of await tryAll(fortress, entryPoints, "EXPLAIN DELETE FROM t"))
    expect(outcome.entryPoint === "explain_query" || outcome.failed).toBe(true);
  expect(await fortress.rows("SELECT count(*) FROM t")).toEqual([[3]]);
});

test("SQL-30 SQL-31 leaves no transaction, temporary table or setting behind after the attacks", async () => {
  expect(await fortress.rows("SELECT name FROM t ORDER BY id")).toEqual([["one"], ["two"], ["three"]]);
  expect(await fortress.rows("SELECT count(*) FROM sqlite_temp_schema")).toEqual([[0]]);
  expect((await fortress.write("INSERT INTO counted (t_id) VALUES (77)")).failed).toBe(true); // foreign keys are still on
  expect((await fortress.write("UPDATE t SET n = n WHERE id = 1")).failed).toBe(false);
  expect(await fortress.rows("SELECT last_insert_rowid(), changes(), total_changes()")).toEqual([[0, 0, 0]]);
});

test("keeps rules (a) to (f) after all of these", () => fortress.checkRules());
