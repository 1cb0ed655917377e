// Reads of the past: names, relations and dates as of a time; and near names for unknown ones.
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { Memory } from "../../../src/graph/memory.ts";
import { openNodes } from "../../../src/graph/read/open-nodes.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { addObservations, createEntities } from "../../../src/graph/write/creation.ts";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../../support/memory-fixture.ts";
import { onFilesOnly } from "../../support/store-under-test.ts";

/** Waits until the clock shows another millisecond, and returns the time of the last change. */
async function timeOfLastChange(memory: MemoryFixture): Promise<string> {
  const { lastChange } = (await memory.call("graph_stats")) as { lastChange: string };
  while (Date.now() <= Date.parse(lastChange)) await new Promise((resolve) => setImmediate(resolve));
  return lastChange;
}

const open = async (memory: MemoryFixture, asOf: string, name: string, more: Json = {}) =>
  memory.call("open_nodes", { names: [name], asOf, ...more });

describe("asOf across renames", () => {
  test("shows entities and relations under the names of that time", async () => {
    await using memory = await serveMemory({
      entities: [entity("Bob", "person", "likes tea"), entity("Brook", "company", "makes boats")],
      relations: [relation("Bob", "works at", "Brook")],
    });
    const then = await timeOfLastChange(memory);
    for (const updates of [
      [{ name: "Bob", newName: "Mr Smith" }],
      [{ name: "Brook", newName: "Hill" }],
      [{ name: "Mr Smith", newName: "Robert" }],
    ])
      await memory.call("update_entities", { updates });
    for (const name of ["Bob", "Robert"]) {
      expect(await open(memory, then, name, { depth: 1 })).toMatchObject({
        entities: [entity("Bob", "person", "likes tea"), entity("Brook", "company", "makes boats")],
        relations: [relation("Bob", "works at", "Brook")],
        notFound: [],
        renamed: [{ former: "Bob", present: "Robert" }],
      });
    }
    const { content } = await memory.client.call("open_nodes", { names: ["Bob"], asOf: then });
    expect(JSON.stringify(content)).toContain("Renamed since: Bob is now Robert.");
    expect(await open(memory, then, "Mr Smith")).toMatchObject({ entities: [], notFound: ["Mr Smith"] });
  });

  test("finds the entity that had a name which another one has today", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "first"), entity("b", "t", "second")] });
    const then = await timeOfLastChange(memory);
    await memory.call("update_entities", { updates: [{ name: "a", newName: "c" }] });
    await memory.call("update_entities", { updates: [{ name: "b", newName: "a" }] });
    expect((await open(memory, then, "a"))["entities"]).toEqual([entity("a", "t", "first")]);
    expect((await open(memory, then, "b"))["entities"]).toEqual([entity("b", "t", "second")]);
    expect((await memory.call("open_nodes", { names: ["a"] }))["entities"]).toEqual([entity("a", "t", "second")]);
  });

  test("finds an entity that was deleted before another one took its name", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "first"), entity("b", "t", "second")] });
    const then = await timeOfLastChange(memory);
    await memory.call("delete_entities", { entityNames: ["a"] });
    await memory.call("update_entities", { updates: [{ name: "b", newName: "a" }] });
    expect((await open(memory, then, "a"))["entities"]).toEqual([entity("a", "t", "first")]);
  });

  test("shows a relation under the name that an entity without that relation took over later", async () => {
    await using memory = await serveMemory({ entities: [entity("x", "t")], relations: [relation("x", "r", "Old")] });
    const then = await timeOfLastChange(memory);
    await memory.call("create_entities", { entities: [entity("Old", "t")] });
    await memory.call("update_entities", { updates: [{ name: "Old", newName: "New" }] });
    expect(await open(memory, then, "x", { depth: 1 })).toMatchObject({
      entities: [entity("x", "t")],
      relations: [relation("x", "r", "Old")],
    });
  });
});

