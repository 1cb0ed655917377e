// The memories of an installation: the default one and those of its scopes, each with the person whose it is.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { loadPostgres } from "../../check-postgres.ts";
import { isInPostgres } from "../../configured-location.ts";
import type { Location } from "../../graph/location.ts";
import { isOwnFile } from "../../graph/own-files.ts";
import { openDatabase } from "../../graph/sqlite/driver.ts";
import { readOwner } from "../../graph/owner.ts";
import { Store } from "../../graph/store/store.ts";
import type { MemoryLocation } from "../../postgres-location.ts";
import type { FoundMemory } from "../../scopes/found-memory.ts";
import { isScopeName } from "../../scopes/scope-name.ts";
import { scopedLocation } from "../../scopes/scoped-location.ts";

const LOCK_TIMEOUT_MS = 2000;

/** The default memory first, where it exists. */
export async function memoriesAt(location: MemoryLocation): Promise<FoundMemory[]> {
  if (isInPostgres(location)) return await (await loadPostgres()).memoriesIn(location);
  const found = (own: Location, scope: string | undefined): FoundMemory => {
    const person = scope === undefined ? undefined : personOf(own.database);
    return { location: own, name: basename(own.mirror ?? own.database), isDefault: scope === undefined, scope, person };
  };
  const scopes = scopesBeside(location).map((scope) => found(scopedLocation(location, scope), scope));
  return memoryExists(location) ? [found(location, undefined), ...scopes] : scopes;
}

export const memoryExists = ({ database, mirror }: Location): boolean =>
  existsSync(database) || (mirror !== undefined && existsSync(mirror));

/** The scopes that have files beside those of the default memory: `work` of `memory.work.db`. */
export function scopesBeside(location: Location): string[] {
  const { database, mirror } = location;
  const folder = dirname(database);
  if (!existsSync(folder)) return [];
  const [, start = "", ending = ""] = /^(.*?)((?:\.[^.]+)?)$/s.exec(basename(mirror ?? database)) ?? [];
  const scopes = readdirSync(folder, { withFileTypes: true }).flatMap((entry): string[] => {
    const name = mirror === undefined ? entry.name : entry.name.replace(/\.db$/, "");
    if (!entry.isFile() || !name.startsWith(`${start}.`) || !name.endsWith(ending)) return [];
    const scope = name.slice(start.length + 1, name.length - ending.length);
    const isMirror = existsSync(`${folder}/${start}.${scope}`); // memory.jsonl.db is the database of memory.jsonl
    return isScopeName(scope) && !isMirror && !isOwnFile(`${folder}/${name}`, location) ? [scope] : [];
  });
  return [...new Set(scopes)].sort();
}

/** Undefined also for a file that cannot be read, which `verify` reports. */
function personOf(database: string): string | undefined {
  if (!existsSync(database)) return undefined;
  try {
    using store = new Store(openDatabase(database, { readonly: true, timeout: LOCK_TIMEOUT_MS }));
    return readOwner(store)?.person;
  } catch {
    return undefined;
  }
}
