// Long statements as tasks: a query of some seconds, and a write whose client is killed.
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { testKilledOverStdio, testTasks, type TaskWorld } from "../../../packages/client/test/support/server-tasks.ts";
import { makeDatabase, rowsOf } from "./support/databases.ts";
import { bin } from "./support/target.ts";

const ROWS = 1_000_000;

const countTo = (last: number): string =>
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT count(*) AS numbers, sum(n) AS total FROM numbers`;
const insertTo = (last: number): string =>
  `INSERT INTO copies WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT n FROM numbers`;

/** Statements may take longer on a busy machine than by default. */
const PATIENT = { timeout_ms: 100_000 };

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
      const [[rows]] = rowsOf(file, "INSERT INTO copies VALUES (0) RETURNING (SELECT count(*) FROM copies)") as [[number]];
      expect([1, 1 + ROWS]).toContain(rows); // all of the server's rows or none, and the file is not locked
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

testTasks("a long query", () => open("read_query", { query: countTo(ROWS), ...PATIENT }));
testKilledOverStdio("a long write", () => open("write_query", { query: insertTo(ROWS), ...PATIENT }));

test("ends a query of five seconds as a task with its result", async () => {
  await using world = await open("", {});
  const command = { ...world.command, args: [...(world.command.args ?? []), "--task-after=500"] };
  await using connection = await connectTo(command, { revision: "2026-07-28" });
  const tasks: string[] = [];
  const last = 12_000_000;
  const { content } = await connection.client.call(
    "read_query",
    { query: countTo(last), ...PATIENT },
    { onTask: ({ taskId }) => tasks.push(taskId) },
  );
  expect(tasks).toHaveLength(1);
  expect(JSON.stringify(content)).toContain(String((last * (last + 1)) / 2));
});
