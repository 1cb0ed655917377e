// History: superseded, renamed, merged and deleted facts are in history; purged ones are not.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import type { Entity } from "../../../src/graph/model.ts";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../../support/memory-fixture.ts";

const events = async (memory: MemoryFixture, entityName: string): Promise<unknown[]> =>
  ((await memory.call("get_history", { entityName }))["events"] as Record<string, unknown>[]).map((event) =>
    Object.fromEntries(Object.entries(event).filter(([name]) => name !== "at" && name !== "by")),
  );

describe("history", () => {
  test("shows what was added, removed and replaced, when, and by which client", async () => {
    await using memory = await serveMemory({ entities: [entity("Ana", "person", "works at Brook", "likes tea")] });
    await memory.call("add_observations", {
      observations: [{ entityName: "Ana", contents: ["works at Hill"], supersedes: ["works at Brook"] }],
    });
    await memory.call("delete_observations", { deletions: [{ entityName: "Ana", observations: ["likes tea"] }] });
    await memory.call("create_relations", { relations: [relation("Ana", "knows", "Ben")] });
    await memory.call("delete_relations", { relations: [relation("Ana", "knows", "Ben")] });
    await memory.call("update_entities", { updates: [{ name: "Ana", newName: "Ana Martins", entityType: "friend" }] });
    await memory.call("delete_entities", { entityNames: ["Ana Martins"] });
    const history = await events(memory, "Ana Martins");
    expect(history).toHaveLength(12);
    expect(history).toEqual(
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

test("shortens a text that is too large for a reply, and shows all other events", async () => {
  const large = "x".repeat(900_000);
  await using memory = await serveMemory({ entities: [entity("Ana", "t", "old", large)] });
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

test("shows the graph as of a time", async () => {
  await using memory = await serveMemory({
    entities: [entity("Ana", "person", "works at Brook")],
    relations: [relation("Ana", "knows", "Ben")],
  });
  const { lastChange } = await memory.call("graph_stats");
  // Times have milliseconds: the next call must be in a later one.
  while (new Date().toISOString() <= String(lastChange)) await new Promise((resolve) => setImmediate(resolve));
  await memory.call("add_observations", {
    observations: [{ entityName: "Ana", contents: ["works at Hill"], supersedes: ["works at Brook"] }],
  });
  await memory.call("delete_entities", { entityNames: ["Ana"] });
  expect(await memory.call("open_nodes", { names: ["Ana"], asOf: lastChange })).toEqual({
    entities: [entity("Ana", "person", "works at Brook")],
    relations: [relation("Ana", "knows", "Ben")],
    recorded: [{ name: "Ana", recorded: [{ date: String(lastChange).slice(0, 10), count: 1 }] }],
    notFound: [],
  });
  expect((await memory.call("open_nodes", { names: ["Ana"], asOf: "2000-01-01" }))["notFound"]).toEqual(["Ana"]);
});

test("says that what has no time is left out of an entity that was recorded later", async () => {
  await using memory = await serveMemory({
    entities: [entity("Ana", "person"), entity("Bo", "person")],
    relations: [relation("Ana", "knows", "Bo")],
  });
  await memory.call("add_observations", { observations: [{ entityName: "Ana", contents: ["lives in Bonn"], validFrom: "2020-01-01" }] });
  const then = text(await memory.client.call("open_nodes", { names: ["Ana"], asOf: "2021-01-01" }));
  expect(then).toContain("lives in Bonn");
  expect(then).toMatch(/Recorded later: Ana \(known since [-\d]+\)\.\s+What of them has no time of its own is left out\./);
});

test("names an entity that was recorded later once, beside one that is unknown", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "person")] });
  const reply = await memory.client.call("open_nodes", { names: ["Ana", "Zed"], asOf: "2000-01-01" });
  expect(text(reply)).toMatch(/Recorded later: Ana \(known since [-\d]+\)\.\nNot found: Zed\.$/);
});

test("shows the neighbours as of a time", async () => {
  await using memory = await serveMemory({
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

test("shows the type as of a time", async () => {
  await using memory = await serveMemory({
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

test("suggests no name of an entity that did not exist as of a time", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "t"), entity("Ana B", "t")] });
  expect(await memory.call("open_nodes", { names: ["Ana"], asOf: "2000-01-01" })).toMatchObject({ suggestions: { Ana: ["Ana B"] } });
});

test("finds no entity by half a surrogate pair, now or as of a time", async () => {
  await using memory = await serveMemory({ entities: [entity("\ufffd", "t")] });
  expect((await memory.call("open_nodes", { names: ["\ud800"], asOf: "2999-01-01" }))["notFound"]).toEqual(["\ud800"]);
});

test("refuses to supersede an unknown text", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "person", "works at Brook")] });
  const observations = [{ entityName: "Ana", contents: ["works at Hill"], supersedes: ["works at brook"] }];
  expect(await memory.failure("add_observations", { observations })).toContain(
    'Observation "works at brook" of Ana not found, so it cannot be superseded. Nothing was changed. Did you mean "works at Brook"?',
  );
  expect((await memory.call("open_nodes", { names: ["Ana"] }))["entities"]).toEqual([entity("Ana", "person", "works at Brook")]);
});

