/** FileLock: an exclusive lock among processes. It ends with its process, however that ends. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A build takes a minute on a busy machine. */
const MAX_WAIT_MS = 300_000;

export class FileLock implements Disposable {
  readonly #database: DatabaseSync;

  /** Waits until no other process has the lock. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#database = new DatabaseSync(path, { timeout: MAX_WAIT_MS });
    this.#database.exec("BEGIN EXCLUSIVE");
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
