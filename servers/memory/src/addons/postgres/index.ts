// A memory in Postgres, loaded with --db postgres://….
import type { ProgressOutput } from "@oarlock/domain-kit";
import type { PostgresOptions } from "../../addon-ports.ts";
import type { FoundMemory } from "../../scopes/found-memory.ts";
import type { StoreCommands } from "../../commands/store-commands.ts";
import type { Graph } from "../../graph/graph.ts";
import type { PostgresLocation } from "../../postgres-location.ts";
import { PostgresGraph } from "./postgres-graph.ts";

export { checkStart } from "./check-start.ts";

export const openGraph = (options: PostgresOptions): Graph => new PostgresGraph(options);

/** Loaded only by a command. */
export async function commandsOn(location: PostgresLocation, output: ProgressOutput): Promise<StoreCommands> {
  return (await import("./commands/commands.ts")).postgresCommands(location, output);
}

/** The same. */
export async function memoriesIn(location: PostgresLocation): Promise<FoundMemory[]> {
  return await (await import("./commands/memories.ts")).memoriesInPostgres(location);
}

export async function versionOf(location: PostgresLocation): Promise<number> {
  return await (await import("./commands/memories.ts")).majorVersion(location);
}
