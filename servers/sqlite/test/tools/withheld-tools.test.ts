// Notes of successful replies that name a tool add that it is not offered, where it is not.
import { writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createServer } from "../../src/server.ts";
import { makeDatabase } from "../support/databases.ts";
import { text } from "../support/shop.ts";

const TOOLS = ["read_query", "run_transaction", "import_csv"];
const LIKE = "SELECT * FROM t WHERE a LIKE 'Ä%'";
const NOTE = "LIKE ignores the case of A to Z only; search_text ignores that of all letters";

test.each<[kept: readonly string[], end: string, writes: string]>([
  [TOOLS, " (not offered here: search_text)", " (not offered here: write_query)."],
  [[...TOOLS, "search_text", "write_query"], "", "."],
])("with the tools %j", async (kept, end, writes) => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a, b)");
  writeFileSync(folder.at("t.csv"), "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n1,2,3\n");
  const { server } = createServer({ databases: [{ name: "shop", file, write: true }] });
  server.tools.keep(
    ({ name }) => kept.includes(name),
    () => "It is switched off.",
  );
  await using wired = await connectTo(server);
  const textOf = async (name: string, args: object): Promise<string> => text(await wired.client.call(name, { ...args }));
  expect(await textOf("read_query", { query: LIKE })).toContain(`[${NOTE}${end}]`);
  expect(await textOf("read_query", { query: `${LIKE}; SELECT 1` })).toContain(`[${NOTE}${end}]`);
  const statements = [{ query: LIKE }, { query: "DELETE FROM t WHERE a LIKE 'Ä%'" }];
  expect((await textOf("run_transaction", { statements })).split(`[${NOTE}${end}]`)).toHaveLength(3);
  const imported = await textOf("import_csv", { path: "t.csv", table: "t", skip_long_rows: true });
  expect(imported).toContain(`Add them as they are meant by write_query${writes}\n`.trimEnd());
});
