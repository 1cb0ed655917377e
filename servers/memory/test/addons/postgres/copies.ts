// Copies of a memory in Postgres: moves to and from files, and what backup says there.
import { expect, test } from "vitest";
import { moveTests } from "../../commands/copies/moves.ts";
import { runCommand as run } from "../../support/run-command.ts";
import { dbOf } from "../../support/store-under-test.ts";

export function copyTests(): void {
  moveTests();

  test.each(["backup", "restore"])("names the program of Postgres that fits in place of %s", async (command) => {
    const { code, stderr } = await run([command, "somewhere", "--db", dbOf("/any/m.db")]);
    expect([code, stderr.join()]).toEqual([
      2,
      expect.stringMatching(/Use pg_\w+ of version \d\d or later, that of the database: pg_\w+ --host=\S+ --port=\d+ --dbname=\w+ /),
    ]);
  });
}
