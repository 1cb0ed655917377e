// Many writers on one store, in one process and in several (rule M1), and kills (rule M2).
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { startServer, namesIn, type ServerProcess } from "../support/server-process.ts";

/** The sizes of the catalogue with OARLOCK_LONG=1, smaller ones otherwise. */
const isLong = process.env["OARLOCK_LONG"] === "1";

const numbers = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test.each(["m.jsonl", "m.db"])("case MEM-01: of 100 creates at once, 100 are there, in %s", async (name) => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at(name));
  const wanted = numbers(100, "e");
  await Promise.all(wanted.map((one) => server.create(one)));
  expect((await server.names()).toSorted()).toEqual(wanted.toSorted());
  await server.close();
  if (name === "m.jsonl") expect(namesIn(folder.at(name)).toSorted()).toEqual(wanted.toSorted());
});

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

test("the totals of read_graph follow each change, by this process and by others", async () => {
  await using folder = tempFolder();
  await using one = await startServer(folder.at("m.db"));
  await using other = await startServer(folder.at("m.db"));
  const total = async (server: ServerProcess): Promise<unknown> =>
    ((await server.does("read_graph", { limit: 1 })) as { total?: unknown }).total;
  for (let count = 0; count < 4; count++) {
    expect([await total(one), await total(other)]).toEqual([
      { entities: count, relations: 0 },
      { entities: count, relations: 0 },
    ]);
    await (count % 2 === 0 ? one : other).create(`e${count}`);
  }
  await other.does("delete_entities", { entityNames: ["e0"] });
  expect([await total(one), await total(other)]).toEqual([
    { entities: 3, relations: 0 },
    { entities: 3, relations: 0 },
  ]);
});

describe("rule M1: any mix of parallel calls has the result of some sequence", () => {
  test("additions to one entity from three processes are all stored once", async () => {
    await using folder = tempFolder();
    const keepers = await Promise.all([0, 1, 2].map(() => startServer(folder.at("m.jsonl"))));
    try {
      await keepers[0]!.create("shared");
      const add = (server: ServerProcess, text: string) =>
        server.does("add_observations", { observations: [{ entityName: "shared", contents: [text, "by all"] }] });
      await Promise.all(keepers.flatMap((server, who) => numbers(30, `o${who} `).map((text) => add(server, text))));
      const [shared] = (await keepers[1]!.graph()).entities;
      const wanted = [...keepers.flatMap((_, who) => numbers(30, `o${who} `)), "by all"];
      expect(shared!.observations.toSorted()).toEqual(wanted.toSorted());
    } finally {
      await Promise.all(keepers.map((server) => server[Symbol.asyncDispose]()));
    }
  });

  test("of many parallel creates of one entity, one creates it and the others report it as skipped", async () => {
    await using folder = tempFolder();
    await using one = await startServer(folder.at("m.db"));
    await using other = await startServer(folder.at("m.db"));
    const tries = numbers(20, "type ").map((entityType, at) =>
      (at % 2 === 0 ? one : other).does("create_entities", { entities: [{ name: "the one", entityType, observations: [] }] }),
    );
    const created = (await Promise.all(tries)).flatMap(({ entities }) => entities as { entityType: string }[]);
    expect(created).toHaveLength(1);
    expect((await other.graph()).entities).toEqual([{ name: "the one", entityType: created[0]!.entityType, observations: [] }]);
  });

  test("deleting an entity while relations to it are created has the result of one sequence", async () => {
    await using folder = tempFolder();
    await using one = await startServer(folder.at("m.db"));
    await using other = await startServer(folder.at("m.db"));
    for (let round = 0; round < 20; round++) {
      await one.create(`a${round}`, `b${round}`);
      const relation = { from: `a${round}`, to: `b${round}`, relationType: "r" };
      await Promise.all([
        one.does("delete_entities", { entityNames: [`b${round}`] }),
        other.does("create_relations", { relations: [relation] }),
      ]);
      const { relations } = await one.does("open_nodes", { names: [`a${round}`] });
      expect([[], [relation]]).toContainEqual(relations);
    }
  });
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
    rounds * 8000,
  );

  test("a mirror that is outdated after a kill is updated at the next start", async () => {
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
      4000,
    );
  });
});