describe("names", () => {
  test("refuses an update without a change, or a merge without the other entity", async () => {
    await using memory = await serveMemory({ entities: [entity("Bo", "person"), entity("Bo Lind", "person")], allowPurge: true });
    for (const [update, error] of [
      [{ merge: true }, "Update of Bo lacks the entity to merge into: name it in newName. Nothing was changed."],
      [{ mergeInto: "Bo Lind" }, "Update of Bo lacks a change: give newName, entityType or tags. Nothing was changed."],
    ] as const)
      expect(await memory.failure("update_entities", { updates: [{ name: "Bo", ...update }] })).toContain(error);
  });

  test("relations follow a new name; a name that is taken is refused without merge", async () => {
    await using memory = await serveMemory({
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
  ])("relations of an earlier entity with the same name stay with it when the next one is %s", async (_what, merge) => {
    await using memory = await serveMemory({
      entities: [entity("a", "t"), entity("x", "t"), ...(merge ? [entity("b", "t")] : [])],
      relations: [relation("a", "r", "x"), relation("x", "r", "a")],
      allowPurge: true,
    });
    await memory.call("delete_entities", { entityNames: ["a"] });
    await memory.call("create_entities", { entities: [entity("a", "t")] });
    await memory.call("create_relations", { relations: [relation("a", "q", "x")] });
    await memory.call("delete_relations", { relations: [relation("a", "q", "x")] });
    await memory.call("update_entities", { updates: [{ name: "a", newName: "b", merge }] });
    // Relations that came with a merge belong to the second owner and move with it.
    await memory.call("update_entities", { updates: [{ name: "b", newName: "c" }] });
    const related = async (name: string): Promise<unknown[]> =>
      (await events(memory, name)).flatMap((event) => ((event as Json)["event"] === "related" ? [(event as Json)["relation"]] : []));
    expect(await related("a")).toEqual([relation("a", "r", "x"), relation("x", "r", "a")]);
    expect(await related("c")).toEqual([relation("c", "q", "x")]);
    await memory.call("delete_entities", { entityNames: ["a"], purge: true });
    expect(await related("x")).toEqual([relation("c", "q", "x")]);
  });

  test("suggests a renamed or merged entity under its new name", async () => {
    await using memory = await serveMemory({ entities: [entity("Bob", "t"), entity("Rob", "t"), entity("Ida", "t")], allowPurge: true });
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

  test("moves observations and relations of a merge, without duplicates", async () => {
    await using memory = await serveMemory({
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
    expect(await memory.search("bob")).toEqual(["Robert"]);
  });
});

describe("a purge", () => {
  test.each(["observation", "entity"])("of an %s also takes what was recorded before a merge", async (what) => {
    await using memory = await serveMemory({
      entities: [entity("Anja", "t", "the word"), entity("Anna", "t"), entity("Ana", "t", "the word"), entity("Ben", "t", "the word")],
      allowPurge: true,
    });
    const merge = (name: string, newName: string) => memory.call("update_entities", { updates: [{ name, newName, merge: true }] });
    await merge("Anja", "Anna");
    await merge("Anna", "Ana");
    await memory.call("create_entities", { entities: [entity("Anja", "t", "the word")] });
    if (what === "entity") await memory.call("delete_entities", { entityNames: ["Ana"], purge: true });
    else await memory.call("delete_observations", { deletions: [{ entityName: "Ana", observations: ["the word"] }], purge: true });
    const history = async (entityName: string) => JSON.stringify((await memory.client.call("get_history", { entityName })).content);
    for (const name of ["Ana", "Anna"]) expect(await history(name)).not.toContain("the word");
    // Another entity with the name, and others with the same text, keep their content.
    expect((await events(memory, "Anja")).filter((event) => JSON.stringify(event).includes("the word"))).toHaveLength(1);
    expect(await history("Ben")).toContain("the word");
  });

  const SECRET = "the secret is under the third stone";
  const RENAME = { updates: [{ name: SECRET, newName: "plain" }] };
  const RETYPE = { updates: [{ name: "plain", entityType: "t" }] };

  const filesWith = ({ folder }: MemoryFixture, text: string): string[] =>
    readdirSync(folder.path).filter((name) => readFileSync(folder.at(name)).includes(text));

  test.each([
    ["by its present name", "plain"],
    ["by a former name", SECRET],
  ])("of a renamed entity %s leaves no former name in a file or in history", async (_what, name) => {
    await using memory = await serveMemory({
      file: "m.jsonl",
      entities: [entity(SECRET, name === "plain" ? SECRET : "u", "harmless"), entity("other", "t")],
      relations: [relation(SECRET, "knows", "other")],
      allowPurge: true,
    });
    await memory.call("update_entities", RENAME);
    await memory.call("update_entities", RETYPE);
    const { content } = await memory.client.call("delete_entities", { entityNames: [name], purge: true });
    expect(JSON.stringify(content)).not.toContain("Purged nothing");
    for (const entityName of ["plain", "other", SECRET])
      expect(JSON.stringify((await memory.client.call("get_history", { entityName })).structuredContent ?? {})).not.toContain(SECRET);
    expect(filesWith(memory, SECRET)).toEqual([]);
    expect(await memory.search("plain")).toEqual(name === "plain" ? [] : ["plain"]);
  });

  test("of a name between two renames leaves it in no history", async () => {
    await using memory = await serveMemory({ entities: [entity("first", "t")], allowPurge: true });
    await memory.call("update_entities", { updates: [{ name: "first", newName: "middle" }] });
    await memory.call("update_entities", { updates: [{ name: "middle", newName: "last" }] });
    await memory.call("delete_entities", { entityNames: ["middle"], purge: true });
    expect(await events(memory, "last")).toEqual([{ event: "created", present: "t" }]);
  });

  test("of an entity keeps the type changes of others from a type of the same name", async () => {
    await using memory = await serveMemory({ entities: [entity("draft", "t"), entity("report", "draft")], allowPurge: true });
    await memory.call("update_entities", { updates: [{ name: "report", entityType: "final" }] });
    await memory.call("delete_entities", { entityNames: ["draft"], purge: true });
    expect(await events(memory, "report")).toMatchObject([
      { event: "created", present: "draft" },
      { event: "retyped", past: "draft", present: "final" },
    ]);
  });

  test("of an entity that took the name of one merged into it counts both once", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "1"), entity("b", "t", "2")], allowPurge: true });
    await memory.call("update_entities", { updates: [{ name: "a", newName: "b", merge: true }] });
    await memory.call("update_entities", { updates: [{ name: "b", newName: "a" }] });
    const { deleted } = await memory.call("delete_entities", { entityNames: ["a"], purge: true });
    expect(deleted).toMatchObject({ entities: 2, observations: 3 });
  });

  test("of a relation leaves no name that only the relation had", async () => {
    await using memory = await serveMemory({
      file: "m.jsonl",
      entities: [entity("other", "t")],
      relations: [relation("other", "knows", SECRET)],
      allowPurge: true,
    });
    await memory.call("delete_relations", { relations: [relation("other", "knows", SECRET)], purge: true });
    expect(filesWith(memory, SECRET)).toEqual([]);
  });

  test.each([
    ["an entity", "delete_entities", { entityNames: ["server of the stone"], purge: true }],
    ["an observation", "delete_observations", { deletions: [{ entityName: "server of the stone", observations: [SECRET] }], purge: true }],
  ])("of %s leaves nothing of it in any file or in history", async (_what, tool, args) => {
    await using memory = await serveMemory({
      file: "m.jsonl",
      entities: [entity("server of the stone", "person", SECRET, "harmless"), entity("other", "t", "stays")],
      allowPurge: true,
    });
    // Past observations are purged too.
    await memory.call("delete_observations", { deletions: [{ entityName: "server of the stone", observations: [SECRET] }] });
    await memory.call("add_observations", { observations: [{ entityName: "server of the stone", contents: [SECRET] }] });
    await memory.call(tool, args);
    for (const name of readdirSync(memory.folder.path))
      expect(readFileSync(memory.folder.at(name)).includes(SECRET), `${name} has it`).toBe(false);
    expect(await memory.search("secret")).toEqual([]);
    expect(JSON.stringify(await memory.client.call("get_history", { entityName: "server of the stone" }))).not.toContain(SECRET);
    expect((await memory.call("open_nodes", { names: ["other"] }))["entities"]).toEqual([entity("other", "t", "stays")]);
  });
});

test("refuses a time in words, and names the present time", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "person")] });
  expect(await memory.failure("open_nodes", { names: ["Ana"], asOf: "last month" })).toMatch(
    /^Time "last month" not understood: .* Now it is 20\d\d-\d\d-\d\dT.*Z\.$/,
  );
});

test("refuses an impossible date, and takes a month with all of its days", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "person")] });
  for (const asOf of ["2026-02-30", "2026-04-31T10:00", "2026-00", "2025-02-29"])
    expect(await memory.failure("open_nodes", { names: ["Ana"], asOf })).toContain("not understood: a time such as");
  const month = new Date().toISOString().slice(0, 7);
  expect((await memory.call("open_nodes", { names: ["Ana"], asOf: month }))["notFound"]).toEqual([]);
  expect((await memory.call("open_nodes", { names: ["Ana"], asOf: "2024-02-29T23:00:00-05:00" }))["notFound"]).toEqual(["Ana"]);
});
