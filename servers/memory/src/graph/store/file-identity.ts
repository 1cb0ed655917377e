// Tells a file from another one that has taken its name, and notices what other programs do to the files of an open database: SQLite goes
// on with files that have lost their names or their content, and what is stored in them would be lost.
import type { BigIntStats } from "node:fs";
import { basename } from "node:path";
import type { Database } from "better-sqlite3";
import { GraphError, sqliteToGraphError } from "../errors.ts";
import { statOrUndefined } from "../memory-files.ts";
import { openDatabase } from "../sqlite/driver.ts";

export const fileMoved = (): GraphError =>
  new GraphError(
    "moved",
    "Memory file moved, deleted or replaced while this server was running. Nothing was changed, and a new file in its place was not touched. To use that file, restart the server; otherwise put the old file back.",
  );

const PROBE_TIMEOUT_MS = 200;

/** The files of an open database. */
export class OpenFiles {
  readonly #path: string;
  readonly #log: string;
  readonly #identity: string | undefined;
  #logIdentity: string | undefined;
  /** The file when it was looked at last. */
  #known: BigIntStats | undefined;
  #isOverwritten = false;

  constructor(path: string) {
    this.#path = path;
    this.#log = `${path}-wal`;
    this.#known = statOrUndefined(path);
    this.#identity = identityOf(this.#known);
    this.#logIdentity = identityOf(statOrUndefined(this.#log));
  }

  /** Throws a GraphError where what is stored now would be lost. `saveLog` writes the log into the database. */
  check(saveLog: () => void): void {
    const stat = statOrUndefined(this.#path);
    if (stat === undefined || identityOf(stat) !== this.#identity) throw fileMoved();
    this.#checkLog(saveLog);
    if (stat.mtimeNs !== this.#known?.mtimeNs || stat.size !== this.#known.size) this.#checkContent(stat);
    if (this.#isOverwritten)
      throw new GraphError(
        "damaged",
        "Memory database damaged: another program has written over its file while this server was running. Nothing was changed. Its operator can restore a backup, or see with oarlock-memory verify what can be read.",
      );
  }

  /** SQLite changes the file as well, whenever it writes the log into it. Another connection sees it without the cache of this one. */
  #checkContent(stat: BigIntStats): void {
    const isSmaller = stat.size < (this.#known?.size ?? 0n);
    this.#known = stat;
    // A connection that finds an empty file would delete its log, in which content may still be.
    const isEmptied = isSmaller && stat.size === 0n;
    this.#isOverwritten ||= isEmptied || isDamaged(this.#path, isSmaller);
  }

  /** No program deletes the log of a database that another one has open, but for a person who tidies up. */
  #checkLog(saveLog: () => void): void {
    const identity = identityOf(statOrUndefined(this.#log));
    this.#logIdentity ??= identity;
    if (identity === this.#logIdentity) return;
    // Another log may be in use, by a program that has opened the database since.
    if (identity === undefined) saveLog();
    const name = basename(this.#log);
    throw new GraphError(
      "moved",
      `File ${name} deleted or replaced while this server was running. Nothing was changed. Restart the server; until then nothing can be stored.`,
    );
  }
}

/** Takes 0.3 ms, and longer only for a file that has become smaller than its content. */
function isDamaged(path: string, isSmaller: boolean): boolean {
  let db: Database | undefined;
  try {
    db = openDatabase(path, { readonly: true, timeout: PROBE_TIMEOUT_MS });
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    const pages = (name: string): bigint => BigInt(Number(db?.pragma(name, { simple: true })));
    if (!isSmaller || pages("page_count") * pages("page_size") <= (statOrUndefined(path)?.size ?? 0n)) return false;
    return db.pragma("quick_check(1)", { simple: true }) !== "ok";
  } catch (error) {
    const known = sqliteToGraphError(error);
    return known instanceof GraphError && known.code === "damaged";
  } finally {
    db?.close();
  }
}

/** Undefined for a missing file. A link is another file than its target. */
const identityOf = (stat: BigIntStats | undefined): string | undefined => stat && `${stat.dev}.${stat.ino}`;
