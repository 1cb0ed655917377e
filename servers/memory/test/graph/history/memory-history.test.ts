// The history of a whole memory: what was recorded in order, whichever entity it is about.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../../support/memory-fixture.ts";

afterEach(() => void vi.useRealTimers());

/** Events without their times and clients. */
const eventsOf = async (memory: MemoryFixture, args: Json = {}): Promise<unknown[]> => {
  const { events } = (await memory.call("get_history", args)) as { events: Record<string, unknown>[] };
  return events.map(({ at: _at, by: _by, ...event }) => event);
};

const addTo = (memory: MemoryFixture, entityName: string, contents: string[], more: Json = {}): Promise<Json> =>
  memory.call("add_observations", { observations: [{ entityName, contents, ...more }] });

test("lists the changes of all entities in their order", async () => {
  await using memory = await serveMemory({
    entities: [entity("Ana", "person", "tall", "sails"), entity("Bo", "t", "rows")],
    relations: [relation("Ana", "knows", "Bo")],
  });
  await addTo(memory, "Ana", ["grey"], { supersedes: ["tall"] });
  await memory.call("update_entities", { updates: [{ name: "Ana", newName: "Anna", entityType: "sailor" }] });
  await memory.call("delete_entities", { entityNames: ["Bo"] });
  expect(await eventsOf(memory)).toEqual([
    { entity: "Anna", event: "created" },
    { entity: "Anna", event: "observed", observation: "tall" },
    { entity: "Anna", event: "observed", observation: "sails" },
    { entity: "Bo", event: "observed", observation: "rows" },
    { event: "related", relation: relation("Anna", "knows", "Bo") },
    { entity: "Anna", event: "superseded", observation: "tall", supersededBy: "grey" },
    { entity: "Anna", event: "observed", observation: "grey" },
    { entity: "Anna", event: "retyped", past: "person", present: "sailor" },
    { entity: "Anna", event: "renamed", past: "Ana", present: "Anna" },
    { entity: "Bo", event: "removed", observation: "rows" },
    { event: "unrelated", relation: relation("Anna", "knows", "Bo") },
    { entity: "Bo", event: "deleted" },
  ]);
});

test("tells a merge as one change of the entity that stays", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "t"), entity("Bo", "t")], allowPurge: true });
  await memory.call("update_entities", { updates: [{ name: "Bo", newName: "Ana", merge: true }] });
  expect(await eventsOf(memory)).toEqual([
    { entity: "Ana", event: "created" },
    { entity: "Ana", event: "merged", past: "Bo", present: "Ana" },
  ]);
});

test("shows the newest changes up to the limit, the late end of an old fact among them", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "t", "first"), entity("Bo", "t", "a", "b", "c")] });
  await addTo(memory, "Ana", ["last"], { supersedes: ["first"] });
  const newest = [
    { entity: "Ana", event: "superseded", observation: "first", supersededBy: "last" },
    { entity: "Ana", event: "observed", observation: "last" },
  ];
  expect(await eventsOf(memory, { limit: 2 })).toEqual(newest);
  expect(await eventsOf(memory, { limit: 3 })).toEqual([{ entity: "Bo", event: "observed", observation: "c" }, ...newest]);
  expect(text(await memory.client.call("get_history", { limit: 3 }))).toMatch(/^Truncated: older events not shown\. Raise limit/);
  expect(await memory.call("get_history", { limit: 8 })).toMatchObject({ truncated: false });
});

test("tells the facts of one call in the order in which they were sent", async () => {
  await using memory = await serveMemory({ entities: [entity("Ana", "person"), entity("Bo", "person")] });
  const sent = [
    ["Ana", "Where shall we go?"],
    ["Bo", "To the lake."],
    ["Ana", "By boat?"],
    ["Ana", "Or on foot?"],
  ] as const;
  await memory.call("add_observations", { observations: sent.map(([entityName, content]) => ({ entityName, contents: [content] })) });
  const calls = JSON.parse(text(await memory.client.call("get_history"))) as { changes: unknown[] }[];
  expect(calls.map(({ changes }) => changes)).toEqual([
    [
      { entity: "Ana", created: true },
      { entity: "Bo", created: true },
    ],
    [
      { entity: "Ana", observed: ["Where shall we go?"] },
      { entity: "Bo", observed: ["To the lake."] },
      { entity: "Ana", observed: ["By boat?", "Or on foot?"] },
    ],
  ]);
});

test("groups what a call has changed, facts first, with the times in which they held", async () => {
  // What one client changes within a millisecond is one group.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 5, 1) });
  await using memory = await serveMemory({ entities: [entity("Tom", "person", "works at BMW")] });
  vi.advanceTimersByTime(1);
  await memory.call("create_relations", { relations: [relation("Mara", "is married to", "Tom")] });
  vi.advanceTimersByTime(1);
  await addTo(memory, "Tom", ["works at Siemens"], { supersedes: ["works at BMW"], validFrom: "2026-02-02" });
  const groups = async (args: object) => {
    const groups = JSON.parse(text(await memory.client.call("get_history", { ...args }))) as Record<string, unknown>[];
    expect(groups.every(({ at }) => typeof at === "string")).toBe(true);
    return groups.map(({ at: _at, by: _by, ...group }) => group);
  };
  const changed = { observed: ["works at Siemens (since 2026-02-02)"], superseded: ["works at BMW"] };
  const related = { related: ["Mara → is married to → Tom"] };
  const first = ["works at BMW (until 2026-02-01)"];
  expect(await groups({ entityName: "Tom" })).toEqual([{ observed: first, created: ["person"] }, related, changed]);
  expect(await groups({})).toEqual([
    { changes: [{ entity: "Tom", observed: first, created: true }] },
    related,
    { changes: [{ entity: "Tom", ...changed }] },
  ]);
  expect(await groups({ since: "2999" })).toEqual([]);
});
