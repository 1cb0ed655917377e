// The past: what is superseded, renamed, merged and deleted is told; what is purged is nowhere.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import type { Entity } from "../../../src/graph/model.ts";
import { entity, relation } from "../../support/graph.ts";
import { remember, type Remembered } from "../../support/memory.ts";

const events = async (memory: Remembered, entityName: string): Promise<unknown[]> =>
  ((await memory.call("get_history", { entityName }))["events"] as Record<string, unknown>[]).map((event) =>
    Object.fromEntries(Object.entries(event).filter(([name]) => name !== "at" && name !== "by")),
  );

describe("history", () => {
  test("tells what came, what went, what took its place, when, and through which client", async () => {
    await using memory = await remember({ entities: [entity("Ana", "person", "works at Brook", "likes tea")] });
    await memory.call("add_observations", {
      observations: [{ entityName: "Ana", contents: ["works at Hill"], supersedes: ["works at Brook"] }],
    });
    await memory.call("delete_observations", { deletions: [{ entityName: "Ana", observations: ["likes tea"] }] });
    await memory.call("create_relations", { relations: [relation("Ana", "knows", "Ben")] });
    await memory.call("delete_relations", { relations: [relation("Ana", "knows", "Ben")] });
    await memory.call("update_entities", { updates: [{ name: "Ana", newName: "Ana Martins", entityType: "friend" }] });
    await memory.call("delete_entities", { entityNames: ["Ana Martins"] });
    const told = await events(memory, "Ana Martins");
    expect(told).toHaveLength(12);
    expect(told).toEqual(
      expect.arrayContaining([
        { event: "created", present: "person" },
        { event: "observed", observation: "works at Brook" },
        { event: "superseded", observation: "works at Brook", supersededBy: "works at Hill" },
        { event: "removed", observation: "likes tea" },
        { event: "related", relation: relation("Ana Martins", "knows", "Ben") },
        { event: "unrelated", relation: relation("Ana Martins", "knows", "Ben") },
        { event: "retyped", past: "person", present: "friend" },
        { event: "renamed", past: "Ana", present: "Ana Martins" },
        { event: "deleted" },
      ]),
    );
    const { events: dated } = (await memory.call("get_history", { entityName: "Ana Martins" })) as { events: { at: string; by: string }[] };
    expect(new Set(dated.map(({ by }) => by)).size).toBe(1);
    expect(dated.map(({ at }) => at)).toEqual(dated.map(({ at }) => at).toSorted());
    expect((await memory.call("get_history", { entityName: "Ana Martins", since: "2999-01-01" }))["events"]).toEqual([]);
  });
});

test("a text that is too large for a reply is told by its begin, and hides nothing else of the history", async () => {
  const large = "x".repeat(900_000);
  await using memory = await remember({ entities: [entity("Ana", "t", "old", large)] });
  await memory.call("add_observations", { observations: [{ entityName: "Ana", contents: ["new"], supersedes: [large] }] });
  const begin = `${"x".repeat(2000)}…`;
  expect(await events(memory, "Ana")).toEqual([
    { event: "created", present: "t" },
    { event: "observed", observation: "old" },
    { event: "observed", observation: begin },
    { event: "observed", observation: "new" },
    { event: "superseded", observation: begin, supersededBy: "new" },
  ]);
  expect(await memory.call("get_history", { entityName: "Ana" })).toMatchObject({ truncated: true });
});

test("asOf shows the graph as it was", async () => {
  await using memory = await remember({
    entities: [entity("Ana", "person", "works at Brook")],
    relations: [relation("Ana", "knows", "Ben")],
  });
  const { lastChange } = await memory.call("graph_stats");
  // Times are told in milliseconds: what follows must be in a later one.
  while (new Date().toISOString() <= String(lastChange)) await new Promise((resolve) => setImmediate(resolve));
  await memory.call("add_observations", {
    observations: [{ entityName: "Ana", contents: ["works at Hill"], supersedes: ["works at Brook"] }],
  });
  await memory.call("delete_entities", { entityNames: ["Ana"] });
  expect(await memory.call("open_nodes", { names: ["Ana"], asOf: lastChange })).toEqual({
    entities: [entity("Ana", "person", "works at Brook")],
    relations: [relation("Ana", "knows", "Ben")],
    notFound: [],
  });
  expect((await memory.call("open_nodes", { names: ["Ana"], asOf: "2000-01-01" }))["notFound"]).toEqual(["Ana"]);
});

