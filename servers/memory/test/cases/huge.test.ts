// Sizes: what is too large is refused in words, what is large comes in pages, and memory stays bounded. Rule M4.
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { keep, type Keeper } from "../support/server-process.ts";
import { manyEntities } from "../support/graph.ts";

const MIB = 1024 * 1024;
const of = (name: string, ...observations: string[]) => ({ name, entityType: "t", observations });
const isLong = process.env["OARLOCK_LONG"] === "1";

const peak = (keeper: Keeper): number => (keeper.process.memory()?.peak ?? 0) / MIB;

describe("case MEM-11: huge", () => {
  test.each([
    ["a name of 1 MB", { entities: [of("n".repeat(MIB))] }],
    ["a type of 1 MB", { entities: [{ ...of("a"), entityType: "t".repeat(MIB) }] }],
    ["an observation of 50 MB", { entities: [of("a", "o".repeat(50 * MIB))] }],
    ["200,000 entities in one call", { entities: Array.from({ length: 200_000 }, (_, at) => of(`e${at}`)) }],
  ])("%s is refused with the limit, and the next call works", async (_, args) => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at("m.jsonl"));
    expect((await keeper.refuses("create_entities", args)).length).toBeLessThan(2000);
    await keeper.create("fine");
    expect(await keeper.names()).toEqual(["fine"]);
  });

  test("what is large in calls that only look is no trouble", async () => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at("m.jsonl"));
    await keeper.create("fine");
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
      const { text } = await keeper.call(name, args);
      expect(text.length).toBeLessThan(3 * MIB);
      expect(performance.now() - from).toBeLessThan(10_000);
    }
    expect(await keeper.names()).toEqual(["fine"]);
  });

  test("an entity with very many observations comes in parts that are bounded, each with the way to the next", async () => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at("m.db"));
    const texts = Array.from({ length: isLong ? 100_000 : 20_000 }, (_, at) => `observation ${at} of many`);
    await keeper.create("big");
    for (let from = 0; from < texts.length; from += 5000)
      await keeper.does("add_observations", { observations: [{ entityName: "big", contents: texts.slice(from, from + 5000) }] });
    const read: string[] = [];
    for (let cursor: unknown, pages = 0; pages < 100; pages++) {
      const answer = await keeper.call("read_graph", cursor === undefined ? {} : { cursor });
      expect(answer.text.length + JSON.stringify(answer.structured).length).toBeLessThan(600_000);
      const page = answer.structured as unknown as { entities: { observations: string[] }[]; nextCursor?: string };
      read.push(...page.entities.flatMap(({ observations }) => observations));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      expect(answer.text).toContain(String(cursor));
    }
    expect(read).toEqual(texts);
    const found = await keeper.call("search_nodes", { query: "observation 17777 of" });
    expect(found.text.length + JSON.stringify(found.structured).length).toBeLessThan(300_000);
    expect((found.structured!["entities"] as { name: string }[]).map(({ name }) => name)).toEqual(["big"]);
    const opened = await keeper.call("open_nodes", { names: ["big"] });
    expect(opened.text.length + JSON.stringify(opened.structured).length).toBeLessThan(2_500_000);
    expect(opened.structured).toMatchObject({ truncated: true });
    expect(peak(keeper)).toBeLessThan(400);
  });

  test("a long text that fits is kept whole, and a reply that it does not fit into says so", async () => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at("m.jsonl"));
    const long = "0123456789".repeat(90_000);
    await keeper.does("create_entities", { entities: [of("long", long), of("after", "short")] });
    const { text } = await keeper.call("read_graph");
    expect(text.length).toBeLessThan(600_000);
    expect(text).toMatch(/truncated/i);
    const rest = await keeper.graph();
    expect(rest.entities.at(-1)).toEqual(of("after", "short"));
    await keeper.close();
    await using again = await keep(folder.at("m.jsonl"));
    await again.does("delete_observations", { deletions: [{ entityName: "long", observations: [long] }] });
    expect((await again.graph()).entities).toEqual([of("long"), of("after", "short")]);
  });

  // The whole size of the catalogue is run with OARLOCK_LONG=1.
  const count = isLong ? 1_000_000 : 15_000;
  test(
    `a graph of ${count} observations is read in pages, with a bounded memory`,
    async () => {
      await using folder = tempFolder();
      const file = folder.at("m.db");
      const { entities, relations } = manyEntities(count / 3);
      {
        await using writer = await keep(file);
        for (let from = 0; from < entities.length; from += 5000) {
          await writer.does("create_entities", { entities: entities.slice(from, from + 5000) }, 120_000);
          await writer.does("create_relations", { relations: relations.slice(from, from + 5000) }, 120_000);
        }
      }
      await using keeper = await keep(file);
      let seen = 0;
      let pages = 0;
      for (let cursor: unknown; ; pages++) {
        const answer = await keeper.call("read_graph", cursor === undefined ? {} : { cursor });
        expect(answer.text.length + JSON.stringify(answer.structured).length).toBeLessThan(600_000);
        seen += (answer.structured!["entities"] as unknown[]).length + (answer.structured!["relations"] as unknown[]).length;
        cursor = answer.structured!["nextCursor"];
        if (cursor === undefined) break;
      }
      expect(seen).toBe(entities.length * 2);
      expect(pages).toBeGreaterThan(5);
      expect(peak(keeper)).toBeLessThan(250);
    },
    isLong ? 900_000 : 60_000,
  );
});

