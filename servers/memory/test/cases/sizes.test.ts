// Sizes: too large input is refused clearly, large results come in pages, and memory stays bounded. Rule M4.
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { startServer, type ServerProcess } from "../support/server-process.ts";
import { manyEntities } from "../support/graphs.ts";

const MIB = 1024 * 1024;
const of = (name: string, ...observations: string[]) => ({ name, entityType: "t", observations });
const isLong = process.env["OARLOCK_LONG"] === "1";

const peak = (server: ServerProcess): number => (server.process.memory()?.peak ?? 0) / MIB;

describe("case MEM-11: huge", () => {
  test.each([
    ["a name of 1 MB", { entities: [of("n".repeat(MIB))] }],
    ["a type of 1 MB", { entities: [{ ...of("a"), entityType: "t".repeat(MIB) }] }],
    ["an observation of 50 MB", { entities: [of("a", "o".repeat(50 * MIB))] }],
    ["200,000 entities in one call", { entities: Array.from({ length: 200_000 }, (_, at) => of(`e${at}`)) }],
  ])("%s is refused with the limit in the message, and the next call works", async (_, args) => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.jsonl"));
    expect((await server.refuses("create_entities", args)).length).toBeLessThan(2000);
    await server.create("fine");
    expect(await server.names()).toEqual(["fine"]);
  });

  test("large arguments of reading calls do no harm", async () => {
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

  test("an entity with very many observations comes in bounded parts, each with a cursor", async () => {
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
    expect(read).toEqual(texts);
    const found = await server.call("search_nodes", { query: "observation 17777 of" });
    expect(found.text.length + JSON.stringify(found.structured).length).toBeLessThan(300_000);
    expect((found.structured!["entities"] as { name: string }[]).map(({ name }) => name)).toEqual(["big"]);
    const opened = await server.call("open_nodes", { names: ["big"] });
    expect(opened.text.length + JSON.stringify(opened.structured).length).toBeLessThan(2_500_000);
    expect(opened.structured).toMatchObject({ truncated: true });
    expect(peak(server)).toBeLessThan(400);
  });

  test("a long text within the limit is stored whole, and marked as truncated in a reply that is too small for it", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.jsonl"));
    const long = "0123456789".repeat(90_000);
    await server.does("create_entities", { entities: [of("long", long), of("after", "short")] });
    const { text } = await server.call("read_graph");
    expect(text.length).toBeLessThan(600_000);
    expect(text).toMatch(/truncated/i);
    const rest = await server.graph();
    expect(rest.entities.at(-1)).toEqual(of("after", "short"));
    await server.close();
    await using again = await startServer(folder.at("m.jsonl"));
    await again.does("delete_observations", { deletions: [{ entityName: "long", observations: [long] }] });
    expect((await again.graph()).entities).toEqual([of("long"), of("after", "short")]);
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

test.each([3000, 20_000])("rule M4: with %i bytes for a reply, a write returns a truncated list, never an error", async (most) => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.db"), [`--max-result-bytes=${most}`]);
  const names = Array.from({ length: 300 }, (_, at) => `name ${at}`);
  const entities = names.map((name) => of(name, "one fact of some length", "two"));
  const calls: [string, Json][] = [
    ["create_entities", { entities }],
    ["create_entities", { entities }],
    ["create_relations", { relations: names.map((from) => ({ from, to: `to ${from}`, relationType: "r" })) }],
    ["add_observations", { observations: names.map((entityName) => ({ entityName, contents: ["new", "newer"], supersedes: ["two"] })) }],
    ["update_entities", { updates: names.map((name) => ({ name, newName: `new ${name}` })) }],
  ];
  for (const [name, args] of calls) {
    const { isError, text, structured } = await server.call(name, args);
    expect({ name, isError, truncated: structured?.["truncated"] }, text).toEqual({ name, isError: false, truncated: true });
    expect(text).toContain("Truncated");
    expect(Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(structured))).toBeLessThan(most);
  }
  const { entities: all, relations } = await server.graph();
  expect(all.map(({ name, observations }) => [name, observations])).toEqual(
    names.map((name) => [`new ${name}`, ["one fact of some length", "new", "newer"]]),
  );
  expect(relations).toHaveLength(300);
});

describe("rule M4: work grows near-linearly with the store", () => {
  test("four times as much takes about four times as long", async () => {
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
    const once = await times(1500);
    const fourTimes = await times(6000);
    for (const what of Object.keys(once)) expect(fourTimes[what], what).toBeLessThan(12 * Math.max(once[what]!, 20));
  });

  test("a hub with 20,000 relations is opened, searched and deleted in bounded replies", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.db"));
    await server.create("hub", "other");
    const relations = Array.from({ length: 20_000 }, (_, at) => ({
      from: at % 2 === 0 ? "hub" : `spoke ${at}`,
      to: at % 2 === 0 ? `spoke ${at}` : "hub",
      relationType: "holds",
    }));
    await server.does("create_relations", { relations });
    for (const [name, args, limit] of [
      ["open_nodes", { names: ["hub"] }, 2_500_000],
      ["search_nodes", { query: "hub" }, 300_000],
      ["search_nodes", { query: "hub", depth: 2 }, 300_000],
      ["open_nodes", { names: ["hub"], depth: 3 }, 2_500_000],
    ] as const) {
      const { isError, text, structured } = await server.call(name, args);
      expect(isError, text.slice(0, 300)).toBe(false);
      expect(text.length + JSON.stringify(structured).length).toBeLessThan(limit);
    }
    expect(await server.does("delete_entities", { entityNames: ["hub"] })).toMatchObject({ deleted: { entities: 1, relations: 20_000 } });
    expect((await server.graph()).relations).toEqual([]);
  });
});
