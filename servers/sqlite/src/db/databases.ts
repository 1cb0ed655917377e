// The databases of a server, by name.
import { existsSync } from "node:fs";
import { clip, nearestNames } from "@oarlock/domain-kit";
import { Database, type DatabaseLimits, type DatabaseSpec } from "./database.ts";
import { DbError, refusal } from "./errors.ts";
import type { MemoryWatch } from "./process/memory-watch.ts";

const EARLY_START_MS = 100;

export class Databases {
  readonly all: readonly Database[];
  #earlyStart: NodeJS.Timeout | undefined;

  constructor(specs: readonly DatabaseSpec[], limits: DatabaseLimits) {
    let watch: Promise<MemoryWatch> | undefined;
    const memory = (): Promise<MemoryWatch> =>
      (watch ??= import("./process/memory-watch.ts").then(({ MemoryWatch: Watch }) => new Watch()));
    this.all = specs.map((spec) => new Database(spec, { ...limits, memory }));
  }

  /** Starts a reader of the first database whose file exists, so that the first call need not wait for it. */
  startEarly(): void {
    clearTimeout(this.#earlyStart);
    const first = this.all.find(({ file }) => existsSync(file));
    // Later, so that the replies to the first messages do not wait.
    this.#earlyStart = setTimeout(() => void first?.startEarly(), EARLY_START_MS).unref();
  }

  /** The database with this name; without a name, the only one. */
  get(name: string | undefined): Database {
    const names = this.all.map((database) => clip(database.name, 80)).join(", ");
    if (name === undefined) {
      const [only, other] = this.all;
      if (only !== undefined && other === undefined) return only;
      throw refusal(`Several databases are served: pass one of ${names} as database.`);
    }
    const found = this.all.find((database) => database.name === name);
    if (found !== undefined) return found;
    const [near] = nearestNames(
      name,
      this.all.map((database) => database.name),
    );
    const next = near === undefined ? `the databases are ${names}.` : `did you mean ${clip(near, 80)}?`;
    throw new DbError("not-found", `No such database: ${clip(name, 80)}; ${next}`);
  }

  /** The named database, or the first one. For prompts and completion, where a name is optional. */
  getOrFirst(name: string | undefined): Database {
    return this.get(name ?? this.all[0]?.name);
  }

  async close(): Promise<void> {
    clearTimeout(this.#earlyStart);
    await Promise.all(this.all.map((database) => database.close()));
  }
}
