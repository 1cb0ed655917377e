// Notes of replies: what the model must know stands in the text, and what continues a truncated reply stands before the data.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity, manyEntities, relation } from "../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../support/memory-fixture.ts";
import { onFilesOnly } from "../support/store-under-test.ts";

const GRAPH = {
  entities: [entity("Ada", "person", "likes tea", "old"), entity("Jean-Luc Martin", "person")],
  relations: [relation("Ada", "knows", "Jean-Luc Martin")],
};

/** Calls on GRAPH, with the text after the content. */
const CALLS = [
  [
    "names skipped skipped entities and their similar names",
    "create_entities",
    { entities: [entity("Ada", "person", "new"), entity("jean luc martin", "person")] },
    "Created: 1 entity. Skipped, because they exist: Ada. Use add_observations for what is new about them. " +
      "Similar names exist: jean luc martin is like Jean-Luc Martin. If they are the same, use update_entities with merge.",
  ],
  [
    "names skipped relations and names that no entity has",
    "create_relations",
    { relations: [relation("Ada", "knows", "Jean-Luc Martin"), relation("Ada", "lives in", "Lisbon")] },
    "Created: 1 relation. Skipped, because they exist: Ada → knows → Jean-Luc Martin. " +
      "Names that no entity has: Lisbon. Create them with create_entities, or correct the relations.",
  ],
  [
    "counts superseded and repeated observations, and names created entities",
    "add_observations",
    {
      observations: [
        { entityName: "Ada", contents: ["likes tea", "new"], supersedes: ["old"] },
        { entityName: "Bo", contents: ["rows"] },
      ],
      createMissing: true,
    },
    "Added: 2 observations. Created, with type unknown: Bo. Set the type with update_entities. " +
      "Superseded: 1 observation of Ada. Not added, because they exist: 1 observation of Ada.",
  ],
  [
    "names entities that got tags",
    "add_observations",
    { observations: [{ entityName: "Ada", contents: [], tags: ["friend"] }] },
    "Added nothing. Tags were added to: Ada.",
  ],
  [
    "counts updates that have changed something",
    "update_entities",
    {
      updates: [
        { name: "Ada", newName: "Ada", entityType: "person", tags: [] },
        { name: "Jean-Luc Martin", entityType: "captain" },
      ],
    },
    "Updated: 1 entity. Unchanged, as they were so before: Ada.",
  ],
  [
    "counts what was deleted",
    "delete_entities",
    { entityNames: ["Ada", "Bo"] },
    "Deleted: 1 entity, 2 observations, 1 relation.\nNot found: Bo.",
  ],
  [
    "counts deleted observations",
    "delete_observations",
    { deletions: [{ entityName: "Ada", observations: ["old", "missing"] }] },
    "Deleted: 1 observation.\nNot found: missing.",
  ],
  [
    "suggests the observation that was probably meant",
    "delete_observations",
    { deletions: [{ entityName: "Ada", observations: ["Likes teas"] }] },
    "Deleted nothing: no item of the memory matches.\nNot found: Likes teas (did you mean likes tea?).",
  ],
  [
    "suggests what was probably meant where a purge finds nothing",
    "delete_observations",
    { deletions: [{ entityName: "Ada", observations: ["Likes tea"] }], purge: true },
    "Purged nothing: no item of the memory matches.\nNot found: Likes tea (did you mean likes tea?).",
  ],
  [
    "suggests the entity that was probably meant",
    "delete_entities",
    { entityNames: ["ada"] },
    "Deleted nothing: no item of the memory matches.\nNot found: ada (did you mean Ada?).",
  ],
  [
    "tells that nothing was deleted",
    "delete_relations",
    { relations: [relation("Ada", "hates", "Jean-Luc Martin")] },
    "Deleted nothing: no item of the memory matches.\nNot found: Ada → hates → Jean-Luc Martin.",
  ],
  ["counts what was purged", "delete_entities", { entityNames: ["Ada"], purge: true }, "Purged: 1 entity, 2 observations, 1 relation."],
  [
    "names what was not found, with suggestions",
    "open_nodes",
    { names: ["jean luc martin", "Zoe"], detail: "names" },
    "Not found: jean luc martin (did you mean Jean-Luc Martin?), Zoe.",
  ],
  [
    "suggests names that differ by a letter",
    "open_nodes",
    { names: ["Adda", "Jean-Luc Martn", "Xyz"] },
    "Not found: Adda (did you mean Ada?), Jean-Luc Martn (did you mean Jean-Luc Martin?), Xyz.",
  ],
  ["names the words that no hit has", "search_nodes", { query: "tea harbour", detail: "names" }, "No fact has: harbour."],
] as const;

