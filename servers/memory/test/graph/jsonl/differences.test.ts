// What another program has changed in a JSONL file, compared with the snapshot that the file contained.
import { tempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Snapshot } from "../../../src/graph/history/snapshot.ts";
import { countDifferences, findDifferences, type Differences } from "../../../src/graph/jsonl/differences.ts";
import { importFile } from "../../../src/graph/jsonl/first-import.ts";
import { JsonlFile } from "../../../src/graph/jsonl/jsonl-file.ts";
import { mergeDifferences } from "../../../src/graph/jsonl/merge.ts";
import { serializeGraph } from "../../../src/graph/jsonl/serializer.ts";
import { lastSeq } from "../../../src/graph/store/calls.ts";
import { openStore } from "../../../src/graph/store/open-store.ts";
import type { Store } from "../../../src/graph/store/store.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { createRelations } from "../../../src/graph/write/relation-creation.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { updateEntities } from "../../../src/graph/write/update.ts";
import { entity, jsonl, relation } from "../../support/graphs.ts";

let store: Store;
beforeEach(async () => {
  store = await openStore(":memory:");
});
afterEach(() => store.close());

async function withFile<T>(content: string, act: (file: JsonlFile) => T): Promise<T> {
  await using folder = tempFolder({ "m.jsonl": content });
  using file = new JsonlFile(folder.at("m.jsonl"));
  return act(file);
}

const load = (content: string) => withFile(content, (file) => store.write("file", (call) => runAtOnce(importFile(store, call, file))));
const compare = (content: string, seq = lastSeq(store)): Promise<Differences> =>
  withFile(content, (file) => runAtOnce(findDifferences(new Snapshot(store, seq), file)));
const merge = async (differences: Differences): Promise<string> => {
  await store.write("file", (call) => runAtOnce(mergeDifferences(store, call, differences)));
  return [...serializeGraph(store, lastSeq(store))].join("");
};

const NONE = { damages: [], mayBeIncomplete: false, lacksExtras: false };
const withExtra = (line: string, extra: string): string => line.replace("}\n", `,${extra}}\n`);
const A = jsonl([entity("a", "t", "1", "2")]);
const B = jsonl([entity("b", "t")]);
const R = jsonl([], [relation("a", "r", "b")]);
const NOTE = '{"type":"note","n":1}\n';
const GRAPH = A + B + R + NOTE;

test("finds no differences in the same content in another order", async () => {
  await load(GRAPH);
  const differences = await compare(NOTE + R + B + A.replace('"1","2"', '"2","1"'));
  expect(countDifferences(differences)).toBe(0);
  expect(differences).toMatchObject(NONE);
});

test.each<[what: string, content: string, expected: object, count: number]>([
  ["a new entity", GRAPH + jsonl([entity("c", "t", "1")]), { newEntities: [{ ...entity("c", "t", "1"), extra: undefined }] }, 1],
  ["a new relation", GRAPH + jsonl([], [relation("b", "r", "a")]), { newRelations: [{ relation: relation("b", "r", "a") }] }, 1],
  ["a new record", `${GRAPH}{"type":"other"}\n`, { newRecords: ['{"type":"other"}'], goneRecords: [] }, 1],
  ["an entity that is gone", A + R + NOTE, { goneEntities: [{ name: "b" }], changedEntities: [] }, 1],
  ["a relation that is gone", A + B + NOTE, { goneRelations: [1] }, 1],
  ["a record that another one replaces", `${A + B + R}{"type":"other"}\n`, { newRecords: ['{"type":"other"}'], goneRecords: [1] }, 2],
  [
    "another type",
    GRAPH.replace('"b","entityType":"t"', '"b","entityType":"u"'),
    { changedEntities: [{ entityType: "u", added: [], gone: [] }] },
    1,
  ],
  ["an observation that is gone", GRAPH.replace('"1","2"', '"1"'), { changedEntities: [{ added: [], gone: ["2"] }] }, 1],
  [
    "two new relations",
    GRAPH + jsonl([], [relation("b", "r", "a"), relation("b", "s", "a")]),
    { newRelations: [{ relation: relation("b", "r", "a") }, { relation: relation("b", "s", "a") }] },
    2,
  ],
  ["observations that came and went", GRAPH.replace('"1","2"', '"2","3"'), { changedEntities: [{ added: ["3"], gone: ["1"] }] }, 1],
  ["a repeated observation", GRAPH.replace('"1","2"', '"1","1","2"'), { changedEntities: [{ added: ["1"], gone: [] }] }, 1],
  [
    "new unknown fields",
    withExtra(A, '"x":1') + B + withExtra(R, '"y":2') + NOTE,
    { changedEntities: [{ extra: '{"x":1}' }], changedRelations: [{ id: 1, extra: '{"y":2}' }] },
    2,
  ],
])("a comparison finds %s", async (_what, content, expected, count) => {
  await load(GRAPH);
  const differences = await compare(content);
  expect(differences).toMatchObject({ ...NONE, ...expected });
  expect(countDifferences(differences)).toBe(count);
  // The memory has what the file has, in its own order.
  expect((await merge(differences)).split("\n").toSorted()).toEqual(distinct(content));
});

