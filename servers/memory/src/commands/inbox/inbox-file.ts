// InboxFile: candidate facts that wait for a decision, in a database of their own beside the memory. What was decided leaves no text, only a
// fingerprint, by which it is not proposed again.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { createMemoryFile } from "../../graph/memory-files.ts";
import { openDatabase } from "../../graph/sqlite/driver.ts";

export const MAX_WAITING = 200;
export const MAX_FACT_LENGTH = 500;
const LOCK_TIMEOUT_MS = 5000;

export interface Candidate {
  readonly entity: string;
  /** The type of the entity where it does not exist yet. */
  readonly entityType: string;
  readonly fact: string;
}

export interface WaitingFact extends Candidate {
  readonly id: number;
}

const COLUMNS = "id, entity, type AS entityType, fact";

export class InboxFile implements Disposable {
  readonly #db: Database | undefined;

  private constructor(db: Database | undefined) {
    this.#db = db;
  }

  /** `database`: that of the memory. `isNew`: makes the file where it is missing; an inbox without a file is empty. */
  static open(database: string, { isNew }: { isNew: boolean }): InboxFile {
    const path = `${database}.inbox`;
    if (!isNew && !existsSync(path)) return new InboxFile(undefined);
    createMemoryFile(path);
    const db = openDatabase(path, { timeout: LOCK_TIMEOUT_MS });
    db.pragma("secure_delete = ON");
    db.exec(`CREATE TABLE IF NOT EXISTS waiting (id INTEGER PRIMARY KEY AUTOINCREMENT, entity TEXT NOT NULL, type TEXT NOT NULL, fact TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS proposed (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID;`);
    return new InboxFile(db);
  }

  /** Adds what was not proposed before, as far as there is room; `again`: also what was decided. Returns how many were added. */
  add(candidates: readonly Candidate[], { again = false } = {}): number {
    const db = this.#db;
    if (db === undefined) return 0;
    const addAll = db.transaction((): number => {
      let added = 0;
      for (const { entity, entityType, fact } of candidates) {
        if (this.waiting().length >= MAX_WAITING) break;
        const { changes } = db.prepare("INSERT OR IGNORE INTO proposed VALUES (?)").run(fingerprintOf(entity, fact));
        if (changes === 0 && !again) continue;
        const known = this.waiting().some((one) => one.entity === entity && one.fact === fact);
        if (!known) added += db.prepare("INSERT INTO waiting (entity, type, fact) VALUES (?, ?, ?)").run(entity, entityType, fact).changes;
      }
      return added;
    });
    return addAll.immediate();
  }

  /** The oldest first. */
  waiting(): WaitingFact[] {
    return (this.#db?.prepare(`SELECT ${COLUMNS} FROM waiting ORDER BY id`).all() ?? []) as WaitingFact[]; // the columns
  }

  /** Called for each once its decision is carried out. */
  remove(id: number): void {
    this.#db?.prepare("DELETE FROM waiting WHERE id = ?").run(id);
  }

  [Symbol.dispose](): void {
    this.#db?.close();
  }
}

const fingerprintOf = (entity: string, fact: string): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([entity, fact]))
    .digest();
