// The vectors of a memory, in a SQLite file beside its database: older servers open the memory as before, and its size stays.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { Database } from "better-sqlite3";
import { systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "../../../graph/errors.ts";
import { createMemoryFile } from "../../../graph/memory-files.ts";
import { openDatabase } from "../../../graph/sqlite/driver.ts";
import { SqlConnection } from "../../../graph/sqlite/sql-connection.ts";
import { BitIndex } from "./bit-index.ts";
import { meanDirectionOf, meanOf, toBits, toBuffer, toInt8, toNumbers } from "./quantization.ts";
import { APPLICATION_ID, FORMAT_VERSION, TABLES } from "./vector-tables.ts";

const LOCK_TIMEOUT_MS = 2000;
/** Above this, searches look at the bits first (bit-index.ts): the bytes of 20,000 vectors of 384 numbers take 17 ms. */
export const MAX_WITHOUT_BITS = 20_000;
/** Vectors that give the center of the bits. */
const CENTER_SAMPLES = 1000;
/** The mean of fewer vectors is that of their subjects. */
const MIN_SAMPLES = 100;

/** Which texts have vectors. */
export interface Progress {
  /** Identifies the memory. */
  readonly memory: string;
  /** Empty where neither the operator nor the endpoint names it. */
  readonly model: string;
  /** 0 before the first vector. */
  readonly dimensions: number;
  /** The last call whose deletions have been followed, and its time. */
  readonly seq: number;
  readonly at: number;
  /** The last purge that has been followed. */
  readonly purged: number;
  /** Ids in the tables of the memory up to which everything is done. */
  readonly entity: number;
  readonly observation: number;
  readonly turn: number;
}

export interface NewVector {
  /** The id of an observation, or the negative id of an entity. */
  readonly id: number;
  readonly entity: number;
  readonly vector: Float32Array;
}

export class VectorFile extends SqlConnection {
  readonly bits = new BitIndex(this);
  /** `of`: which vectors there were. */
  #mean: { readonly of: string; readonly value: Float32Array | undefined } | undefined;

  /**
   * Opens the file, and creates it where it is missing. A damaged file is replaced: everything in it can be computed again. Throws a
   * GraphError where a link or a database of another program has its name.
   */
  static open(path: string): VectorFile {
    try {
      return new VectorFile(prepare(path));
    } catch (error) {
      if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test(systemErrorCode(error) ?? "")) throw error;
      for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
      return new VectorFile(prepare(path));
    }
  }

  /** Runs `change` in one transaction. Other processes wait. */
  change<T>(change: () => T): T {
    return this.db.transaction(change).immediate();
  }

  progress(): Progress | undefined {
    const json = this.get<{ value: string }>("SELECT value FROM state WHERE key = 'progress'")?.value;
    return json === undefined ? undefined : (JSON.parse(json) as Progress); // written below
  }

  setProgress(progress: Progress): void {
    this.#set("progress", JSON.stringify(progress));
  }

  /** Removes everything. */
  clear(): void {
    for (const table of ["state", "vector", "bits", "outdated"]) this.run(`DELETE FROM ${table}`);
  }

  insertVectors(vectors: readonly NewVector[]): void {
    const center = this.center();
    if (center !== undefined && vectors.some(({ id }) => this.#isBetween(id))) this.#changeBits();
    for (const { id, entity, vector } of vectors) {
      const value = toInt8(vector);
      if (value === undefined) continue;
      this.run("INSERT OR REPLACE INTO vector (id, entity, value) VALUES (?, ?, ?)", id, entity, toBuffer(value));
      if (center !== undefined) this.#insertBits(id, value, center);
    }
  }

  remove(ids: Iterable<number>): void {
    for (const id of ids) for (const table of ["vector", "bits", "outdated"]) this.run(`DELETE FROM ${table} WHERE id = ?`, id);
  }

  /** Takes the vectors away, and keeps their ids for `outdatedIds`. */
  markOutdated(ids: Iterable<number>): void {
    // The new bits of the last id would be at an end of the table, where readers have been already.
    if (this.center() !== undefined) this.#changeBits();
    for (const id of ids) {
      this.remove([id]);
      this.run("INSERT INTO outdated (id) VALUES (?)", id);
    }
  }

  outdatedIds(most: number): number[] {
    return this.all<{ id: number }>("SELECT id FROM outdated LIMIT ?", most).map(({ id }) => id);
  }

  /** Ids of vectors and of outdated texts, above `after` and in order. */
  idsAfter(after: number, most: number): number[] {
    const select = "SELECT id FROM vector WHERE id > ?1 UNION SELECT id FROM outdated WHERE id > ?1 ORDER BY id LIMIT ?2";
    return this.all<{ id: number }>(select, after, most).map(({ id }) => id);
  }

  count(table: "vector" | "outdated"): number {
    return this.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0;
  }

  /** Undefined while there are no bits. */
  center(): Float32Array | undefined {
    const value = this.get<{ value: Buffer }>("SELECT value FROM state WHERE key = 'center'")?.value;
    return value === undefined ? undefined : new Float32Array(new Uint8Array(value).buffer);
  }

  /** The mean direction of a sample; undefined while there are few vectors. */
  mean(): Float32Array | undefined {
    const { memory, model, entity, observation } = this.progress() ?? {};
    const of = [memory, model, entity, observation].join(" ");
    if (this.#mean?.of !== of) {
      const samples = this.all<{ value: Buffer }>("SELECT value FROM vector ORDER BY id DESC LIMIT ?", CENTER_SAMPLES);
      const value = samples.length < MIN_SAMPLES ? undefined : meanDirectionOf(samples.map((row) => toNumbers(row.value)));
      this.#mean = { of, value };
    }
    return this.#mean.value;
  }

  /** Makes the bits of all vectors, once there are many. Takes a third of a second. */
  addBitsForMany(): void {
    if (this.center() !== undefined || this.count("vector") <= MAX_WITHOUT_BITS) return;
    const samples = this.all<{ value: Buffer }>("SELECT value FROM vector ORDER BY id LIMIT ?", CENTER_SAMPLES);
    const center = meanOf(samples.map(({ value }) => toNumbers(value)));
    for (const { id, value } of this.all<{ id: number; value: Buffer }>("SELECT id, value FROM vector"))
      this.#insertBits(id, toNumbers(value), center);
    this.#set("center", toBuffer(center));
    this.#changeBits();
  }

  #insertBits(id: number, value: Int8Array, center: Float32Array): void {
    this.run("INSERT OR REPLACE INTO bits (id, value) VALUES (?, ?)", id, toBuffer(toBits(value, center)));
  }

  /** Whether its bits are not at an end of the table, where readers look for new ones. */
  #isBetween(id: number): boolean {
    const select = "SELECT (SELECT min(id) FROM bits) AS lowest, (SELECT max(id) FROM bits) AS highest";
    const { lowest, highest } = this.get<{ lowest: number | null; highest: number | null }>(select) ?? {};
    return id > 0 ? id <= (highest ?? 0) : id >= (lowest ?? 0);
  }

  /** Readers read the bits again. */
  #changeBits(): void {
    this.#set("bitsVersion", randomUUID());
  }

  #set(key: string, value: string | Buffer): void {
    this.run("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", key, value);
  }
}

