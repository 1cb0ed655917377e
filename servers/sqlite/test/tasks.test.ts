// Long statements as tasks: a query of some seconds, and an import that a killed client leaves behind.
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { testKilledOverStdio, testTasks, type TaskWorld } from "../../../packages/client/test/support/server-tasks.ts";
import { makeDatabase, rowsOf } from "./support/databases.ts";
import { bin } from "./support/target.ts";

const countTo = (last: number): string =>
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT count(*) AS numbers, sum(n) AS total FROM numbers`;
const insertTo = (last: number): string =>
  `INSERT INTO copies WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT n FROM numbers`;

async function open(tool: string, args: Json): Promise<TaskWorld> {
  const folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "PRAGMA journal_mode = WAL; CREATE TABLE copies (n INTEGER)");
  return {
    command: bin(["--read-write", "--timeout=120000", file]),
    tool,
    args,
    folder: folder.path,
    checkData() {
      expect(rowsOf(file, "PRAGMA integrity_check")).toEqual([["ok"]]);
      expect(rowsOf(file, "INSERT INTO copies VALUES (0) RETURNING (SELECT count(*) FROM copies)")).toEqual([[1]]); // no row of the server
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

testTasks("a long query", () => open("read_query", { query: countTo(1_000_000) }));
testKilledOverStdio("a long write", () => open("write_query", { query: insertTo(1_000_000) }));

test("a query of five seconds ends as a task with its result", async () => {
  await using world = await open("", {});
  await using connection = await connectTo(world.command, { revision: "2026-07-28" });
  const tasks: string[] = [];
  const last = 12_000_000;
  const { content } = await connection.client.call("read_query", { query: countTo(last) }, { onTask: ({ taskId }) => tasks.push(taskId) });
  expect(tasks).toHaveLength(1); // by the default time
  expect(JSON.stringify(content)).toContain(String((last * (last + 1)) / 2));
});
