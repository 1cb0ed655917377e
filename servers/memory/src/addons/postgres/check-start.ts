// Checks at the start that a memory in Postgres can be used: better at the start than at the first call.
import { systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "../../graph/errors.ts";
import { LocationError } from "../../graph/location.ts";
import type { PostgresLocation } from "../../postgres-location.ts";
import { PostgresEngine } from "./engine/engine.ts";
import { isAway } from "./engine/errors.ts";
import { prepareTables } from "./prepare-tables.ts";

/** Throws a LocationError, whose message does not show the password. */
export async function checkStart(location: PostgresLocation, readOnly: boolean): Promise<void> {
  const engine = new PostgresEngine(location);
  try {
    await engine.connect();
    await prepareTables(engine, readOnly);
  } catch (error) {
    throw new LocationError(describe(error, location.displayName), true);
  } finally {
    await engine.close();
  }
}

function describe(error: unknown, displayName: string): string {
  if (error instanceof GraphError) return error.message;
  const code = systemErrorCode(error);
  if (code === "28P01" || code === "28000")
    return `Postgres at ${displayName} refused the user or password (${code}). Correct the address in --db or OARLOCK_DB.`;
  if (code === "3D000")
    return `Postgres at ${displayName} has no such database (${code}). Create it, or correct the address in --db or OARLOCK_DB.`;
  if (isAway(error))
    return `Cannot reach Postgres at ${displayName} (${code ?? "timeout"}). Check the address in --db or OARLOCK_DB, and that Postgres runs.`;
  return `Cannot use Postgres at ${displayName} (${code ?? "unknown error"}). Check the address in --db or OARLOCK_DB.`;
}
