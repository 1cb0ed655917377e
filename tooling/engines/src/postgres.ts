// startPostgres: a PostgreSQL server with an empty database, for one test file.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { namedEngine, type Engine, type EngineOptions } from "./engine.ts";
import { engineFolder } from "./engine-folder.ts";
import { EngineProcess } from "./engine-process.ts";
import { freePort } from "./free-port.ts";
import { machineName } from "./platform.ts";
import { postgresPackage, postgresPrograms } from "./postgres-programs.ts";

const VARIABLE = "OARLOCK_TEST_POSTGRES";

/** PostgreSQL refuses to run as root. This is the unprivileged user and group of most systems. */
const NOBODY = 65_534;

// Written data survives a killed process without fsync and whole pages; only a crash of the machine loses it.
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "shared_buffers=32MB",
  "max_connections=200",
  "fsync=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_wal_size=256MB",
  "io_method=sync",
  // Tests make thousands of small tables, and are over before it helps.
  "autovacuum=off",
];

/** Why no PostgreSQL can be started here; undefined if it can. */
export async function missingPostgres({ own = false }: EngineOptions = {}): Promise<string | undefined> {
  if ((!own && process.env[VARIABLE] !== undefined) || postgresPackage() !== undefined) return undefined;
  return `no PostgreSQL: ${VARIABLE} is not set, and there is no package with its programs for ${machineName}`;
}

/** Starts PostgreSQL, or returns the one that `OARLOCK_TEST_POSTGRES` names. */
export async function startPostgres({ own = false }: EngineOptions = {}): Promise<Engine> {
  const named = process.env[VARIABLE];
  if (!own && named !== undefined) return namedEngine(named, VARIABLE);
  const source = postgresPackage();
  if (source === undefined) throw new Error(`There is ${(await missingPostgres({ own })) ?? "no PostgreSQL"}.`);
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const folder = engineFolder(user);
  try {
    const { initdb, postgres } = postgresPrograms(source, folder, user);
    const data = join(folder, "data");
    initialize(initdb, data, user);
    const port = await freePort();
    const url = `postgres://oarlock@127.0.0.1:${port}/postgres`;
    const args = ["-D", data, ...[...SETTINGS, `port=${port}`].flatMap((setting) => ["-c", setting])];
    return await EngineProcess.start(url, folder, {
      command: postgres,
      args,
      user,
      stopSignal: "SIGINT", // a fast shutdown: it ends the connections
      probe: () => probePostgres(url),
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function initialize(initdb: string, data: string, user: number | undefined): void {
  const args = ["-D", data, "-U", "oarlock", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-data-checksums"];
  const identity = user === undefined ? {} : { uid: user, gid: user };
  const { status, stderr, error } = spawnSync(initdb, args, { ...identity, cwd: "/", encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`initdb failed: ${stderr}`);
}

/** The port opens a moment before queries are answered. */
async function probePostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 1000 });
  client.on("error", () => {}); // the rejection below reports it
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end();
  }
}
