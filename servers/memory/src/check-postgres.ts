// Checks at the start that a memory in Postgres can be used.
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Addons } from "./addon-ports.ts";
import { loadAddon } from "./addons.ts";
import { LocationError } from "./graph/location.ts";
import type { PostgresLocation } from "./postgres-location.ts";

/** The switch for a memory in Postgres. */
const POSTGRES_SWITCH = "--db postgres://…";

/** Throws a LocationError where the memory in Postgres cannot be used. */
export async function checkPostgres(location: PostgresLocation, readOnly: boolean): Promise<void> {
  await (await loadPostgres()).checkStart(location, readOnly);
}

/** Throws a LocationError where the driver, an optional package, is not installed. */
export async function loadPostgres(): Promise<Addons["postgres"]> {
  try {
    return await loadAddon("postgres", POSTGRES_SWITCH);
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new LocationError(
      "A memory in Postgres needs the package pg, which is not installed beside the server. Run: npm install pg",
      true,
    );
  }
}
