// @oarlock/backplane-postgres: what several nodes of a server share, in PostgreSQL.
export { postgresBackplane, type PostgresBackplaneOptions } from "./open.ts";
