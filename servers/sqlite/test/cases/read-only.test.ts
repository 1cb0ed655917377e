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
import { enterAll, entrancesOf } from "./entrances.ts";
import { besiege, type Siege } from "./stress.ts";

let siege: Siege;
let before: Record<string, string>;
beforeAll(async () => {
  siege = await besiege();
  before = siege.inside();
});
afterAll(() => siege[Symbol.asyncDispose]());

const resolve = createRequire(import.meta.url).resolve;
/** A real loadable library: the very one that the engine is in. */
const LIBRARY = join(dirname(resolve("better-sqlite3/package.json")), `prebuilds/${process.platform}-${process.arch}.node`);

const filled = (sql: string): string => sql.replaceAll("OUT", siege.out).replaceAll("ROOT", siege.root).replaceAll("LIBRARY", LIBRARY);
const title = ({ id, what }: Attack): string => `${id} ${what}`;

/** What every refusal must be: in words, without an address, a path outside, or a part of the secret. */
function isRefusal({ failed, text }: { failed: boolean; text: string }, about: string): void {
  expect(failed, `${about}: ${text.slice(0, 300)}`).toBe(true);
  expect(text, about).not.toMatch(/Internal error|0x[0-9a-f]{6}|[0-9A-F]{16}/);
  expect(text.length, about).toBeLessThan(2000);
}

test("the entrances are known, and those that only read say so", async () => {
  const entrances = await entrancesOf(siege);
  expect(entrances.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["read_query", "write_query", "write_query dry_run", "create_table", "explain_query", "run_transaction"]),
  );
  expect(entrances.filter(({ reads }) => reads).map(({ name }) => name)).toEqual(expect.arrayContaining(["read_query", "explain_query"]));
});

describe.each([...SETTINGS, ...REACHING].map((attack) => [title(attack), attack] as const))("%s: no tool runs it", (_, { sql }) => {
  test.each(sql)("%j", async (text) => {
    for (const outcome of await enterAll(siege, filled(text))) {
      // A plan may be told of what is then refused; it is compiled and not run.
      if (outcome.entrance === "explain_query" && !outcome.failed) continue;
      isRefusal(outcome, outcome.entrance);
    }
    expect(siege.inside()).toEqual(before);
  });
});

describe.each(CHANGING.map((attack) => [title(attack), attack] as const))("%s: nothing that only reads runs it", (_, { sql }) => {
  test.each(sql)("%j", async (text) => {
    for (const outcome of await enterAll(siege, filled(text), ({ reads }) => reads)) {
      if (outcome.entrance === "explain_query" && !outcome.failed) continue;
      isRefusal(outcome, outcome.entrance);
    }
    expect(siege.inside()).toEqual(before);
  });
});

describe.each(READING.map((attack) => [title(attack), attack] as const))("%s: read", (_, { sql }) => {
  test.each(sql)("%j", async (text) => {
    const said = await siege.read(text);
    expect(said.failed, said.text).toBe(false);
    expect(siege.inside()).toEqual(before);
  });
});

test("SQL-14 the library is real", () => expect(existsSync(LIBRARY)).toBe(true));

test("SQL-06 a change that is explained through any tool changes nothing", async () => {
  for (const outcome of await enterAll(siege, "EXPLAIN DELETE FROM t"))
    expect(outcome.entrance === "explain_query" || outcome.failed).toBe(true);
  expect(await siege.rows("SELECT count(*) FROM t")).toEqual([[3]]);
});

test("SQL-30 SQL-31 after all this a second client meets the real tables, no transaction, and the settings of the start", async () => {
  expect(await siege.rows("SELECT name FROM t ORDER BY id")).toEqual([["one"], ["two"], ["three"]]);
  expect(await siege.rows("SELECT count(*) FROM sqlite_temp_schema")).toEqual([[0]]);
  expect((await siege.write("INSERT INTO counted (t_id) VALUES (77)")).failed).toBe(true); // foreign keys are still on
  expect((await siege.write("UPDATE t SET n = n WHERE id = 1")).failed).toBe(false);
  expect(await siege.rows("SELECT last_insert_rowid(), changes(), total_changes()")).toEqual([[0, 0, 0]]);
});

test("rules (a) to (f) hold after all of these", () => siege.judge());