test("asOf with depth shows what was around it then, not what is around it now", async () => {
  await using memory = await remember({
    entities: [entity("Ana", "person"), entity("Ben", "person", "likes tea"), entity("Cleo", "person"), entity("Dora", "person")],
    relations: [relation("Ana", "knows", "Ben"), relation("Ben", "knows", "Cleo"), relation("Ana", "likes", "Dora")],
  });
  const { lastChange } = await memory.call("graph_stats");
  while (new Date().toISOString() <= String(lastChange)) await new Promise((resolve) => setImmediate(resolve));
  await memory.call("delete_entities", { entityNames: ["Ben"] });
  await memory.call("create_entities", { entities: [entity("Eva", "person"), entity("Ben", "dog")] });
  await memory.call("create_relations", { relations: [relation("Ana", "knows", "Eva")] });
  const around = async (more: Record<string, unknown>): Promise<unknown> =>
    ((await memory.call("open_nodes", { names: ["Ana"], asOf: lastChange, ...more }))["entities"] as Entity[]).toSorted((a, b) =>
      a.name.localeCompare(b.name),
    );
  const [ana, ben, cleo, dora] = [
    entity("Ana", "person"),
    entity("Ben", "person", "likes tea"),
    entity("Cleo", "person"),
    entity("Dora", "person"),
  ];
  expect(await around({ depth: 1 })).toEqual([ana, ben, dora]);
  expect(await around({ depth: 2 })).toEqual([ana, ben, cleo, dora]);
  expect(await around({ depth: 2, relationTypes: ["knows"] })).toEqual([ana, ben, cleo]);
});

test("asOf shows the type of then", async () => {
  await using memory = await remember({
    entities: [entity("Ana", "student"), entity("Ben", "t")],
    relations: [relation("Ben", "knows", "Ana")],
  });
  const { lastChange } = await memory.call("graph_stats");
  while (new Date().toISOString() <= String(lastChange)) await new Promise((resolve) => setImmediate(resolve));
  for (const entityType of ["teacher", "friend"]) await memory.call("update_entities", { updates: [{ name: "Ana", entityType }] });
  const then = { asOf: lastChange, depth: 1 };
  expect((await memory.call("open_nodes", { names: ["Ben"], ...then }))["entities"]).toEqual([
    entity("Ben", "t"),
    entity("Ana", "student"),
  ]);
  await memory.call("delete_entities", { entityNames: ["Ana"] });
  expect((await memory.call("open_nodes", { names: ["Ana"], ...then }))["entities"]).toContainEqual(entity("Ana", "student"));
});

test("as of a time before it was there, its own name is no suggestion", async () => {
  await using memory = await remember({ entities: [entity("Ana", "t"), entity("Ana B", "t")] });
  expect(await memory.call("open_nodes", { names: ["Ana"], asOf: "2000-01-01" })).toMatchObject({ suggestions: { Ana: ["Ana B"] } });
});

test("half a surrogate pair is the name of nobody, as of a time too", async () => {
  await using memory = await remember({ entities: [entity("\ufffd", "t")] });
  expect((await memory.call("open_nodes", { names: ["\ud800"], asOf: "2999-01-01" }))["notFound"]).toEqual(["\ud800"]);
});

