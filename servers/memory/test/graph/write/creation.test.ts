// Creations: what is checked before anything is written, and how the results name what exists already.
import { clip } from "@oarlock/domain-kit";
import { expect, test } from "vitest";
import type { Entity, Relation } from "../../../src/graph/model.ts";
import { addObservations, createEntities, type NewObservations } from "../../../src/graph/write/creation.ts";
import { createRelations } from "../../../src/graph/write/relation-creation.ts";
import { entity, relation } from "../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../support/open-memory.ts";

const create = ({ change }: OpenMemory, ...entities: Entity[]) => change((store, call) => createEntities(store, call, entities));
const relate = ({ change }: OpenMemory, relations: Relation[], createMissing = false) =>
  change((store, call) => createRelations(store, call, relations, createMissing));
const add = ({ change }: OpenMemory, observations: NewObservations[], createMissing = false) =>
  change((store, call) => addObservations(store, call, observations, createMissing));

/** The entities of a memory without those that fill it. */
const entitiesOf = ({ store }: OpenMemory): unknown =>
  store.all(
    `SELECT e.name, t.name AS type, (SELECT json_group_array(text) FROM (SELECT text FROM observation WHERE entity = e.id AND ended IS NULL ORDER BY id)) AS texts
     FROM entity e JOIN type t ON t.id = e.type WHERE e.ended IS NULL AND t.name <> 'filler' ORDER BY e.id`,
  );
const row = (name: string, type: string, ...texts: string[]) => ({ name, type, texts: JSON.stringify(texts) });

const LONG = "x".repeat(4001);
const HUGE = "x".repeat(1_000_001);

test("creates entities once, without repeated observations, and lists similar names", async () => {
  await using opened = await openMemory([
    entity("Jean-Luc", "person", "tall"),
    entity("jean luc", "t"),
    entity("JEANLUC", "t"),
    entity("Jéan Luc", "t"),
  ]);
  expect(
    await create(
      opened,
      entity("New", "t", "a", "b", "a"),
      entity("Jean-Luc", "other", "short"),
      entity("New", "t", "c"),
      entity("Jean.Luc", "t"),
    ),
  ).toEqual({
    entities: [entity("New", "t", "a", "b"), entity("Jean.Luc", "t")],
    skipped: ["Jean-Luc", "New"],
    similar: [{ name: "Jean.Luc", existing: ["Jean-Luc", "jean luc", "JEANLUC"] }],
  });
  expect(entitiesOf(opened)).toEqual([
    row("Jean-Luc", "person", "tall"),
    row("jean luc", "t"),
    row("JEANLUC", "t"),
    row("Jéan Luc", "t"),
    row("New", "t", "a", "b"),
    row("Jean.Luc", "t"),
  ]);
});

test.each<[message: string, entity: Entity]>([
  ["Entity name is empty: at least one character is expected.", entity("", "t")],
  ["Entity name too long: 4001 characters", entity(LONG, "t")],
  ["Type of Ben too long: 4001 characters", entity("Ben", LONG)],
  ["Observation of Ben is not well-formed text", entity("Ben", "t", "fine", "\ud800")],
  [`Observation of ${clip("n".repeat(61), 60)} too long: 1000001 characters`, entity("n".repeat(61), "t", HUGE)],
])("creates no entity beside an invalid one: %s", async (message, invalid) => {
  await using opened = await openMemory([]);
  const created = create(opened, entity("Ana", "t"), invalid);
  await expect(created).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining(message) as string });
  expect(entitiesOf(opened)).toEqual([]);
});

test("creates relations once, and lists the names that no entity has", async () => {
  await using opened = await openMemory([entity("Ana", "t"), entity("Ben", "t")], [relation("Ana", "knows", "Ben")]);
  const wanted = [
    relation("Ana", "knows", "Ben"),
    relation("Ana", "sees", "Ben"),
    relation("Ana", "sees", "Cleo"),
    relation("Dan", "sees", "Cleo"),
    relation("Ana", "sees", "Cleo"),
  ];
  expect(await relate(opened, wanted)).toEqual({
    relations: wanted.slice(1, 4),
    skipped: [wanted[0], wanted[4]],
    created: [],
    similar: [],
    dangling: ["Cleo", "Dan"],
  });
  expect(opened.store.all("SELECT source, type, target FROM relation ORDER BY id")).toEqual(
    wanted.slice(0, 4).map(({ from, to, relationType }) => ({ source: from, type: relationType, target: to })),
  );
  expect(entitiesOf(opened)).toEqual([row("Ana", "t"), row("Ben", "t")]);
});

test("creates the missing ends of relations with createMissing", async () => {
  await using opened = await openMemory([entity("Ana", "t")]);
  const wanted = [relation("Ana", "knows", "Ben"), relation("Ben", "knows", "Cleo")];
  expect(await relate(opened, wanted, true)).toMatchObject({ relations: wanted, skipped: [], dangling: [], created: ["Ben", "Cleo"] });
  expect(entitiesOf(opened)).toEqual([row("Ana", "t"), row("Ben", "unknown"), row("Cleo", "unknown")]);
});

test.each<[message: string, relation: Relation]>([
  ["Start of a relation is empty", relation("", "r", "b")],
  ["End of a relation too long", relation("a", "r", LONG)],
  ["Type of a relation too long", relation("a", LONG, "b")],
])("creates no relation beside an invalid one: %s", async (message, invalid) => {
  await using opened = await openMemory([]);
  await expect(relate(opened, [relation("a", "r", "b"), invalid], true)).rejects.toThrow(message);
  expect(opened.store.all("SELECT 1 FROM relation")).toEqual([]);
});

