// What large input and large graphs cost: time, growth with the store, and memory. Rule M4.
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { manyEntities } from "../support/graphs.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";

const MIB = 1024 * 1024;
const isLong = process.env["OARLOCK_LONG"] === "1";

/** Not a number, which fails every comparison, where memory cannot be read. */
const peak = (server: ServerProcess): number => (server.process.memory()?.peak ?? Number.NaN) / MIB;

describe("case MEM-11: huge", () => {
  test("accepts large arguments of reading calls", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.jsonl"));
    await server.create("fine");
    const long = "long ".repeat(MIB / 5);
    const calls: [string, Json][] = [
      ["search_nodes", { query: long }],
      ["search_nodes", { query: "x".repeat(MIB) }],
      ["open_nodes", { names: [long] }],
      ["open_nodes", { names: Array.from({ length: 50_000 }, (_, at) => `none ${at}`) }],
      ["read_graph", { cursor: long }],
      ["delete_entities", { entityNames: [long] }],
      ["delete_observations", { deletions: [{ entityName: "fine", observations: [long] }] }],
      ["search_nodes", { query: "a b c d e f g h i j k l m n o p q r s t u v w x y z ".repeat(1000) }],
    ];
    for (const [name, args] of calls) {
      const from = performance.now();
      const { text } = await server.call(name, args);
      expect(text.length).toBeLessThan(3 * MIB);
      expect(performance.now() - from).toBeLessThan(10_000);
    }
    expect(await server.names()).toEqual(["fine"]);
  });

  test("returns an entity with very many observations in bounded parts, each with a cursor", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.db"));
    const texts = Array.from({ length: isLong ? 100_000 : 20_000 }, (_, at) => `observation ${at} of many`);
    await server.create("big");
    for (let from = 0; from < texts.length; from += 5000)
      await server.does("add_observations", { observations: [{ entityName: "big", contents: texts.slice(from, from + 5000) }] });
    const read: string[] = [];
    for (let cursor: unknown, pages = 0; pages < 100; pages++) {
      const answer = await server.call("read_graph", cursor === undefined ? {} : { cursor });
      expect(answer.text.length + JSON.stringify(answer.structured).length).toBeLessThan(600_000);
      const page = answer.structured as unknown as { entities: { observations: string[] }[]; nextCursor?: string };
      read.push(...page.entities.flatMap(({ observations }) => observations));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      expect(answer.text).toContain(String(cursor));
    }
    // The newest first.
    expect(read).toEqual(texts.toReversed());
    const found = await server.call("search_nodes", { query: "observation 17777 of" });
    expect(found.text.length + JSON.stringify(found.structured).length).toBeLessThan(300_000);
    expect((found.structured!["entities"] as { name: string }[]).map(({ name }) => name)).toEqual(["big"]);
    const opened = await server.call("open_nodes", { names: ["big"] });
    expect(opened.text.length + JSON.stringify(opened.structured).length).toBeLessThan(2_500_000);
    expect(opened.structured).toMatchObject({ truncated: true });
    expect(peak(server)).toBeLessThan(400);
  });

  // OARLOCK_LONG=1 runs the full size of the catalogue.
  const count = isLong ? 1_000_000 : 15_000;
  test(
    `a graph of ${count} observations is read in pages, with a bounded memory`,
    async () => {
      await using folder = tempFolder();
      const file = folder.at("m.db");
      const { entities, relations } = manyEntities(count / 3);
      {
        await using writer = await startServer(file);
        for (let from = 0; from < entities.length; from += 5000) {
          await writer.does("create_entities", { entities: entities.slice(from, from + 5000) }, 120_000);
          await writer.does("create_relations", { relations: relations.slice(from, from + 5000) }, 120_000);
        }
      }
      await using server = await startServer(file);
      let seen = 0;
      let pages = 0;
      for (let cursor: unknown; ; pages++) {
        const answer = await server.call("read_graph", cursor === undefined ? {} : { cursor });
        expect(answer.text.length + JSON.stringify(answer.structured).length).toBeLessThan(600_000);
        seen += (answer.structured!["entities"] as unknown[]).length + (answer.structured!["relations"] as unknown[]).length;
        cursor = answer.structured!["nextCursor"];
        if (cursor === undefined) break;
      }
      expect(seen).toBe(entities.length * 2);
      expect(pages).toBeGreaterThan(5);
      expect(peak(server)).toBeLessThan(250);
    },
    isLong ? 900_000 : 60_000,
  );
});

test("rule M4: four times as much takes about four times as long", async () => {
  const times = async (count: number): Promise<Record<string, number>> => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.jsonl"));
    const { entities, relations } = manyEntities(count);
    const spent: Record<string, number> = {};
    const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
      const from = performance.now();
      await act();
      spent[what] = performance.now() - from;
    };
    await timed("create", () => server.does("create_entities", { entities }));
    await timed("relate", () => server.does("create_relations", { relations }));
    await timed("search", () => server.does("search_nodes", { query: "coffee juniper" }));
    await timed("delete", () =>
      server.does("delete_observations", {
        deletions: entities.map(({ name: entityName, observations }) => ({ entityName, observations })),
      }),
    );
    return spent;
  };
  const size = isLong ? 1500 : 1000;
  const once = await times(size);
  const fourTimes = await times(4 * size);
  for (const what of Object.keys(once)) expect(fourTimes[what], what).toBeLessThan(12 * Math.max(once[what]!, 20));
});