test("what is superseded must be there word for word, else nothing changes", async () => {
  await using memory = await remember({ entities: [entity("Ana", "person", "works at Brook")] });
  const observations = [{ entityName: "Ana", contents: ["works at Hill"], supersedes: ["works at brook"] }];
  expect(await memory.failure("add_observations", { observations })).toContain(
    'Observation "works at brook" of Ana not found, so it cannot be superseded',
  );
  expect((await memory.call("open_nodes", { names: ["Ana"] }))["entities"]).toEqual([entity("Ana", "person", "works at Brook")]);
});

describe("names", () => {
  test("relations follow a new name; one that is taken is refused without merge", async () => {
    await using memory = await remember({
      entities: [entity("a", "t"), entity("b", "t")],
      relations: [relation("a", "r", "b"), relation("b", "r", "a")],
    });
    expect((await memory.call("update_entities", { updates: [{ name: "a", newName: "A" }] }))["entities"]).toEqual([
      { name: "A", entityType: "t", renamedFrom: "a" },
    ]);
    expect((await memory.call("read_graph"))["relations"]).toEqual([relation("A", "r", "b"), relation("b", "r", "A")]);
    expect(await memory.failure("update_entities", { updates: [{ name: "A", newName: "b" }] })).toContain(
      "Name b already taken by another entity",
    );
  });

  test.each([
    ["renamed", false],
    ["merged", true],
  ])("what an earlier entity of the name was related to stays with it when the name's next owner is %s", async (_what, merge) => {
    await using memory = await remember({
      entities: [entity("a", "t"), entity("x", "t"), ...(merge ? [entity("b", "t")] : [])],
      relations: [relation("a", "r", "x"), relation("x", "r", "a")],
      allowPurge: true,
    });
    await memory.call("delete_entities", { entityNames: ["a"] });
    await memory.call("create_entities", { entities: [entity("a", "t")] });
    await memory.call("create_relations", { relations: [relation("a", "q", "x")] });
    await memory.call("delete_relations", { relations: [relation("a", "q", "x")] });
    await memory.call("update_entities", { updates: [{ name: "a", newName: "b", merge }] });
    // What came along with a merge was said of its second owner, and goes on with that.
    await memory.call("update_entities", { updates: [{ name: "b", newName: "c" }] });
    const related = async (name: string): Promise<unknown[]> =>
      (await events(memory, name)).flatMap((event) => ((event as Json)["event"] === "related" ? [(event as Json)["relation"]] : []));
    expect(await related("a")).toEqual([relation("a", "r", "x"), relation("x", "r", "a")]);
    expect(await related("c")).toEqual([relation("c", "q", "x")]);
    await memory.call("delete_entities", { entityNames: ["a"], purge: true });
    expect(await related("x")).toEqual([relation("c", "q", "x")]);
  });

  test("what went by another name is suggested under its new one, also when that is another entity's", async () => {
    await using memory = await remember({ entities: [entity("Bob", "t"), entity("Rob", "t"), entity("Ida", "t")], allowPurge: true });
    await memory.call("update_entities", { updates: [{ name: "Bob", newName: "Mr Smith" }] });
    await memory.call("update_entities", {
      updates: [
        { name: "Ida", newName: "Kay" },
        { name: "Kay", newName: "Rob", merge: true },
      ],
    });
    const { suggestions } = await memory.call("open_nodes", { names: ["Bob", "Ida", "Kay"] });
    expect(suggestions).toEqual({ Bob: ["Mr Smith"], Ida: ["Rob"], Kay: ["Rob"] });
    expect(await memory.failure("get_history", { entityName: "Bob" })).toContain("Did you mean Mr Smith?");
    expect(await events(memory, "Kay")).toEqual([
      { event: "created", present: "t" },
      { event: "renamed", past: "Ida", present: "Kay" },
      { event: "merged", past: "Kay", present: "Rob" },
    ]);
  });

  test("a merge brings observations and relations along, and says nothing twice", async () => {
    await using memory = await remember({
      entities: [entity("Bob", "person", "likes tea", "tall"), entity("Robert", "person", "tall"), entity("c", "t")],
      relations: [
        relation("Bob", "knows", "c"),
        relation("Robert", "knows", "c"),
        relation("c", "sees", "Bob"),
        relation("Bob", "is", "Robert"),
      ],
      allowPurge: true,
    });
    await memory.call("update_entities", { updates: [{ name: "Bob", newName: "Robert", merge: true }] });
    expect(await memory.call("read_graph")).toMatchObject({
      entities: [entity("Robert", "person", "tall", "likes tea"), entity("c", "t")],
      relations: [relation("Robert", "knows", "c"), relation("c", "sees", "Robert")],
    });
    expect(await memory.search("bob")).toEqual([]);
  });
});