// The deviation `notes`.
test.each(CALLS)("the text %s", async (_what, tool, args, note) => {
  await using memory = await serveMemory({ ...GRAPH, allowPurge: true });
  const { content } = await memory.client.call(tool, { ...args });
  expect(content.slice(1)).toEqual([{ type: "text", text: note }]);
});

test("tells when a replaced fact ended, and who has past facts", async () => {
  await using memory = await serveMemory({ entities: [entity("Bo", "person"), entity("Tom", "person", "works at BMW")] });
  const observations = [{ entityName: "Tom", contents: ["works at Siemens"], supersedes: ["works at BMW"], validFrom: "2026-02-02" }];
  expect(text(await memory.client.call("add_observations", { observations }))).toContain(
    "Superseded: 1 observation of Tom (valid until 2026-02-01).",
  );
  const reply = await memory.client.call("open_nodes", { names: ["Bo", "Tom"] });
  expect(reply.structuredContent).toMatchObject({ past: [{ name: "Tom", count: 1 }] });
  expect(text(reply)).toMatch(
    /\nAll recorded \d{4}-\d\d-\d\d\.\nValid: Tom "works at Siemens" since 2026-02-02\.\nPast facts, in get_history or open_nodes with asOf: 1 of Tom\.$/,
  );
});

// The deviation `writes`.
test("repeats a small write as JSON, and counts a large one in a line", async () => {
  await using memory = await serveMemory();
  const small = entity("a", "t", "x".repeat(1000));
  const repeated = JSON.stringify([small]);
  expect(text(await memory.client.call("create_entities", { entities: [small] }))).toBe(`${repeated}\nCreated: 1 entity, 1 observation.`);
  const large = Array.from({ length: 10 }, (_, at) => entity(`n${at}`, "t", `${at}`.repeat(3000)));
  const { content, structuredContent } = await memory.client.call("create_entities", { entities: large });
  expect(content.map((block) => (block.type === "text" ? block.text : ""))).toEqual([
    "[]",
    "Created: 10 entities, 10 observations. Truncated: all 10 are stored, the first 0 are shown.",
  ]);
  expect(structuredContent).toMatchObject({ entities: [], truncated: true, total: 10, omitted: 10 });
});

test("names who still mentions what was purged", async () => {
  const others = [entity("Bo", "t", "met Ada in Porto"), entity("Cy", "t", "likes adages"), entity("Friends of Ada", "club")];
  await using memory = await serveMemory({ entities: [entity("Ada", "person"), ...others], allowPurge: true });
  const reply = await memory.client.call("delete_entities", { entityNames: ["Ada"], purge: true });
  expect(reply.structuredContent).toMatchObject({ mentions: ["Friends of Ada", "Bo"] });
  expect(text(reply)).toContain("Still mentioned by: Friends of Ada, Bo. Purge or change what they say about it");
});

test("names an entity that a former name means", async () => {
  await using memory = await serveMemory({ entities: [entity("Bob", "person")] });
  await memory.client.call("update_entities", { updates: [{ name: "Bob", newName: "Robert" }] });
  expect(await memory.call("create_entities", { entities: [entity("Bob", "person")] })).toMatchObject({
    similar: [{ name: "Bob", existing: ["Robert"] }],
  });
});

test("lists twenty names in a note, and counts the others", async () => {
  const entities = Array.from({ length: 25 }, (_, at) => entity(`n${at}`, "t"));
  await using memory = await serveMemory({ entities });
  expect(text(await memory.client.call("create_entities", { entities }))).toContain("n19, and 5 more.");
});

test("MEM-14 a name in a note stays on one line and in order", async () => {
  await using memory = await serveMemory();
  expect(text(await memory.client.call("open_nodes", { names: ["a\nb\u202ec"] }))).toContain("Not found: a\\nb\\u202ec.");
});

const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

test("MEM-14 no text has raw control characters or directional marks, and its JSON is the same", async () => {
  const odd = entity("a\u202eb\u0085", "t\u2066", "x\u2028y\u007f");
  await using memory = await serveMemory({ entities: [odd], relations: [relation(odd.name, "r\u2069", odd.name)] });
  const calls = [
    ["read_graph", {}],
    ["open_nodes", { names: [odd.name] }],
    ["search_nodes", { query: odd.name }],
    ["traverse_graph", { start: odd.name }],
    ["get_history", { entityName: odd.name }],
    ["graph_stats", {}],
    ["create_entities", { entities: [odd, { ...odd, name: `${odd.name}2` }] }],
  ] as const;
  for (const [tool, args] of calls) expect(text(await memory.client.call(tool, { ...args })), tool).not.toMatch(UNSAFE);
  const { content } = await memory.client.call("open_nodes", { names: [odd.name] });
  expect(JSON.parse((content[0] as { text: string }).text)).toMatchObject({ entities: [odd] });
  const { contents } = await memory.client.read("memory://knowledge-graph");
  expect((contents[0] as { text: string }).text).not.toMatch(UNSAFE);
  const { messages } = await memory.client.prompt("recall", { topic: odd.name });
  for (const { content } of messages)
    expect(content.type === "resource" ? (content.resource as { text: string }).text : (content as { text: string }).text).not.toMatch(
      UNSAFE,
    );
});