describe("asOf across merges", () => {
  const merge = (memory: MemoryFixture, name: string, newName: string): Promise<unknown> =>
    memory.call("update_entities", { updates: [{ name, newName, merge: true }] });
  const relationsOf = async (memory: MemoryFixture, asOf: string, name: string): Promise<unknown> =>
    ((await open(memory, asOf, name))["relations"] as { from: string; relationType: string; to: string }[])
      .map(({ from, relationType, to }) => `${from} ${relationType} ${to}`)
      .toSorted();

  test("shows the relations of the merged entity where they were at each point in time", async () => {
    await using memory = await serveMemory({
      allowPurge: true,
      entities: ["Bo", "Bo Lind", "Shop", "Club", "Ann"].map((name) => entity(name, "t")),
      relations: [
        relation("Bo", "works at", "Shop"),
        relation("Ann", "knows", "Bo"),
        relation("Bo Lind", "works at", "Shop"),
        relation("Bo Lind", "same as", "Bo"),
        relation("Bo", "left", "Club"),
      ],
    });
    const first = await timeOfLastChange(memory);
    await memory.call("delete_relations", { relations: [relation("Bo", "left", "Club")] });
    const second = await timeOfLastChange(memory);
    await memory.call("update_entities", { updates: [{ name: "Bo", newName: "Bob" }] });
    const third = await timeOfLastChange(memory);
    await merge(memory, "Bob", "Bo Lind");
    const fourth = await timeOfLastChange(memory);
    await memory.call("update_entities", { updates: [{ name: "Bo Lind", newName: "B. Lind" }] });
    await memory.call("create_entities", { entities: [entity("Lind", "t")] });
    const fifth = await timeOfLastChange(memory);
    await merge(memory, "B. Lind", "Lind");

    const own = ["Ann knows Bo", "Bo Lind same as Bo", "Bo works at Shop"];
    expect(await relationsOf(memory, first, "Bo")).toEqual([...own.slice(0, 2), "Bo left Club", "Bo works at Shop"]);
    expect(await relationsOf(memory, second, "Bo")).toEqual(own);
    expect(await relationsOf(memory, second, "Bo Lind")).toEqual(["Bo Lind same as Bo", "Bo Lind works at Shop"]);
    expect(await relationsOf(memory, third, "Bob")).toEqual(["Ann knows Bob", "Bo Lind same as Bob", "Bob works at Shop"]);
    expect(await relationsOf(memory, third, "Shop")).toEqual(["Bo Lind works at Shop", "Bob works at Shop"]);
    expect(await relationsOf(memory, fourth, "Bo Lind")).toEqual(["Ann knows Bo Lind", "Bo Lind works at Shop"]);
    expect(await relationsOf(memory, fifth, "B. Lind")).toEqual(["Ann knows B. Lind", "B. Lind works at Shop"]);
    expect(await relationsOf(memory, await timeOfLastChange(memory), "Lind")).toEqual(["Ann knows Lind", "Lind works at Shop"]);
    const near = (await open(memory, second, "Ann", { depth: 1 }))["entities"] as { name: string }[];
    expect(near.map(({ name }) => name).toSorted()).toEqual(["Ann", "Bo"]);
  });

  test("does not confuse the merged entity with a later one of its name", async () => {
    await using memory = await serveMemory({
      allowPurge: true,
      entities: ["a", "b", "c", "x"].map((name) => entity(name, "t")),
      relations: [relation("a", "r", "x"), relation("c", "s", "x")],
    });
    const then = await timeOfLastChange(memory);
    await merge(memory, "a", "b");
    await memory.call("update_entities", { updates: [{ name: "c", newName: "a" }] });
    expect(await relationsOf(memory, then, "x")).toEqual(["a r x", "c s x"]);
    expect(await relationsOf(memory, then, "b")).toEqual([]);
  });

  test("removes the moved relations of a purged entity from history", async () => {
    await using memory = await serveMemory({
      allowPurge: true,
      entities: ["secret", "b", "x"].map((name) => entity(name, "t")),
      relations: [relation("secret", "r", "x")],
    });
    const then = await timeOfLastChange(memory);
    await merge(memory, "secret", "b");
    await memory.call("delete_entities", { entityNames: ["secret"], purge: true });
    expect(JSON.stringify(await open(memory, then, "x"))).not.toContain("secret");
  });
});

