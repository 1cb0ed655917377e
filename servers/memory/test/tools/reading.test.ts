// read_graph, open_nodes, traverse_graph and graph_stats.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entity, Relation } from "../../src/graph/model.ts";
import { entities as shownEntities, relations as shownRelations, z } from "../../src/schema.ts";
import { entity, manyEntities, relation } from "../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../support/memory-fixture.ts";
import { perStore } from "../support/store-under-test.ts";

describe("read_graph", () => {
  test.each(perStore([7, 1, 1000]))("pages of %i give the whole graph, in order, each item once", async (limit) => {
    const graph = manyEntities(60);
    await using memory = await serveMemory(graph);
    const found: { entities: unknown[]; relations: unknown[] } = { entities: [], relations: [] };
    for (let cursor: unknown; ;) {
      const page = await memory.call("read_graph", { limit, ...(cursor !== undefined && { cursor }) });
      found.entities.push(...(page["entities"] as unknown[]));
      found.relations.push(...(page["relations"] as unknown[]));
      expect(page["total"]).toEqual({ entities: 60, relations: 60 });
      cursor = page["nextCursor"];
      if (cursor === undefined) break;
    }
    expect(found).toEqual(graph);
  });

  describe("with any number and length of observations", () => {
    const long = (at: number): string => (at % 5 === 0 ? `${"é".repeat(1500)} ${at}` : `fact ${at}`);
    const sizes = [0, 255, 1, 256, 257, 0, 600, 3, ...Array.from({ length: 60 }, (_, at) => at % 3)];
    const entities = sizes.map((size, at) =>
      entity(`entity ${at}`, `t${at % 4}`, ...Array.from({ length: size }, (_none, fact) => `${long(fact)} of ${at}`)),
    );
    const relations = entities.map(({ name }) => relation(name, "knows", "entity 0"));
    let memory: MemoryFixture;
    beforeAll(async () => {
      memory = await serveMemory({ entities, relations });
      // Added later and deleted, so that the observations of one entity are not adjacent.
      await memory.call("add_observations", { observations: [{ entityName: "entity 2", contents: ["late"] }] });
      await memory.call("delete_entities", { entityNames: ["entity 5"] });
      await memory.call("delete_observations", { deletions: [{ entityName: "entity 7", observations: ["fact 1 of 7"] }] });
    });
    afterAll(() => memory[Symbol.asyncDispose]());

    test.each([100, 255, 256, 257, undefined])("pages of %s give the whole graph", async (limit) => {
      const late = entities
        .filter(({ name }) => name !== "entity 5")
        .map(({ name, entityType, observations }) => ({
          name,
          entityType,
          observations: [...observations, ...(name === "entity 2" ? ["late"] : [])].filter((fact) => fact !== "fact 1 of 7"),
        }));
      const found = new Map<string, Entity>();
      const relationsSoFar: Relation[] = [];
      for (let cursor: unknown; ;) {
        const page = await memory.call("read_graph", { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) });
        for (const { name, entityType, observations } of page["entities"] as Entity[])
          found.set(name, { name, entityType, observations: [...(found.get(name)?.observations ?? []), ...observations] });
        relationsSoFar.push(...(page["relations"] as Relation[]));
        // The server sends the text unchecked.
        z.looseObject({ entities: shownEntities, relations: shownRelations, total: z.looseObject({}), truncated: z.boolean() }).parse(page);
        cursor = page["nextCursor"];
        if (cursor === undefined) break;
      }
      // A divided entity begins with its newest observations.
      const sorted = (all: Iterable<Entity>) => [...all].map((one) => ({ ...one, observations: one.observations.toSorted() }));
      expect(sorted(found.values())).toEqual(sorted(late));
      expect(relationsSoFar).toEqual(relations.filter(({ from }) => from !== "entity 5"));
    });
  });

  test("truncates a large graph with a cursor", async () => {
    const graph = manyEntities(2000);
    await using memory = await serveMemory(graph);
    const result = await memory.client.call("read_graph", {});
    expect(JSON.stringify(result).length).toBeLessThan(600_000);
    const { nextCursor, entities } = result.structuredContent as { nextCursor: string; entities: Entity[] };
    expect(result.content.length).toBe(2);
    expect(text(result)).toContain(
      `Truncated: ${entities.length} of 2000 entities and 0 of 2000 relations shown. Continue with cursor ${nextCursor}`,
    );
    const next = await memory.call("read_graph", { cursor: nextCursor, limit: 1 });
    expect(next["entities"]).toEqual([graph.entities[entities.length]]);
  });

  test("gives a large entity over pages from its newest fact to its oldest, each once, while facts are added and deleted", async () => {
    const facts = Array.from({ length: 3000 }, (_, at) => `fact ${at} ${"x".repeat(80)}`);
    await using memory = await serveMemory({
      entities: [entity("first", "t"), entity("large", "t", ...facts), entity("last", "t", "end")],
    });
    const listed: string[] = [];
    const names: string[] = [];
    for (let cursor: unknown; ;) {
      const page = await memory.call("read_graph", cursor === undefined ? {} : { cursor });
      for (const { name, observations } of page["entities"] as Entity[]) {
        names.push(name);
        if (name === "large") listed.push(...observations);
      }
      cursor = page["nextCursor"];
      if (cursor === undefined) break;
      if (listed.length === 0) continue;
      // The fact behind which the next page begins, or the one before it.
      const gone = listed.at(-1 - (names.length % 2));
      await memory.call("add_observations", { observations: [{ entityName: "large", contents: [`new ${listed.length}`] }] });
      await memory.call("delete_observations", { deletions: [{ entityName: "large", observations: [gone] }] });
    }
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names)).toEqual(new Set(["first", "large", "last"]));
    expect(listed).toEqual(facts.toReversed());
  });

  test("names and summaries cost less, and show the number of observations", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "1", "2", "3", "4", "5")], relations: [relation("a", "r", "a")] });
    expect(await memory.call("read_graph", { detail: "names" })).toMatchObject({ entities: [entity("a", "t")], relations: [] });
    expect(await memory.call("read_graph", { detail: "summary" })).toMatchObject({
      entities: [{ ...entity("a", "t", "3", "4", "5"), observationCount: 5 }],
      relations: [relation("a", "r", "a")],
    });
  });

  test("MEM-14 a summary keeps short observations, and cuts long ones between characters", async () => {
    const lines = "one\ntwo\tthree\u2028four \u202efive";
    const long = `${"x".repeat(199)}\u{1f98a}y`;
    await using memory = await serveMemory({ entities: [entity("a", "t", lines, long)] });
    for (const tool of ["read_graph", "search_nodes", "open_nodes"])
      expect(await memory.call(tool, { detail: "summary", query: "a", names: ["a"] })).toMatchObject({
        entities: [entity("a", "t", lines, `${"x".repeat(199)}…`)],
      });
  });

  test("refuses a cursor of another call", async () => {
    await using memory = await serveMemory(manyEntities(5));
    const { nextCursor } = await memory.call("read_graph", { limit: 1 });
    expect(await memory.failure("read_graph", { limit: 1, cursor: nextCursor, detail: "names" })).toContain("does not belong to this call");
    expect(await memory.failure("read_graph", { cursor: "AAAA" })).toContain("does not belong to this call");
  });
});