function prepare(path: string): Database {
  createMemoryFile(path);
  const db = openDatabase(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    // One transaction, so one state of the file: another process may be creating its tables just now.
    if (!db.transaction(() => isOwn(db))())
      throw new GraphError(
        "invalid",
        `File ${basename(path)} is a database of another program: expected the vectors of this memory. Move it elsewhere.`,
      );
    db.pragma("trusted_schema = OFF");
    db.pragma("journal_mode = WAL");
    // A power failure may lose the last vectors, which are then computed again.
    db.pragma("synchronous = NORMAL");
    db.pragma("secure_delete = ON");
    if (!isCurrent(db)) db.transaction(() => !isCurrent(db) && createTables(db)).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const applicationOf = (db: Database): unknown => db.pragma("application_id", { simple: true });

/** Whether it has our mark, or nothing in it yet. */
const isOwn = (db: Database): boolean =>
  applicationOf(db) === APPLICATION_ID || db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;

const isCurrent = (db: Database): boolean =>
  applicationOf(db) === APPLICATION_ID && db.pragma("user_version", { simple: true }) === FORMAT_VERSION;

/** Instead of those of another version. */
function createTables(db: Database): void {
  const tables = db.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) db.exec(`DROP TABLE "${name.replaceAll('"', '""')}"`);
  db.exec(TABLES);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${FORMAT_VERSION}`);
}
