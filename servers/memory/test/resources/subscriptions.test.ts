// Subscriptions and list changes: for changes by this server, by another one on the same store, and by another program in the file.
import { writeFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { serveMemory, type MemoryFixture } from "../support/memory-fixture.ts";
import { allowWaiting, until } from "../support/patience.ts";
import { everyRevisionOfStore } from "../support/store-under-test.ts";

allowWaiting();

async function watch({ client }: MemoryFixture, uri: string): Promise<{ count: number }> {
  const seen = { count: 0 };
  await client.subscribe(uri, () => {
    seen.count++;
  });
  return seen;
}

const notified = (seen: { count: number }, more = 0): Promise<number> =>
  until(
    () => seen.count,
    (count) => count > more,
  );

/** An entity that nothing else names. It is watched last, so its first notification follows those of all changes before. */
const LAST = entity("last", "type of the last");

/** Returns a function that ends when all changes so far have been notified. */
async function watchLast(memory: MemoryFixture): Promise<() => Promise<void>> {
  const seen = await watch(memory, "memory://entity/last");
  let changes = 0;
  return async () => {
    const { count } = seen;
    await memory.call("add_observations", { observations: [{ entityName: "last", contents: [`change ${changes++}`] }] });
    await notified(seen, count);
  };
}

everyRevisionOfStore("SUB-01 each resource is notified of its own changes only", async (revision) => {
  await using memory = await serveMemory({ entities: [entity("a", "t"), entity("b", "u"), entity("c", "v"), LAST], options: { revision } });
  const uris = ["knowledge-graph", "recent", "stats", "entity/a", "entity/b", "type/t", "relation/r"].map((path) => `memory://${path}`);
  const seen: Record<string, { count: number }> = {};
  for (const uri of uris) seen[uri] = await watch(memory, uri);
  const allNotified = await watchLast(memory);
  // Each address is throttled by itself, so some are notified later than the last change is.
  const expectNotified = async (act: () => Promise<unknown>, wanted: string[]): Promise<void> => {
    const before = Object.fromEntries(Object.entries(seen).map(([uri, { count }]) => [uri, count]));
    await act();
    await allNotified();
    const notifiedPaths = () => uris.filter((uri) => seen[uri]!.count > before[uri]!).map((uri) => uri.slice("memory://".length));
    expect(await until(notifiedPaths, (paths) => paths.length >= wanted.length)).toEqual(wanted);
  };
  const all = ["knowledge-graph", "recent", "stats"];
  const add = (entityName: string) => memory.client.call("add_observations", { observations: [{ entityName, contents: ["x"] }] });
  await expectNotified(() => add("a"), [...all, "entity/a", "type/t"]);
  await expectNotified(() => add("c"), all);
  const relate = () => memory.client.call("create_relations", { relations: [relation("b", "r", "c")] });
  await expectNotified(relate, [...all, "entity/b", "relation/r"]);
  for (const uri of uris) await memory.client.unsubscribe(uri);
  const before = JSON.stringify(seen);
  await add("b");
  await allNotified();
  expect(JSON.stringify(seen)).toBe(before);
});

describe("others", () => {
  test("notifies of a change by another server on the same store", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t")] });
    const [graph, a, missing] = [
      await watch(memory, "memory://knowledge-graph"),
      await watch(memory, "memory://entity/a"),
      await watch(memory, "memory://entity/missing"),
    ];
    await using other = await serveInProcess(memory.folder.at("m.db"));
    await other.does("add_observations", { observations: [{ entityName: "a", contents: ["by the other"] }] });
    await notified(graph);
    await notified(a);
    expect(missing.count).toBe(0);
    await other.does("create_entities", { entities: [entity("missing", "t")] });
    await notified(missing);
  });

  test("notifies of a change of the file by another program", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t")], file: "m.jsonl" });
    const seen = await watch(memory, "memory://entity/b");
    writeFileSync(memory.folder.at("m.jsonl"), jsonl([entity("a", "t"), entity("b", "t")]));
    await notified(seen);
  });
});

describe("exactly", () => {
  const entities = [entity("a", "t", "x"), entity("b", "u"), entity("c", "v"), entity("d", "w"), LAST];
  const relations = [relation("a", "r", "b"), relation("c", "s", "d")];
  const PATHS = ["entity/a", "entity/b", "entity/c", "entity/n", "type/t", "type/u", "type/v", "type/n", "relation/r", "relation/s"];
  const cases: readonly [what: string, tool: string, args: Json, notified: string[]][] = [
    [
      "a new name",
      "update_entities",
      { updates: [{ name: "a", newName: "n" }] },
      ["entity/a", "entity/b", "entity/n", "type/t", "type/u", "relation/r"],
    ],
    ["a new type", "update_entities", { updates: [{ name: "a", entityType: "n" }] }, ["entity/a", "type/t", "type/n"]],
    [
      "a merge",
      "update_entities",
      { updates: [{ name: "a", newName: "c", merge: true }] },
      ["entity/a", "entity/b", "entity/c", "type/t", "type/u", "type/v", "relation/r", "relation/s"],
    ],
    ["a deletion", "delete_entities", { entityNames: ["a"] }, ["entity/a", "entity/b", "type/t", "type/u", "relation/r"]],
    ["a relation", "create_relations", { relations: [relation("b", "r", "n")] }, ["entity/b", "entity/n", "type/u", "relation/r"]],
  ];
  test.each(cases)("SUB-01 %s notifies exactly the resources that show it", async (_, tool, args, wanted) => {
    await using memory = await serveMemory({ entities, relations, allowPurge: true });
    const seen = await Promise.all(PATHS.map(async (path) => [path, await watch(memory, `memory://${path}`)] as const));
    const allNotified = await watchLast(memory);
    await memory.call(tool, args);
    await allNotified();
    expect(
      seen
        .filter(([, { count }]) => count > 0)
        .map(([path]) => path)
        .toSorted(),
    ).toEqual(wanted.toSorted());
  });

  test("SUB-01 a purge is notified even with another change at the same time", async () => {
    await using memory = await serveMemory({ entities, allowPurge: true });
    const seen = await watch(memory, "memory://entity/a");
    await Promise.all([
      memory.call("delete_entities", { entityNames: ["a"], purge: true }),
      memory.call("add_observations", { observations: [{ entityName: "b", contents: ["y"] }] }),
    ]);
    await notified(seen);
  });
});

test("updates the list of resources when entities are created, deleted or renamed", async () => {
  await using memory = await serveMemory({ entities: [entity("a", "t")] });
  const changes = (): number =>
    memory.wired.messages("received").filter((message) => JSON.stringify(message).includes("resources/list_changed")).length;
  const reaches = (count: number): Promise<number> => until(changes, (seen) => seen === count);
  await reaches(1);
  await memory.call("create_entities", { entities: [entity("b", "t")] });
  await reaches(2);
  await memory.call("update_entities", { updates: [{ name: "b", newName: "c" }] });
  await reaches(3);
  await memory.call("delete_entities", { entityNames: ["c"] });
  await reaches(4);
  // Lists and resources are notified together.
  const seen = await watch(memory, "memory://entity/a");
  await memory.call("add_observations", { observations: [{ entityName: "a", contents: ["x"] }] });
  await notified(seen);
  await memory.call("graph_stats");
  expect(changes()).toBe(4);
});