describe("open_nodes", () => {
  test("suggests names for unknown ones", async () => {
    await using memory = await serveMemory({ entities: [entity("Jean-Luc Martin", "person"), entity("Anna", "person")] });
    expect(await memory.call("open_nodes", { names: ["jean luc martin", "Anna", "nobody at all"] })).toEqual({
      entities: [entity("Anna", "person")],
      relations: [],
      notFound: ["jean luc martin", "nobody at all"],
      suggestions: { "jean luc martin": ["Jean-Luc Martin"] },
    });
  });

  test("reports neighbours that do not fit or are too many, as search_nodes does", async () => {
    const heavy = Array.from({ length: 60 }, (_, i) => entity(`n${i}`, "t", "x".repeat(400)));
    const many = Array.from({ length: 1001 }, (_, i) => entity(`m${i}`, "t"));
    await using memory = await serveMemory({
      entities: [entity("hub", "t"), ...heavy, entity("crowd", "t"), ...many],
      relations: [...heavy.map(({ name }) => relation("hub", "has", name)), ...many.map(({ name }) => relation("crowd", "has", name))],
      maxResultBytes: 30_000,
    });
    for (const [tool, hub, crowd] of [
      ["open_nodes", { names: ["hub"] }, { names: ["crowd"] }],
      ["search_nodes", { query: "hub", limit: 5 }, { query: "crowd" }],
    ] as const) {
      const result = await memory.client.call(tool, { ...hub, depth: 1 });
      const { entities, omittedNear, truncated } = result.structuredContent as {
        entities: Entity[];
        omittedNear: number;
        truncated: boolean;
      };
      expect(truncated, tool).toBe(true);
      expect(entities.length + omittedNear, tool).toBe(61);
      expect(text(result), tool).toContain(`${omittedNear} entities around`);
      expect(await memory.call(tool, { ...crowd, depth: 1, detail: "names" }), tool).toMatchObject({ truncated: true });
    }
  });

  test("counts unknown names that are not listed", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t")], maxResultBytes: 10_000 });
    const result = await memory.client.call("open_nodes", { names: Array.from({ length: 900 }, (_, i) => `nobody ${i}`) });
    expect(result.structuredContent).toMatchObject({ notFoundCount: 900, truncated: true });
    const { notFound } = result.structuredContent as { notFound: string[] };
    expect(text(result)).toContain(`900 names not found; the first ${notFound.length} are listed.`);
  });

  test("shows the newest observations, neighbours, and selected relations", async () => {
    await using memory = await serveMemory({
      entities: [entity("a", "t", "1", "2", "3"), entity("b", "t"), entity("c", "t")],
      relations: [relation("a", "knows", "b"), relation("b", "knows", "c"), relation("a", "likes", "c")],
    });
    expect(await memory.call("open_nodes", { names: ["a"], maxObservations: 2 })).toMatchObject({
      entities: [{ ...entity("a", "t", "2", "3"), observationCount: 3 }],
    });
    const { entities, relations } = await memory.call("open_nodes", { names: ["a"], depth: 1, relationTypes: ["knows"] });
    expect((entities as Entity[]).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(relations).toEqual([relation("a", "knows", "b"), relation("b", "knows", "c")]);
  });

  test("begins a long entity with its newest observations, and tells how to see more", async () => {
    const facts = Array.from({ length: 3000 }, (_, at) => `fact ${at} ${"x".repeat(80)}`);
    await using memory = await serveMemory({ entities: [entity("large", "t", ...facts)] });
    const result = await memory.client.call("open_nodes", { names: ["large"] });
    const { entities } = result.structuredContent as { entities: (Entity & { observationCount: number })[] };
    expect(entities[0]?.observations.slice(0, 2)).toEqual([facts[2999], facts[2998]]);
    expect(entities[0]?.observationCount).toBe(3000);
    expect(text(result)).toContain("Older observations left out.");
  });

  test("names entities that do not fit", async () => {
    const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
    await using memory = await serveMemory({ entities: names.map((name) => entity(name, "t", "x".repeat(50_000))) });
    const opened = (await memory.call("open_nodes", { names })) as { entities: Entity[]; omitted: string[]; truncated: boolean };
    expect(opened.truncated).toBe(true);
    expect([...opened.entities.map(({ name }) => name), ...opened.omitted]).toEqual(names);
    expect(opened.entities.length).toBe(1);
    const more = (await memory.call("open_nodes", { names, maxObservations: 5 })) as { entities: Entity[] };
    expect(more.entities.length).toBeGreaterThan(3);
  });
});