describe("a purge", () => {
  test.each(["observation", "entity"])("of an %s also takes what was said before a merge", async (what) => {
    await using memory = await remember({
      entities: [entity("Anja", "t", "the word"), entity("Anna", "t"), entity("Ana", "t", "the word"), entity("Ben", "t", "the word")],
      allowPurge: true,
    });
    const merge = (name: string, newName: string) => memory.call("update_entities", { updates: [{ name, newName, merge: true }] });
    await merge("Anja", "Anna");
    await merge("Anna", "Ana");
    await memory.call("create_entities", { entities: [entity("Anja", "t", "the word")] });
    if (what === "entity") await memory.call("delete_entities", { entityNames: ["Ana"], purge: true });
    else await memory.call("delete_observations", { deletions: [{ entityName: "Ana", observations: ["the word"] }], purge: true });
    const told = async (entityName: string) => JSON.stringify((await memory.client.call("get_history", { entityName })).content);
    for (const name of ["Ana", "Anna"]) expect(await told(name)).not.toContain("the word");
    // Another one that has the name by now, and others with the same text, keep theirs.
    expect((await events(memory, "Anja")).filter((event) => JSON.stringify(event).includes("the word"))).toHaveLength(1);
    expect(await told("Ben")).toContain("the word");
  });

  const SECRET = "the secret is under the third stone";

  test.each([
    ["an entity", "delete_entities", { entityNames: ["keeper of the stone"], purge: true }],
    ["an observation", "delete_observations", { deletions: [{ entityName: "keeper of the stone", observations: [SECRET] }], purge: true }],
  ])("of %s leaves nothing of it in any file, nor in history", async (_what, tool, args) => {
    await using memory = await remember({
      file: "m.jsonl",
      entities: [entity("keeper of the stone", "person", SECRET, "harmless"), entity("other", "t", "stays")],
      allowPurge: true,
    });
    // What was said before and is past by now goes too.
    await memory.call("delete_observations", { deletions: [{ entityName: "keeper of the stone", observations: [SECRET] }] });
    await memory.call("add_observations", { observations: [{ entityName: "keeper of the stone", contents: [SECRET] }] });
    await memory.call(tool, args);
    for (const name of readdirSync(memory.folder.path))
      expect(readFileSync(memory.folder.at(name)).includes(SECRET), `${name} has it`).toBe(false);
    expect(await memory.search("secret")).toEqual([]);
    expect(JSON.stringify(await memory.client.call("get_history", { entityName: "keeper of the stone" }))).not.toContain(SECRET);
    expect((await memory.call("open_nodes", { names: ["other"] }))["entities"]).toEqual([entity("other", "t", "stays")]);
  });
});

test("a day that is in no calendar is refused, and a month alone means all of it", async () => {
  await using memory = await remember({ entities: [entity("Ana", "person")] });
  for (const asOf of ["2026-02-30", "2026-04-31T10:00", "2026-00", "2025-02-29"])
    expect(await memory.failure("open_nodes", { names: ["Ana"], asOf })).toContain("not understood: a time such as");
  const month = new Date().toISOString().slice(0, 7);
  expect((await memory.call("open_nodes", { names: ["Ana"], asOf: month }))["notFound"]).toEqual([]);
  expect((await memory.call("open_nodes", { names: ["Ana"], asOf: "2024-02-29T23:00:00-05:00" }))["notFound"]).toEqual(["Ana"]);
});