test("adds each observation once, and names those that the entity has already", async () => {
  await using opened = await openMemory([entity("Ana", "t", "tall", "likes tea"), entity("Ben", "t")]);
  expect(
    await add(opened, [
      { entityName: "Ana", contents: ["tall", "sails", "sails", "tall"] },
      { entityName: "Ben", contents: ["short"] },
      { entityName: "Ben", contents: [] },
    ]),
  ).toEqual({
    results: [
      { entityName: "Ana", addedObservations: ["sails"] },
      { entityName: "Ben", addedObservations: ["short"] },
      { entityName: "Ben", addedObservations: [] },
    ],
    created: [],
    similar: [],
    superseded: [],
    existing: [{ entityName: "Ana", observations: ["tall", "tall"] }],
  });
  expect(entitiesOf(opened)).toEqual([row("Ana", "t", "tall", "likes tea", "sails"), row("Ben", "t", "short")]);
});

test("replaces observations, except one that is given again", async () => {
  await using opened = await openMemory([entity("Ana", "t", "one", "two", "three", "four")]);
  const { superseded, existing, results } = await add(opened, [
    { entityName: "Ana", contents: ["two", "five", "six"], supersedes: ["one", "two", "three"] },
  ]);
  expect({ superseded, existing, results }).toEqual({
    superseded: [{ entityName: "Ana", observations: ["one", "three"] }],
    existing: [{ entityName: "Ana", observations: ["two"] }],
    results: [{ entityName: "Ana", addedObservations: ["five", "six"] }],
  });
  expect(entitiesOf(opened)).toEqual([row("Ana", "t", "two", "four", "five", "six")]);
  const successor = "SELECT o.text, n.text AS successor FROM observation o JOIN observation n ON n.id = o.successor ORDER BY o.id";
  expect(opened.store.all(successor)).toEqual([
    { text: "one", successor: "five" },
    { text: "three", successor: "five" },
  ]);
});

test("creates a missing entity with createMissing, and lists similar names", async () => {
  await using opened = await openMemory([entity("Jean-Luc", "t")]);
  const wanted = [
    { entityName: "jean luc", contents: ["tall"] },
    { entityName: "Ben", contents: ["short"] },
    { entityName: "Ben", contents: ["young"] },
  ];
  expect(await add(opened, wanted, true)).toMatchObject({
    created: ["jean luc", "Ben"],
    similar: [{ name: "jean luc", existing: ["Jean-Luc"] }],
  });
  expect(entitiesOf(opened)).toEqual([row("Jean-Luc", "t"), row("jean luc", "unknown", "tall"), row("Ben", "unknown", "short", "young")]);
});

test.each<[message: string, wanted: NewObservations, createMissing?: boolean]>([
  [
    "Entity with name anna not found. Nothing was changed. Did you mean Anna? If it is new, pass createMissing: true, or use create_entities first.",
    { entityName: "anna", contents: [] },
  ],
  [
    "Entity with name Zzyzx not found. Nothing was changed. Pass createMissing: true, or use create_entities first.",
    { entityName: "Zzyzx", contents: [] },
  ],
  ["Entity name too long: 4001 characters", { entityName: LONG, contents: [] }, true],
  ["Observation of Anna too long: 1000001 characters", { entityName: "Anna", contents: ["fine", HUGE] }],
  [
    'Observation "lives in Porta" of Anna not found, so it cannot be superseded. Nothing was changed. Did you mean "lives in Porto"?',
    { entityName: "Anna", contents: ["x"], supersedes: ["lives in Lisbon", "lives in Porta"] },
  ],
  [
    'Observation "quite different words" of Anna not found, so it cannot be superseded. Nothing was changed. Pass the exact text.',
    { entityName: "Anna", contents: ["x"], supersedes: ["quite different words"] },
  ],
])("records no observation beside an invalid one: %s", async (message, wanted, createMissing = false) => {
  await using opened = await openMemory([entity("Anna", "t", "lives in Lisbon", "lives in Porto"), entity("Ben", "t")]);
  const code = message.includes("not found") ? "not-found" : "invalid";
  const added = add(opened, [{ entityName: "Ben", contents: ["new"] }, wanted], createMissing);
  await expect(added).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
  expect(entitiesOf(opened)).toEqual([row("Anna", "t", "lives in Lisbon", "lives in Porto"), row("Ben", "t")]);
});

const many = <T>(item: T): T[] => Array.from({ length: 100_001 }, () => item);

test("refuses more items than a call may have, observations included", async () => {
  await using opened = await openMemory([entity("Ana", "t")]);
  const message = "Too many items: 100001 in one call";
  const half = Array.from({ length: 50_000 }, () => "x");
  await expect(create(opened, ...many(entity("a", "t")))).rejects.toThrow(message);
  await expect(create(opened, entity("a", "t", ...half), entity("b", "t", ...half.slice(1)))).rejects.toThrow(message);
  await expect(relate(opened, many(relation("a", "r", "b")))).rejects.toThrow(message);
  await expect(
    add(opened, [
      { entityName: "Ana", contents: half },
      { entityName: "Ana", contents: half.slice(1) },
    ]),
  ).rejects.toThrow(message);
});

test.each([" ", "\n\t", "\u200b", "\u3000\u2060"])("refuses the name %j, which shows nothing", async (name) => {
  await using opened = await openMemory([]);
  await expect(create(opened, entity(name, "t"))).rejects.toThrow(/^Entity name is blank/);
});
