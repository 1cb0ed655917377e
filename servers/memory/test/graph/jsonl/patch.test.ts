// Patches of the JSONL file: the patched file is byte for byte the one that a new serialization gives.
import { afterEach, beforeEach, expect, test } from "vitest";
import { patchFile } from "../../../src/graph/jsonl/patch.ts";
import { serializeGraph } from "../../../src/graph/jsonl/serializer.ts";
import { highestIds, lastSeq } from "../../../src/graph/store/calls.ts";
import type { MirrorState } from "../../../src/graph/store/mirror-state.ts";
import { openStore } from "../../../src/graph/store/open-store.ts";
import type { CallHandle, Store } from "../../../src/graph/store/store.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { addObservations, createEntities } from "../../../src/graph/write/creation.ts";
import { createRelations } from "../../../src/graph/write/relation-creation.ts";
import { deleteEntities, deleteObservations, deleteRelations } from "../../../src/graph/write/deletion.ts";
import { updateEntities } from "../../../src/graph/write/update.ts";
import { entity, relation } from "../../support/graphs.ts";

type Change = (store: Store, call: CallHandle) => void;

const create =
  (...names: string[]): Change =>
  (store, call) =>
    void runAtOnce(
      createEntities(
        store,
        call,
        names.map((name) => entity(name, "t", `${name} 1`)),
      ),
    );
const relate =
  (from: string, to: string): Change =>
  (store, call) =>
    void runAtOnce(createRelations(store, call, [relation(from, "r", to)], false));
const relateAll =
  (count: number): Change =>
  (store, call) =>
    void runAtOnce(
      createRelations(
        store,
        call,
        Array.from({ length: count }, (_, at) => relation(`n${at}`, "r", "a")),
        false,
      ),
    );
const unrelate =
  (from: string, to: string): Change =>
  (store, call) =>
    void runAtOnce(deleteRelations(store, call, [relation(from, "r", to)]));
const observe =
  (entityName: string, ...contents: string[]): Change =>
  (store, call) =>
    void runAtOnce(addObservations(store, call, [{ entityName, contents }], false));
const endObservation =
  (entityName: string, ...observations: string[]): Change =>
  (store, call) =>
    void runAtOnce(deleteObservations(store, call, [{ entityName, observations }]));
const remove =
  (...names: string[]): Change =>
  (store, call) =>
    void runAtOnce(deleteEntities(store, call, names));

let store: Store;
beforeEach(async () => {
  store = await openStore(":memory:");
});
afterEach(() => store.close());

const serialized = (): Buffer => Buffer.from([...serializeGraph(store, lastSeq(store))].join(""));
const stateNow = (): MirrorState => ({
  syncedSeq: lastSeq(store),
  ids: highestIds(store),
  identity: "",
  at: 0,
  size: 0,
  previousSeq: 0,
  isStale: false,
});
const patched = (file: Buffer, state: MirrorState): string | undefined => {
  const pieces = patchFile(store, file, state, lastSeq(store));
  return pieces && Buffer.concat(pieces).toString();
};
const apply = async (...changes: Change[]): Promise<void> => {
  for (const change of changes) await store.write("test", (call) => change(store, call));
};

const GRAPH = [create("a", "b", "c"), relate("a", "b"), relate("b", "c")];

test.each<[what: string, before: Change[], changes: Change[]]>([
  ["a new entity, before the relations", GRAPH, [create("d")]],
  ["a new entity where there are only relations", [relate("x", "y")], [create("a")]],
  ["a new entity where there are no relations", [create("a")], [create("b")]],
  ["a new relation, at the end", GRAPH, [relate("c", "a")]],
  ["new entities and relations together", GRAPH, [create("d", "e"), relate("d", "e")]],
  ["observations that came and went", GRAPH, [observe("b", "b 2", "b 3"), endObservation("a", "a 1")]],
  ["an observation that came and went since", GRAPH, [observe("b", "short-lived"), endObservation("b", "short-lived")]],
  ["the first entity removed", GRAPH, [remove("a")]],
  ["the last entity removed, and another one added", GRAPH, [remove("c"), create("d")]],
  ["everything removed", GRAPH, [remove("a", "b", "c")]],
  ["a relation removed", GRAPH, [unrelate("a", "b")]],
  ["a relation that came and went since", GRAPH, [relate("c", "a"), unrelate("c", "a")]],
  ["an entity that came and went since", GRAPH, [create("d"), remove("d")]],
  ["200 changes", [create("a")], [create(...Array.from({ length: 200 }, (_, at) => `n${at}`))]],
  ["nothing", GRAPH, []],
])("a patch contains %s", async (_what, before, changes) => {
  await apply(...before);
  const file = serialized();
  const state = stateNow();
  await apply(...changes);
  expect(patched(file, state)).toBe(serialized().toString());
});

test.each<[what: string, changes: Change[], edit?: (file: string) => string]>([
  ["a new name", [(all, call) => void updateEntities(all, call, [{ name: "a", newName: "z" }], true)]],
  ["a record of another program", [(all, call) => all.insertRecord(call.seq(), '{"type":"note"}')]],
  ["201 changes", [create(...Array.from({ length: 201 }, (_, at) => `n${at}`))]],
  ["201 changes of both kinds", [create(...Array.from({ length: 101 }, (_, at) => `n${at}`)), relateAll(100)]],
  [
    "a changed line behind a blank",
    [remove("b")],
    (file) => file.replace('\n{"type":"entity","name":"b"', '\n {"type":"entity","name":"b"'),
  ],
  ["an empty file", [create("d")], () => ""],
  ["a file without a final newline", [create("d")], (file) => file.slice(0, -1)],
  ["a line that another program has changed", [remove("a")], (file) => file.replace("a 1", "a 9")],
])("a file is not patched with %s", async (_what, changes, edit = (file) => file) => {
  await apply(...GRAPH);
  const file = Buffer.from(edit(serialized().toString()));
  const state = stateNow();
  await apply(...changes);
  expect(patched(file, state)).toBeUndefined();
});