/** Lines in order, without repeated observations. */
const distinct = (content: string): string[] =>
  content
    .replaceAll(/("(\d)")(?:,"\2")+/g, "$1")
    .split("\n")
    .toSorted();

test("records and unknown fields that are missing are not gone: the reference server does not write them", async () => {
  await load(withExtra(A, '"x":1') + B + withExtra(R, '"y":2') + NOTE);
  for (const content of [
    A + B + withExtra(R, '"y":2') + NOTE,
    withExtra(A, '"x":1') + B + R + NOTE,
    withExtra(A, '"x":1') + B + withExtra(R, '"y":2'),
  ]) {
    const differences = await compare(content);
    expect(countDifferences(differences)).toBe(0);
    expect(differences.lacksExtras).toBe(true);
  }
});

test("lines of one name are one entity, whose further lines are damaged", async () => {
  await load(A);
  const again = jsonl([entity("a", "u", "2", "3")]);
  const differences = await compare(A + again + jsonl([entity("n", "t", "1")]) + jsonl([entity("n", "u", "1", "2")]));
  expect(differences).toMatchObject({
    changedEntities: [{ added: ["3"], gone: [] }],
    newEntities: [{ name: "n", entityType: "t", observations: ["1", "2"] }],
    goneEntities: [],
  });
  expect(differences.damages.map(({ number, reason, raw }) => [number, reason, raw.toString()])).toEqual([
    [2, expect.stringContaining("the same name"), again.trimEnd()],
    [4, expect.stringContaining("the same name"), expect.any(String)],
  ]);
  expect(await merge(differences)).toBe(jsonl([entity("a", "t", "1", "2", "3"), entity("n", "t", "1", "2")]));
});

test("ignores a further line without a new observation", async () => {
  await load(A);
  const differences = await compare(A + A);
  expect(countDifferences(differences)).toBe(0);
  expect(differences.damages).toHaveLength(1);
});

test("counts a relation once, a new one too", async () => {
  await load(A + B + R);
  const added = jsonl([], [relation("b", "r", "a")]);
  const differences = await compare(A + B + R + R + added + added);
  expect(differences.newRelations).toHaveLength(1);
  expect(differences.damages.map(({ number, reason }) => [number, reason])).toEqual([
    [4, "another line has the same relation"],
    [6, "another line has the same relation"],
  ]);
});

test("reports a damaged line, which may be incomplete", async () => {
  await load(A);
  expect(await compare(`${A}{"type`)).toMatchObject({ damages: [{ number: 2, reason: "not JSON" }], mayBeIncomplete: true });
  expect(await compare(`${A}{"type":"entity"}\n`)).toMatchObject({ damages: [{ number: 2 }], mayBeIncomplete: false });
});

test("applies an older file to a renamed entity under its present name", async () => {
  await load(A + B + R);
  const before = lastSeq(store);
  await store.write("test", (call) => updateEntities(store, call, [{ name: "a", newName: "z" }], true));
  const differences = await compare(A.replace('"2"', '"3"') + B + R + jsonl([], [relation("b", "knows", "a")]), before);
  expect(differences).toMatchObject({
    newEntities: [],
    goneEntities: [],
    goneRelations: [],
    changedEntities: [{ added: ["3"], gone: ["2"] }],
  });
  expect(await merge(differences)).toBe(
    jsonl([entity("z", "t", "1", "3"), entity("b", "t")], [relation("z", "r", "b"), relation("b", "knows", "z")]),
  );
});

test("keeps additions of the file to an entity that was deleted since", async () => {
  await load(A + B);
  const before = lastSeq(store);
  await store.write("test", (call) => void runAtOnce(deleteEntities(store, call, ["a", "b"])));
  const content = A.replace('"2"', '"2","3"').replace('"t"', '"u"') + B.replace('"t"', '"u"');
  expect(await merge(await compare(content, before))).toBe(jsonl([entity("a", "u", "3")]));
});

test("a file without records and unknown fields lacks none where the memory has none", async () => {
  await load(A + B + R);
  expect(await compare(A + B + R)).toMatchObject(NONE);
});

test("keeps unknown fields where another program changes an entity without them", async () => {
  await load(withExtra(A, '"x":1'));
  expect(await merge(await compare(A.replace('"2"', '"2","3"')))).toBe(withExtra(A.replace('"2"', '"2","3"'), '"x":1'));
});

test("merges a relation that both sides have created", async () => {
  await load(A + B);
  const before = lastSeq(store);
  await store.write("test", (call) => void runAtOnce(createRelations(store, call, [relation("a", "r", "b")], false)));
  expect(await merge(await compare(A + B + R, before))).toBe(A + B + R);
});

test("imports the observations of a repeated line, which is damaged", async () => {
  const damages = await load(A + jsonl([entity("a", "u", "2", "3")]) + R + R);
  expect(damages.map(({ number }) => number)).toEqual([2, 4]);
  expect([...serializeGraph(store, lastSeq(store))].join("")).toBe(jsonl([entity("a", "t", "1", "2", "3")]) + R);
});
