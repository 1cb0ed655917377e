// Reads all rows of a memory in SQLite, and fills a new one.
import { basename, dirname, join } from "node:path";
import { makeFolders, TemporaryName } from "@oarlock/domain-kit";
import { GraphError } from "../../graph/errors.ts";
import { Memory } from "../../graph/memory.ts";
import { holdFolderOf } from "../../graph/memory-files.ts";
import { openDatabase } from "../../graph/sqlite/driver.ts";
import { lastPurgeSeq, setLastPurgeSeq, highestIds, lastSeq } from "../../graph/store/calls.ts";
import { openStore } from "../../graph/store/open-store.ts";
import { Store } from "../../graph/store/store.ts";
import type { TextKind } from "../../graph/rows/texts.ts";
import type { CommandContext } from "../context.ts";
import { memoryExists } from "../people/memories.ts";
import { COLUMNS, copyRows, type Copied, type Marks, type Row, type RowSource, type Table, type Value } from "./row-copy.ts";

const LOCK_TIMEOUT_MS = 5000;

/** Calls `action` with one state of the memory: what others write meanwhile is not in it. Changes of the JSONL file are read first. */
export async function readRows<T>(memory: Memory, action: (source: RowSource) => Promise<T>): Promise<T> {
  const { store } = await memory.open();
  const { database } = memory.location;
  if (database === ":memory:") return await action(sourceOf(store));
  using reader = new Store(openDatabase(database, { readonly: true, timeout: LOCK_TIMEOUT_MS }));
  reader.run("BEGIN");
  return await action(sourceOf(reader));
}

const sourceOf = (store: Store): RowSource => ({
  select: (sql) => store.db.prepare<[], Row>(sql).raw().all(),
  marks(): Marks {
    const { entity, observation, relation } = sequencesOf(store);
    return {
      highest: { call: lastSeq(store), entity, observation, relation },
      historyStart: store.meta<number>("historyStart") ?? 0,
      purged: lastPurgeSeq(store),
      cursorKey: Buffer.from(store.cursorKey()).toString("base64"),
      owner: store.meta<string>("owner") ?? null,
    };
  },
});

/** Also those of rows that a purge has removed: ids are never used again. */
function sequencesOf(store: Store): ReturnType<typeof highestIds> {
  const sequences = new Map(store.tuples<[string, number]>("SELECT name, seq FROM sqlite_sequence"));
  const entries = Object.entries(highestIds(store)).map(([table, highest]) => [table, Math.max(highest, sequences.get(table) ?? 0)]);
  return Object.fromEntries(entries) as ReturnType<typeof highestIds>; // the same members
}

/** Fills a database that does not exist yet, and writes its JSONL file. The database takes its name when it is complete. */
export async function fillSqlite({ location, output }: CommandContext, source: RowSource): Promise<Copied> {
  const { database: path, mirror } = location;
  if (memoryExists(location))
    throw new GraphError("invalid", `Memory ${mirror ?? path} exists: nothing was written there. Name another file.`);
  makeFolders(dirname(path), 0o700);
  using folder = holdFolderOf(path);
  using temporary = new TemporaryName(folder);
  const copied = await fill(join(dirname(path), temporary.name), source);
  await temporary.takeName(basename(path));
  await using memory = new Memory({ location, warn: output.writeLine });
  await memory.flush();
  return copied;
}

const INDEXED: Partial<Record<Table, { kind: TextKind; text: number; ended?: number }>> = {
  type: { kind: "type", text: 1 },
  entity: { kind: "name", text: 1, ended: 5 },
  observation: { kind: "observation", text: 2, ended: 4 },
};

async function fill(path: string, source: RowSource): Promise<Copied> {
  using store = await openStore(path);
  store.run("BEGIN IMMEDIATE");
  const copied = await copyRows(source, { insert: (table, rows) => insertInto(store, table, rows) });
  writeMarks(store, await source.marks());
  store.textIndex.beforeCommit();
  store.run("COMMIT");
  return copied;
}

function insertInto(store: Store, table: Table, rows: readonly Row[]): void {
  const columns = Object.keys(COLUMNS[table]);
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
  const indexed = INDEXED[table];
  for (const row of rows) {
    store.run(sql, ...(row as Value[])); // is not changed
    const isCurrent = indexed !== undefined && (indexed.ended === undefined || row[indexed.ended] === null);
    if (isCurrent) store.textIndex.add(indexed.kind, Number(row[0]), String(row[indexed.text]));
  }
}

function writeMarks(store: Store, { highest, historyStart, purged, cursorKey, owner }: Marks): void {
  for (const [table, seq] of Object.entries(highest)) {
    if (store.run("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", seq, table) === 0)
      store.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, seq);
  }
  store.setMeta("cursorKey", Buffer.from(cursorKey, "base64"));
  if (historyStart > 0) store.setMeta("historyStart", historyStart);
  if (purged > 0) setLastPurgeSeq(store, purged);
  if (owner !== null) store.setMeta("owner", owner);
}