describe("reads show when observations were recorded", () => {
  const today = (): string => new Date().toISOString().slice(0, 10);

  test.each([
    ["open_nodes", { names: ["a", "b"] }],
    ["search_nodes", { query: "fact" }],
  ])("%s, in text and result", async (tool, args) => {
    await using memory = await serveMemory({
      entities: [entity("a", "t", "fact 1", "fact 2"), entity("b", "t", "fact 3"), entity("c", "t")],
    });
    const date = today();
    const { content, structuredContent } = await memory.client.call(tool, args);
    expect(structuredContent).toMatchObject({
      recorded: expect.arrayContaining([
        { name: "a", recorded: [{ date, count: 2 }] },
        { name: "b", recorded: [{ date, count: 1 }] },
      ]),
    });
    expect(JSON.stringify(content)).toContain(`All recorded ${date}.`);
  });

  test("dates each observation, also where only the newest are shown", async () => {
    await using folder = tempFolder();
    const memory = new Memory({ location: { database: folder.at("m.db") } });
    try {
      const facts = ["2026-01-05", "2026-01-05", "2026-03-09", "2026-07-01"];
      const { store } = await memory.open();
      await memory.write("test", (_, call) => runAtOnce(createEntities(store, call, [entity("a", "t")])));
      for (const [at, date] of facts.entries()) {
        await memory.write("test", (_, call) => {
          runAtOnce(addObservations(store, call, [{ entityName: "a", contents: [`fact ${at}`] }], false));
          store.run("UPDATE call SET at = ? WHERE seq = ?", Date.parse(date), call.seq());
        });
      }
      const dates = (maxObservations?: number) =>
        openNodes(store, { names: ["a"], detail: "full", maxBytes: 1e6, maxObservations }).recorded;
      const [january, march, july] = [
        { date: "2026-01-05", count: 2 },
        { date: "2026-03-09", count: 1 },
        { date: "2026-07-01", count: 1 },
      ];
      expect(dates()).toEqual([{ name: "a", recorded: [january, march, july] }]);
      expect(dates(2)).toEqual([{ name: "a", recorded: [march, july] }]);
    } finally {
      await memory.close();
    }
  });
});

const eventsOf = async (memory: MemoryFixture, entityName: string): Promise<{ event: string }[]> =>
  (await memory.call("get_history", { entityName }))["events"] as { event: string }[]; // as its schema says

describe("an observation that is added again", () => {
  const facts = (...contents: string[]) => ({ observations: [{ entityName: "a", contents }] });

  test("is confirmed once a day, and reads and the history say so", onFilesOnly(), async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "fact 1", "fact 2")] });
    const file = new Database(memory.folder.at("m.db"));
    onTestFinished(() => void file.close());
    file.exec("UPDATE call SET at = unixepoch('2026-01-05') * 1000");
    const before = "2026-01-06";
    await memory.call("add_observations", facts("fact 1", "fact 3"));
    const calls = (): unknown => file.prepare("SELECT count(*) AS count FROM call").get();
    const callsBefore = calls();
    await memory.call("add_observations", facts("fact 1", "fact 3"));
    expect(calls()).toEqual(callsBefore);

    const today = new Date().toISOString().slice(0, 10);
    const { content, structuredContent } = await memory.client.call("open_nodes", { names: ["a"] });
    const recorded = [
      { date: "2026-01-05", confirmed: today, count: 1 },
      { date: "2026-01-05", count: 1 },
      { date: today, count: 1 },
    ];
    expect(structuredContent).toMatchObject({ recorded: [{ name: "a", recorded }] });
    expect(JSON.stringify(content)).toContain(`a 2026-01-05 (confirmed ${today}) 2026-01-05 ${today}`);
    const past = await memory.call("open_nodes", { names: ["a"], asOf: before });
    expect(past).toMatchObject({ recorded: [{ name: "a", recorded: [{ date: "2026-01-05", count: 2 }] }] });
    const confirmed = { event: "confirmed", observation: "fact 1", at: expect.stringContaining(today) as string };
    expect(await eventsOf(memory, "a")).toContainEqual(expect.objectContaining(confirmed));
  });

  test("confirms no observation of the same call", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t")] });
    const observations = [...facts("fact").observations, ...facts("fact").observations];
    await memory.call("add_observations", { observations });
    expect((await eventsOf(memory, "a")).map(({ event }) => event)).toEqual(["created", "observed"]);
  });
});

test.each([
  [
    "add_observations",
    { observations: [{ entityName: "jean luc", contents: ["x"] }] },
    /Did you mean Jean-Luc\? If it is new, pass createMissing: true/,
  ],
  [
    "add_observations",
    { observations: [{ entityName: "zzz", contents: ["x"] }] },
    /not found\. Nothing was changed\. Pass createMissing: true/,
  ],
  ["update_entities", { updates: [{ name: "jean luc", entityType: "x" }] }, /Did you mean Jean-Luc\?$/],
  ["update_entities", { updates: [{ name: "zzz", entityType: "x" }] }, /Use search_nodes to find entities\.$/],
] as const)("%s suggests near names for an unknown one", async (tool, args, message) => {
  await using memory = await serveMemory({ entities: [entity("Jean-Luc", "person")] });
  expect(await memory.failure(tool, { ...args })).toMatch(message);
});