test.each([3000, 20_000])(
  "rule M4: with at most %i bytes a reply, what is written is told in part, and never as a failure",
  async (most) => {
    await using folder = tempFolder();
    await using keeper = await keep(folder.at("m.db"), [`--max-result-bytes=${most}`]);
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
      const { isError, text, structured } = await keeper.call(name, args);
      expect({ name, isError, truncated: structured?.["truncated"] }, text).toEqual({ name, isError: false, truncated: true });
      expect(text).toContain("Truncated");
      expect(Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(structured))).toBeLessThan(most);
    }
    const { entities: all, relations } = await keeper.graph();
    expect(all.map(({ name, observations }) => [name, observations])).toEqual(
      names.map((name) => [`new ${name}`, ["one fact of some length", "new", "newer"]]),
    );
    expect(relations).toHaveLength(300);
  },
);

describe("rule M4: work grows near-linearly with the store", () => {
  test("of four times as much, nothing takes much more than four times as long", async () => {
    const times = async (count: number): Promise<Record<string, number>> => {
      await using folder = tempFolder();
      await using keeper = await keep(folder.at("m.jsonl"));
      const { entities, relations } = manyEntities(count);
      const spent: Record<string, number> = {};
      const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
        const from = performance.now();
        await act();
        spent[what] = performance.now() - from;
      };
      await timed("create", () => keeper.does("create_entities", { entities }));
      await timed("relate", () => keeper.does("create_relations", { relations }));
      await timed("search", () => keeper.does("search_nodes", { query: "coffee juniper" }));
      await timed("delete", () =>
        keeper.does("delete_observations", {
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
    await using keeper = await keep(folder.at("m.db"));
    await keeper.create("hub", "other");
    const relations = Array.from({ length: 20_000 }, (_, at) => ({
      from: at % 2 === 0 ? "hub" : `spoke ${at}`,
      to: at % 2 === 0 ? `spoke ${at}` : "hub",
      relationType: "holds",
    }));
    await keeper.does("create_relations", { relations });
    for (const [name, args, limit] of [
      ["open_nodes", { names: ["hub"] }, 2_500_000],
      ["search_nodes", { query: "hub" }, 300_000],
      ["search_nodes", { query: "hub", depth: 2 }, 300_000],
      ["open_nodes", { names: ["hub"], depth: 3 }, 2_500_000],
    ] as const) {
      const { isError, text, structured } = await keeper.call(name, args);
      expect(isError, text.slice(0, 300)).toBe(false);
      expect(text.length + JSON.stringify(structured).length).toBeLessThan(limit);
    }
    expect(await keeper.does("delete_entities", { entityNames: ["hub"] })).toMatchObject({ deleted: { entities: 1, relations: 20_000 } });
    expect((await keeper.graph()).relations).toEqual([]);
  });
});
