// The tools that only the graph view calls.
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity, relation } from "../support/graphs.ts";
import { serveMemory } from "../support/memory-fixture.ts";
import { targetOf } from "../support/targets.ts";

const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const NEXT_DAY = "2999-01-01";

describe("view_neighbours", () => {
  const spokes = Array.from({ length: 5 }, (_, at) => `spoke ${at}`);

  test("returns the relations of an entity with the entities at their other ends", async () => {
    await using memory = await serveMemory({
      entities: [entity("Ada", "person"), entity("tea", "drink")],
      relations: [relation("Ada", "drinks", "tea"), relation("Ben", "knows", "Ada"), relation("Ada", "trusts", "Ada")],
    });
    expect(await memory.call("view_neighbours", { entityName: "Ada" })).toEqual({
      nodes: [{ name: "tea", entityType: "drink" }, { name: "Ben" }],
      relations: [relation("Ada", "drinks", "tea"), relation("Ben", "knows", "Ada"), relation("Ada", "trusts", "Ada")],
      total: 3,
    });
  });

  test("continues after the relations of earlier pages", async () => {
    await using memory = await serveMemory({
      entities: [entity("hub", "t")],
      relations: spokes.map((name) => relation("hub", "has", name)),
    });
    const names: unknown[] = [];
    let next: unknown = 0;
    for (; next !== undefined;) {
      const page = await memory.call("view_neighbours", { entityName: "hub", skip: next, limit: 2 });
      expect(page["total"]).toBe(5);
      names.push(...(page["nodes"] as { name: string }[]).map(({ name }) => name));
      next = page["next"];
    }
    expect(names).toEqual(spokes);
  });

  test("returns an entity that relations name and that does not exist, and refuses unknown names", async () => {
    await using memory = await serveMemory({ entities: [entity("hub", "t")], relations: [relation("hub", "has", "rim")] });
    expect(await memory.call("view_neighbours", { entityName: "rim" })).toMatchObject({ nodes: [{ name: "hub", entityType: "t" }] });
    expect(await memory.failure("view_neighbours", { entityName: "Hub" })).toBe("Entity with name Hub not found. Did you mean hub?");
  });

  test("bounds the result by --max-result-bytes", async () => {
    const names = Array.from({ length: 90 }, (_, at) => `${"x".repeat(500)} ${at}`);
    await using memory = await serveMemory({
      entities: [entity("hub", "t")],
      relations: names.map((name) => relation("hub", "has", name)),
      maxResultBytes: 20_000,
    });
    const page = await memory.call("view_neighbours", { entityName: "hub" });
    expect(JSON.stringify(page).length).toBeLessThan(20_000);
    expect(page).toMatchObject({ total: 90, next: (page["relations"] as unknown[]).length });
  });
});

describe("view_relations", () => {
  test("returns the relations that have both ends among the names", async () => {
    await using memory = await serveMemory({
      relations: [relation("a", "knows", "b"), relation("b", "knows", "c"), relation("c", "knows", "a"), relation("a", "is", "a")],
    });
    const { relations, truncated } = await memory.call("view_relations", { names: ["a", "b"] });
    expect([relations, truncated]).toEqual([[relation("a", "knows", "b"), relation("a", "is", "a")], false]);
  });

  test("reports relations that do not fit", async () => {
    await using memory = await serveMemory({
      relations: Array.from({ length: 200 }, (_, at) => relation("a", `type ${at}`, "b")),
      maxResultBytes: 20_000,
    });
    const { relations, truncated } = await memory.call("view_relations", { names: ["a", "b"] });
    expect(truncated).toBe(true);
    expect((relations as unknown[]).length).toBeGreaterThan(10);
    expect((relations as unknown[]).length).toBeLessThan(200);
  });
});

test("shows the graph as of a time in view_neighbours and view_relations", async () => {
  await using memory = await serveMemory({ entities: [entity("old", "t")], relations: [relation("old", "has", "rim")] });
  const before = new Date().toISOString();
  await expect.poll(() => new Date().toISOString()).not.toBe(before);
  await memory.call("update_entities", { updates: [{ name: "old", newName: "new" }] });
  await memory.call("create_relations", { relations: [relation("new", "has", "hub")] });
  const past = { nodes: [{ name: "rim" }], relations: [relation("old", "has", "rim")] };
  expect(await memory.call("view_neighbours", { entityName: "old", asOf: before })).toMatchObject(past);
  const names = ["old", "rim", "hub"];
  expect(await memory.call("view_relations", { names, asOf: before })).toMatchObject({ relations: past.relations });
  const present = { relations: [relation("new", "has", "rim"), relation("new", "has", "hub")] };
  expect(await memory.call("view_neighbours", { entityName: "new", asOf: NEXT_DAY })).toMatchObject(present);
  expect(await memory.call("view_neighbours", { entityName: "old", asOf: "2000-01-01" })).toMatchObject({ nodes: [], total: 0 });
});

describe("view_timeline", () => {
  test("shows superseded facts with their successors, also with --lean", async () => {
    await using memory = await serveMemory({ entities: [entity("Ada", "person", "lives in Bath")], lean: true });
    const contents = ["lives in York"];
    await memory.call("add_observations", { observations: [{ entityName: "Ada", contents, supersedes: ["lives in Bath"] }] });
    const timeline = await memory.call("view_timeline", { entityName: "Ada" });
    expect(timeline).toMatchObject({ omitted: 0, isShortened: false });
    expect(timeline["events"]).toMatchObject([
      { event: "created", present: "person" },
      { event: "observed", observation: "lives in Bath" },
      { event: "observed", observation: "lives in York" },
      { event: "superseded", observation: "lives in Bath", supersededBy: "lives in York" },
    ]);
  });

  test("counts older events beyond the limit", async () => {
    await using memory = await serveMemory({ entities: [entity("Ada", "person", "1", "2", "3")] });
    expect(await memory.call("view_timeline", { entityName: "Ada", limit: 1 })).toMatchObject({
      events: [{ observation: "3" }],
      omitted: 3,
    });
  });
});

test.each([
  { host: "a host with MCP Apps", capabilities: APPS, isListed: true },
  { host: "a host without MCP Apps", capabilities: {}, isListed: false },
])("$host lists the view and its tools: $isListed", async ({ capabilities, isListed }) => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ file: folder.at("m.db") }), { capabilities });
  const tools = await Array.fromAsync(wired.client.tools());
  const viewTools = tools.filter(({ name }) => name.startsWith("view_")).map(({ name }) => name);
  expect(viewTools).toEqual(isListed ? ["view_neighbours", "view_relations", "view_timeline"] : []);
  const withView = tools.filter(({ _meta }) => JSON.stringify(_meta)?.includes("ui://oarlock-memory/graph.html")).map(({ name }) => name);
  expect(withView).toEqual(isListed ? ["read_graph", "search_nodes", "open_nodes", "traverse_graph"] : []);
});
