// Checks at the start that a memory in Postgres can be used.
import { systemErrorCode } from "@oarlock/domain-kit";
import { loadAddon } from "./addons.ts";
import { LocationError } from "./graph/location.ts";
import type { PostgresLocation } from "./postgres-location.ts";

/** The switch for a memory in Postgres. */
export const POSTGRES_SWITCH = "--db postgres://…";

/** Throws a LocationError where the memory in Postgres cannot be used, or its driver, an optional package, is not installed. */
export async function checkPostgres(location: PostgresLocation, readOnly: boolean): Promise<void> {
  try {
    const { checkStart } = await loadAddon("postgres", POSTGRES_SWITCH);
    await checkStart(location, readOnly);
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new LocationError(
      "A memory in Postgres needs the package pg, which is not installed beside the server. Run: npm install pg",
      true,
    );
  }
}
