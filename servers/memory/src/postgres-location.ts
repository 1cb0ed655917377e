// Addresses of memories in Postgres: postgres://user:password@host:port/database?schema=NAME. Nothing here loads the driver.
import { LocationError, type Location } from "./graph/location.ts";

/** A memory in Postgres. */
export interface PostgresLocation {
  /** Without the parameter `schema`. Holds the password, so it must not be displayName. */
  readonly address: string;
  readonly schema: string;
  /** For messages: host, port and database. */
  readonly displayName: string;
}

/** Where a memory is, in a file or in Postgres. */
export type MemoryLocation = Location | PostgresLocation;

const DEFAULT_SCHEMA = "oarlock_memory";
/** Postgres cuts longer names, and the channel of notifications adds a prefix. */
export const MAX_SCHEMA_LENGTH = 40;

export const isPostgresAddress = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text.trim());

/** Throws a LocationError, whose message does not show the address: it may hold a password. */
export function postgresLocationOf(given: string): PostgresLocation {
  const url = URL.parse(given.trim());
  if (url === null)
    throw new LocationError(
      "Address of the memory not understood: postgres://user:password@host:port/database is expected. Percent-encode special characters of the password.",
    );
  const schema = url.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema) || schema.length > MAX_SCHEMA_LENGTH)
    throw new LocationError(
      `Invalid schema in the address of the memory: expected up to ${MAX_SCHEMA_LENGTH} of a-z, 0-9 and _, beginning with a letter. Correct it or leave it out.`,
    );
  url.searchParams.delete("schema");
  const host = url.hostname === "" ? (url.searchParams.get("host") ?? "localhost") : url.hostname;
  const displayName = `${host}${url.port === "" ? "" : `:${url.port}`}${url.pathname}`;
  return { address: url.href, schema, displayName };
}
