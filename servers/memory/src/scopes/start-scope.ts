// Checks at the start what --scope and --read-scope name.
import { existsSync } from "node:fs";
import { checkPostgres } from "../check-postgres.ts";
import { isInPostgres } from "../configured-location.ts";
import { checkWritable, LocationError } from "../graph/location.ts";
import type { MemoryLocation } from "../postgres-location.ts";
import { DEFAULT_SCOPE, isDynamic, PRINCIPAL_SCOPE } from "./scope-name.ts";

interface GivenScope {
  /** The value of --scope. */
  readonly given: string | undefined;
  readonly location: MemoryLocation;
  /** Whether an authorization server names the users. */
  readonly hasUsers: boolean;
  warn(message: string): void;
}

/** The scope of a server. Throws a LocationError for one that cannot be. */
export function startScope({ given, location, hasUsers, warn }: GivenScope): string | undefined {
  if (given === PRINCIPAL_SCOPE && !hasUsers)
    throw new LocationError("--scope principal needs --http and --oauth-issuer, which name the users. Add them, or name a scope.");
  if (given !== undefined || !hasUsers) return given;
  const isThere = !isInPostgres(location) && existsSync(location.database);
  if (isThere)
    warn(
      `Each user has a memory of their own, and does not see the one at ${location.database}. Use --scope ${DEFAULT_SCOPE} to share that one.`,
    );
  return PRINCIPAL_SCOPE;
}

/** Throws a LocationError where the memory of a scope cannot be used. */
export async function checkScope(location: MemoryLocation, scope: string | undefined, readOnly: boolean): Promise<void> {
  if (readOnly && scope !== undefined && isDynamic(scope))
    throw new LocationError(`--read-scope ${scope} is not the name of one memory. Name one.`);
  const place = scope === undefined ? location : (await import("./scoped-location.ts")).scopedLocation(location, scope);
  if (isInPostgres(place)) await checkPostgres(place, readOnly);
  else if (!readOnly) checkWritable(place);
}
