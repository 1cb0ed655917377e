// The databases of a server, by name.
import { clip, nearestNames } from "@oarlock/domain-kit";
import { Database, type DatabaseLimits, type DatabaseSpec } from "./database.ts";
import { DbError, refusal } from "./errors.ts";

export class Databases {
  readonly all: readonly Database[];

  constructor(specs: readonly DatabaseSpec[], limits: DatabaseLimits) {
    this.all = specs.map((spec) => new Database(spec, limits));
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
    await Promise.all(this.all.map((database) => database.close()));
  }
}
