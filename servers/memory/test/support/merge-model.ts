// The three-way merge of the memory and its JSONL file, compared with a model.
import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import * as fc from "fast-check";
import { expect } from "vitest";
import { Memory } from "../../src/graph/memory.ts";
import { readGraph } from "../../src/graph/read/graph-page.ts";
import type { Store } from "../../src/graph/store/store.ts";
import { runAtOnce } from "./run-at-once.ts";
import { addObservations, createEntities } from "../../src/graph/write/creation.ts";
import { deleteEntities, deleteObservations } from "../../src/graph/write/deletion.ts";
import { jsonl } from "./graphs.ts";
import type { Repetition } from "./repetition.ts";

const NAMES = ["a", "b", "c"];
type Graph = Readonly<Record<string, readonly string[] | undefined>>;

const graphs = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.option(fc.subarray(["1", "2", "3", "4"]), { nil: undefined })])),
) as fc.Arbitrary<Graph>;

const fileOf = (graph: Graph): string =>
  jsonl(NAMES.flatMap((name) => (graph[name] === undefined ? [] : [{ name, entityType: "t", observations: [...graph[name]] }])));

function merged(base: Graph, file: Graph, memory: Graph): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const name of NAMES) {
    const [b, f, m] = [base[name], file[name], memory[name]];
    const less = (some: readonly string[], others: readonly string[] = []): string[] => some.filter((text) => !others.includes(text));
    let left: string[] | undefined;
    if (b === undefined) left = f === undefined && m === undefined ? undefined : [...(f ?? []), ...(m ?? [])];
    else if (f === undefined) left = m === undefined || less(m, b).length === 0 ? undefined : less(m, b);
    else if (m === undefined) left = less(f, b).length === 0 ? undefined : less(f, b);
    else left = less([...m, ...less(f, b)], less(b, f));
    if (left !== undefined) found[name] = [...new Set(left)].sort((x, y) => x.localeCompare(y));
  }
  return found;
}

/** Changes the memory from one graph to another by calls. */
async function change(store: Store, from: Graph, to: Graph): Promise<void> {
  await store.write("test", (call) => {
    for (const name of NAMES) {
      const [past = [], present] = [from[name], to[name]];
      if (present === undefined) runAtOnce(deleteEntities(store, call, [name]));
      else if (from[name] === undefined) runAtOnce(createEntities(store, call, [{ name, entityType: "t", observations: [...present] }]));
      else {
        runAtOnce(deleteObservations(store, call, [{ entityName: name, observations: past.filter((text) => !present.includes(text)) }]));
        runAtOnce(addObservations(store, call, [{ entityName: name, contents: [...present] }], false));
      }
    }
  });
}

function observationsByName(store: Store): Record<string, string[]> {
  const { entities } = readGraph(store, { detail: "full", maxBytes: 1e9 });
  return Object.fromEntries(entities.map(({ name, observations }) => [name, observations.toSorted((x, y) => x.localeCompare(y))]));
}

/** Changes both sides at random; fails where the memory or the file differs from the model. */
export async function checkMerges(options: Repetition): Promise<void> {
  await fc.assert(
    fc.asyncProperty(graphs, graphs, graphs, async (base, file, memory) => {
      await using folder = tempFolder({ "m.jsonl": fileOf(base) });
      const path = folder.at("m.jsonl");
      const own = new Memory({ location: { database: folder.at("m.db"), mirror: path } });
      const { store } = await own.open();
      await own.flush();
      await change(store, base, memory);
      writeFileSync(folder.at("new"), fileOf(file));
      // Long enough ago that the file counts as complete.
      utimesSync(folder.at("new"), new Date(0), new Date(0));
      renameSync(folder.at("new"), path);
      await own.flush();
      // A file without any record counts as missing: it is written again, and nothing is deleted.
      const isMissing = NAMES.every((name) => file[name] === undefined);
      const wanted = merged(base, isMissing ? base : file, memory);
      expect(observationsByName(store)).toEqual(wanted);
      await own.close();
      // A second memory reads only the file.
      const other = new Memory({ location: { database: ":memory:", mirror: path } });
      expect(observationsByName((await other.open()).store)).toEqual(wanted);
      await other.close();
    }),
    options,
  );
}
