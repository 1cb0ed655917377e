// Two processes on one store (rule M1), and kills (rule M2).
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { namesIn } from "../support/mirror-file.ts";
import { startServer } from "../support/server-process.ts";

/** The sizes of the catalogue with OARLOCK_LONG=1, smaller ones otherwise. */
const isLong = process.env["OARLOCK_LONG"] === "1";

const numbers = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test.each([
  ["m.jsonl", isLong ? 50 : 4],
  ["m.db", isLong ? 50 : 4],
])("case MEM-02: 20 parallel creates by each of two processes leave 40 entities, in each round of %s (%i)", async (name, rounds) => {
  await using folder = tempFolder();
  await using one = await startServer(folder.at(name));
  await using other = await startServer(folder.at(name));
  const all = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const mine = numbers(20, `r${round} one `);
    const theirs = numbers(20, `r${round} other `);
    await Promise.all([...mine.map((name) => one.create(name)), ...theirs.map((name) => other.create(name))]);
    for (const name of [...mine, ...theirs]) all.add(name);
    const { notFound } = await one.does("open_nodes", { names: [...mine, ...theirs] });
    expect(notFound).toEqual([]);
    expect((await other.does("open_nodes", { names: [...mine, ...theirs] })).notFound).toEqual([]);
  }
  expect(new Set(await other.names())).toEqual(all);
  await Promise.all([one.close(), other.close()]);
  if (name === "m.jsonl") expect(new Set(namesIn(folder.at(name)))).toEqual(all);
});

describe("case MEM-04: a kill while writing", () => {
  const rounds = isLong ? 200 : 8;

  test.each(["m.jsonl", "m.db"])(
    `none of ${rounds} kills leaves %s unreadable or without an acknowledged change`,
    async (name) => {
      await using folder = tempFolder();
      const file = folder.at(name);
      const acknowledged = new Set<string>();
      let count = 0;
      for (let round = 0; round < rounds; round++) {
        await using server = await startServer(file);
        // Names acknowledged in earlier rounds.
        const { notFound } = await server.does("open_nodes", { names: [...acknowledged].slice(-500), detail: "names" });
        expect(notFound, `round ${round}`).toEqual([]);
        // At a random moment after some writes, so that a slow machine kills during writes too.
        const enough = Promise.withResolvers<void>();
        const goal = acknowledged.size + 2 + Math.floor(Math.random() * 12);
        const killed = enough.promise.then(async () => {
          await pause(Math.random() * 20);
          await server.kill();
        });
        const writer = async (): Promise<void> => {
          for (;;) {
            const own = `e${count++}`;
            const entity = { name: own, entityType: "t", observations: ["some words to write", `fact ${own}`] };
            const answer = await server.attempt("create_entities", { entities: [entity] });
            if (answer === undefined) return;
            expect(answer.isError, answer.text).toBe(false);
            acknowledged.add(own);
            if (acknowledged.size >= goal) enough.resolve();
          }
        };
        await Promise.all([writer(), writer(), writer(), killed]);
        // The old file or the new one, never a part.
        if (name === "m.jsonl" && existsSync(file)) expect(() => namesIn(file)).not.toThrow();
      }
      await using last = await startServer(file);
      const names = new Set(await last.names());
      expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(rounds);
      await last.close();
      if (name === "m.jsonl") expect(new Set(namesIn(file))).toEqual(names);
      // Temporary files of killed processes are removed.
      expect(readdirSync(folder.path).filter((left) => !/^m\.(jsonl|db|jsonl\.db)(-wal|-shm)?$/.test(left))).toEqual([]);
    },
    isLong ? 1_600_000 : 60_000,
  );

  test("updates an outdated mirror at the start after a kill", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.jsonl");
    await using server = await startServer(file);
    await server.create("one", "two");
    await server.kill();
    await using next = await startServer(file);
    expect(await next.names()).toEqual(["one", "two"]);
    await waitUntil(
      () => (existsSync(file) ? namesIn(file) : []),
      (names) => names.length === 2,
      20_000,
    );
  });
});
