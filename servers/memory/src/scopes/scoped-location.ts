// Where the memory of a scope is stored: in a file, or a schema of Postgres, beside those of the default memory.
import { createHash } from "node:crypto";
import { isInPostgres } from "../configured-location.ts";
import { LocationError } from "../graph/location.ts";
import { MAX_SCHEMA_LENGTH, type MemoryLocation } from "../postgres-location.ts";
import { DEFAULT_SCOPE, isScopeName, NAME_RULE } from "./scope-name.ts";

/** The location of a scope whose default memory is at `location`. Throws a LocationError for a name that is not one. */
export function scopedLocation<L extends MemoryLocation>(location: L, scope: string | undefined): L;
export function scopedLocation(location: MemoryLocation, scope: string | undefined): MemoryLocation {
  if (scope === undefined || scope === DEFAULT_SCOPE) return location;
  if (!isScopeName(scope))
    throw new LocationError(
      `Invalid scope ${JSON.stringify(scope)}: expected ${NAME_RULE}. Choose another name for --scope or --read-scope.`,
    );
  if (isInPostgres(location)) return { ...location, schema: scopedSchema(location.schema, scope) };
  const { database, mirror } = location;
  // The database of a mirrored file is named after the file.
  if (mirror !== undefined) {
    const path = withScope(mirror, scope);
    return { mirror: path, database: `${path}.db` };
  }
  return { database: database === ":memory:" ? database : withScope(database, scope) };
}

/** `memory.db` and scope `work`: `memory.work.db`. */
function withScope(path: string, scope: string): string {
  const [, start = path, ending = ""] = /^(.*[^/\\])(\.[^./\\]+)$/s.exec(path) ?? [];
  return `${start}.${scope}${ending}`;
}

/** Postgres cuts long names, so these end in a digest. */
function scopedSchema(schema: string, scope: string): string {
  const name = `${schema}__${scope.replaceAll("-", "_")}`;
  if (name.length <= MAX_SCHEMA_LENGTH) return name;
  const digest = createHash("sha256")
    .update(JSON.stringify([schema, scope]))
    .digest("hex")
    .slice(0, 16);
  return `${name.slice(0, MAX_SCHEMA_LENGTH - digest.length - 1)}_${digest}`;
}