describe("traverse_graph", () => {
  const chain = (count: number): Relation[] => Array.from({ length: count }, (_, at) => relation(`n${at}`, "next", `n${at + 1}`));
  const nodes = Array.from({ length: 13 }, (_, at) => entity(`n${at}`, "t"));

  test("follows relations outwards, inwards or both, up to the depth", async () => {
    await using memory = await serveMemory({ entities: nodes, relations: chain(12) });
    const names = async (more: object): Promise<unknown> =>
      ((await memory.call("traverse_graph", { start: "n5", ...more }))["nodes"] as Entity[]).map(({ name }) => name);
    expect(await names({ depth: 1 })).toEqual(["n5", "n6", "n4"]);
    expect(await names({ depth: 2, direction: "out" })).toEqual(["n5", "n6", "n7"]);
    expect(await names({ depth: 3, direction: "in" })).toEqual(["n5", "n4", "n3", "n2"]);
    expect(await names({ depth: 3, relationTypes: ["other"] })).toEqual(["n5"]);
  });

  test("finds the shortest path, or says that there is none", async () => {
    await using memory = await serveMemory({ entities: nodes, relations: [...chain(12), relation("n0", "jumps", "n10")] });
    const { path, edges } = await memory.call("traverse_graph", { start: "n0", to: "n12", depth: 5 });
    expect(path).toEqual(["n0", "n10", "n11", "n12"]);
    expect(edges).toEqual([relation("n0", "jumps", "n10"), relation("n10", "next", "n11"), relation("n11", "next", "n12")]);
    const none = await memory.client.call("traverse_graph", { start: "n0", to: "n12", depth: 5, relationTypes: ["next"] });
    expect(text(none)).toContain("No path from n0 to n12 within 5 relations.");
  });

  test("truncates a hub at the limit, and marks it", async () => {
    const spokes = Array.from({ length: 500 }, (_, at) => relation("hub", "has", `spoke ${at}`));
    await using memory = await serveMemory({ entities: [entity("hub", "t")], relations: spokes });
    const { nodes, edges, truncated } = await memory.call("traverse_graph", { start: "hub", limit: 20 });
    expect([(nodes as unknown[]).length, (edges as unknown[]).length, truncated]).toEqual([20, 19, true]);
    expect((nodes as unknown[])[1]).toEqual({ name: "spoke 0", depth: 1 });
  });

  test("suggests names for an unknown start", async () => {
    await using memory = await serveMemory({ entities: nodes });
    expect(await memory.failure("traverse_graph", { start: "N5" })).toBe("Entity with name N5 not found. Did you mean n5?");
  });
});