// The same code makes a reply smaller on every store.
describe("a large reply", onFilesOnly(), () => {
  const { entities, relations } = manyEntities(2000);
  const hub = entity("hub", "t", ...Array.from({ length: 3000 }, (_, at) => `fact ${at} about a large hub with many facts`));
  const spokes = entities.slice(0, 900).map(({ name }) => relation("hub", "links", name));
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({ entities: [hub, ...entities], relations: [...relations, ...spokes] });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test.each([
    ["read_graph", {}],
    ["read_graph", { detail: "summary" }],
    ["read_graph", { detail: "names" }],
    ["open_nodes", { names: ["hub"] }],
    ["open_nodes", { names: entities.map(({ name }) => name) }],
    ["open_nodes", { names: ["Entity 1"], depth: 3 }],
    ["traverse_graph", { start: "hub", depth: 4 }],
    ["get_history", { entityName: "hub" }],
    ["get_history", { limit: 1000 }],
  ] as const)("of %s %o has at most 64,000 bytes of text, and begins with how to continue", async (tool, args) => {
    const reply = await memory.client.call(tool, { ...args });
    expect(Buffer.byteLength(text(reply))).toBeLessThanOrEqual(64_000);
    expect(reply.structuredContent).toMatchObject({ truncated: true });
    const first = (reply.content[0] as { text: string }).text;
    expect(first).toMatch(/^Truncated: /);
    const { nextCursor } = reply.structuredContent as { nextCursor?: string };
    if (nextCursor !== undefined) expect(text(reply).indexOf(nextCursor)).toBeLessThan(1500);
  });

  test.each([
    ["fact", {}, 1000],
    ["hub", { depth: 2 }, 1000],
    ["fact", { max_tokens: 200 }, 200],
    ["fact", { max_tokens: 10_000, limit: 300 }, 10_000],
  ])(
    "of search_nodes for %s with %o begins with the data and has at most %i tokens, with what is left out",
    async (query, args, tokens) => {
      const reply = await memory.client.call("search_nodes", { query, ...args });
      const bytes = Buffer.byteLength(text(reply));
      expect(bytes).toBeLessThanOrEqual(4 * tokens);
      expect(bytes).toBeGreaterThan(2.5 * tokens);
      expect(reply.structuredContent).toMatchObject({ truncated: true });
      const { entities, relations, more } = reply.structuredContent as Record<string, unknown>;
      expect(JSON.parse((reply.content[0] as { text: string }).text)).toEqual({ entities, relations, ...(more !== undefined && { more }) });
      expect(text(reply)).toMatch(/further observations? of these: raise max_tokens, or use open_nodes\./);
      const { nextCursor } = reply.structuredContent as { nextCursor?: string };
      if (nextCursor !== undefined) expect(text(reply)).toContain(`There are more hits. Continue with cursor ${nextCursor}`);
    },
  );

  test.each([
    ["read_graph", {}, { limit: 5000 }],
    ["open_nodes", { names: ["hub"] }, { maxObservations: 2500 }],
    ["get_history", { entityName: "hub" }, { limit: 2500 }],
  ] as const)("of %s %o is larger where the call allows more", async (tool, args, more) => {
    const bytesOf = async (asked: object) => Buffer.byteLength(text(await memory.client.call(tool, { ...asked })));
    expect(await bytesOf({ ...args, ...more })).toBeGreaterThan(1.5 * (await bytesOf(args)));
  });

  test("of create_entities is truncated below 64,000 bytes", async () => {
    await using empty = await serveMemory();
    const reply = await empty.client.call("create_entities", { entities });
    expect(Buffer.byteLength(text(reply))).toBeLessThanOrEqual(64_000);
    expect((reply.content[1] as { text: string }).text).toMatch(/Truncated: all 2000 are stored/);
  });
});

test("shows the newest events up to a limit, and counts the older ones", async () => {
  await using memory = await serveMemory({ entities: [entity("a", "t", "1", "2", "3")] });
  const reply = await memory.client.call("get_history", { entityName: "a", limit: 2 });
  expect(reply.structuredContent).toMatchObject({ events: [{ observation: "2" }, { observation: "3" }], truncated: true });
  expect(text(reply)).toMatch(/^Truncated: 2 older events not shown\. Raise limit to see more\./);
});
