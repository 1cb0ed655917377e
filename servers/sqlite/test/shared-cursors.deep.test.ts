// Pages of rows over two processes.
import { tempFolder } from "@oarlock/testing";
import { testSharedCursors } from "../../../packages/client/test/support/shared-cursors.ts";
import { makeDatabase } from "./support/databases.ts";
import { bin } from "./support/target.ts";

testSharedCursors(async () => {
  const folder = tempFolder();
  const file = makeDatabase(folder.at("numbers.db"), "CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (1), (2), (3), (4)");
  return {
    command: bin([file]),
    tool: "read_query",
    args: { query: "SELECT n FROM numbers ORDER BY n", limit: 2 },
    list: "rows",
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});
