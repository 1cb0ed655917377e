// postgresBackplane: opens a backplane in PostgreSQL.
import type { Backplane } from "@oarlock/cluster/backplane";
import { parseAddress } from "./address.ts";
import { PostgresBackplane } from "./postgres-backplane.ts";

export interface PostgresBackplaneOptions {
  /** Begins all keys, so that several deployments can share a database. Default `oarlock`. */
  readonly prefix?: string;
  /**
   * Another address of the same database, for the one connection that receives notices. Needed where the first leads to a pooler in
   * transaction mode, which does not deliver notices.
   */
  readonly listenUrl?: string;
  /** Whether missing tables are made. Default true. */
  readonly migrate?: boolean;
}

/**
 * Opens a backplane in PostgreSQL 15 or later. Its tables are in the schema `oarlock_backplane`. A database that does not answer yet is not
 * an error: the backplane works once it answers.
 * @param url Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. `answer_ms` in it: how long a call may take; default 1000.
 * @throws Error with one sentence if waiting does not help: a wrong address, user or password, a version that is too old, missing rights.
 */
export async function postgresBackplane(
  url: string,
  { prefix = "oarlock", listenUrl = url, migrate = true }: PostgresBackplaneOptions = {},
): Promise<Backplane> {
  const backplane = new PostgresBackplane({
    address: parseAddress(url),
    listenAddress: parseAddress(listenUrl),
    prefix,
    mayMigrate: migrate,
  });
  try {
    await backplane.connect();
    return backplane;
  } catch (error) {
    await backplane.close();
    throw error;
  }
}
