// The commands on a memory in Postgres.
import type { CommandArguments } from "../arguments.ts";
import { UsageError } from "../context.ts";
import type { PostgresLocation } from "../../graph/postgres/engine/address.ts";
import { PostgresGraph } from "../../graph/postgres/postgres-graph.ts";
import { exportFromPostgres } from "./export.ts";
import { importToPostgres } from "./import.ts";
import { verifyPostgres } from "./verify.ts";

export type Command = "import" | "export" | "verify" | "compact";

export interface PostgresCommand extends Omit<CommandArguments, "db" | "scope"> {
  readonly location: PostgresLocation;
  /** Writes a line to stderr. */
  say(line: string): void;
}

/** Returns the exit code. */
export async function runOnPostgres(command: Command, options: PostgresCommand): Promise<number> {
  const { location, say } = options;
  if (command === "compact")
    throw new UsageError(
      "Command compact is for files: Postgres compacts its tables itself. To return space to the disk, run VACUUM FULL there",
    );
  const graph = new PostgresGraph({ location, readOnly: command !== "import", warn: say });
  try {
    if (command === "import") return await importToPostgres(graph, options);
    if (command === "export") return await exportFromPostgres(graph, options);
    return await verifyPostgres(graph, say);
  } finally {
    await graph.close();
  }
}