describe("relationTypes", () => {
  const graph = {
    entities: [entity("Ada", "person"), entity("Porto", "town"), entity("Tea", "drink")],
    relations: [relation("Ada", "lives in", "Porto"), relation("Ada", "likes", "Tea")],
  };

  test.each(["lives in", "lives_in", "livesIn", "Lives-In"])("%s is the type that people write with blanks", async (type) => {
    await using memory = await serveMemory(graph);
    const wanted = { relationTypes: [type] };
    expect(await memory.call("open_nodes", { names: ["Ada"], depth: 1, ...wanted })).toMatchObject({
      entities: [{ name: "Ada" }, { name: "Porto" }],
      relations: [graph.relations[0]],
    });
    expect(await memory.call("traverse_graph", { start: "Ada", ...wanted })).toMatchObject({ edges: [graph.relations[0]] });
  });

  test("names the types that there are where none is as asked for", async () => {
    await using memory = await serveMemory(graph);
    const wanted = { relationTypes: ["owns"] };
    const remark = "No relation here is of the types in relationTypes. There are lives in, likes.";
    expect(text(await memory.client.call("open_nodes", { names: ["Ada"], ...wanted }))).toContain(remark);
    expect(text(await memory.client.call("traverse_graph", { start: "Ada", ...wanted }))).toContain(remark);
    expect(text(await memory.client.call("traverse_graph", { start: "Tea", direction: "out", ...wanted }))).toContain(
      "There is none at all.",
    );
    expect(text(await memory.client.call("open_nodes", { names: ["Ada"] }))).not.toContain("relationTypes");
  });
});

test("shows counts, types, duplicates and orphans", async () => {
  await using memory = await serveMemory({
    entities: [entity("Ada", "person", "a", "b"), entity("ada", "person"), entity("tea", "drink", "c")],
    relations: [relation("Ada", "drinks", "tea"), relation("Ada", "knows", "Ben")],
  });
  expect(await memory.call("graph_stats")).toEqual({
    entities: 3,
    relations: 2,
    observations: 3,
    entityTypes: [
      { name: "person", count: 2 },
      { name: "drink", count: 1 },
    ],
    relationTypes: [
      { name: "drinks", count: 1 },
      { name: "knows", count: 1 },
    ],
    largest: [
      { name: "Ada", count: 2 },
      { name: "tea", count: 1 },
    ],
    orphans: 1,
    dangling: 1,
    possibleDuplicates: [["Ada", "ada"]],
    lastChange: expect.any(String),
  });
});

test.each(["", "x", "xx", "xxx"])("cuts a text that is too long for any reply between characters, after the start %j", async (begin) => {
  await using memory = await serveMemory({ entities: [entity("a", "t", begin + "😀".repeat(20_000))], maxResultBytes: 10_000 });
  const { entities } = (await memory.call("open_nodes", { names: ["a"] })) as { entities: [Entity] };
  expect(entities[0].observations[0]).toMatch(
    /^x{0,3}(?:😀){100,}… \[truncated: \d+ characters in all; oarlock-memory export writes the whole text\]$/u,
  );
});
