// A memory without a server: changes of the graph and the text index, looked at directly.
import { tempFolder } from "@oarlock/testing";
import { Memory, type StoreChange } from "../../src/graph/memory.ts";
import type { Entity, Relation } from "../../src/graph/model.ts";
import type { Store } from "../../src/graph/store/store.ts";
import { positionOf, type TextKind } from "../../src/graph/text-index/index-positions.ts";
import { createEntities } from "../../src/graph/write/creation.ts";
import { createRelations } from "../../src/graph/write/relation-creation.ts";

export interface OpenMemory extends AsyncDisposable {
  readonly memory: Memory;
  readonly store: Store;
  /** Makes a change in a call of its own. */
  change<T>(change: StoreChange<T>): Promise<T>;
}

/** More texts than may wait outside the indexes, so that all of them are indexed. */
const FILLERS: readonly Entity[] = Array.from({ length: 20 }, (_, at) => ({
  name: `filler ${at}`,
  entityType: "filler",
  observations: [`fills ${at}`],
}));

export async function openMemory(entities: readonly Entity[], relations: readonly Relation[] = []): Promise<OpenMemory> {
  const folder = tempFolder();
  const memory = new Memory({ location: { database: folder.at("m.db") } });
  const { store } = await memory.open();
  const change: OpenMemory["change"] = (change) => memory.writeInSlices("test", change);
  await change((_, call) => createEntities(store, call, [...entities, ...FILLERS]));
  await change((_, call) => createRelations(store, call, relations, false));
  return {
    memory,
    store,
    change,
    async [Symbol.asyncDispose]() {
      await memory.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Positions in the index, and those that should be there: current names and observations that do not wait, and all types. */
export function indexedPositions(store: Store): { indexed: number[]; expected: number[] } {
  store.db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab('main', 'trigram', 'instance')");
  const indexed = store.all<{ doc: number }>("SELECT DISTINCT doc FROM temp.terms").map(({ doc }) => doc);
  const positionsOf = (kind: TextKind, sql: string): number[] =>
    store.all<{ id: number }>(sql).map(({ id }) => Number(positionOf(kind, id)));
  const expected = [
    ...positionsOf("name", "SELECT id FROM entity WHERE ended IS NULL AND id <= (SELECT name FROM indexed)"),
    ...positionsOf("observation", "SELECT id FROM observation WHERE ended IS NULL AND id <= (SELECT observation FROM indexed)"),
    ...positionsOf("type", "SELECT id FROM type"),
  ];
  return { indexed: indexed.toSorted((a, b) => a - b), expected: expected.toSorted((a, b) => a - b) };
}
