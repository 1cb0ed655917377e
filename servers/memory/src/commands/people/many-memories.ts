// The commands that concern the memories of all users: users, backup, restore, move, and verify of the memories that requests choose.
import { counted, type ProgressOutput } from "@oarlock/domain-kit";
import { loadPostgres } from "../../check-postgres.ts";
import { configuredLocation, isInPostgres } from "../../configured-location.ts";
import { reasonForMessage, toGraphError } from "../../graph/errors.ts";
import type { Location } from "../../graph/location.ts";
import type { MemoryLocation } from "../../postgres-location.ts";
import { PRINCIPAL_SCOPE } from "../../scopes/scope-name.ts";
import { scopedLocation } from "../../scopes/scoped-location.ts";
import type { CommandArguments } from "../arguments.ts";
import { UsageError } from "../context.ts";
import type { StoreCommands } from "../store-commands.ts";
import type { FoundMemory } from "../../scopes/found-memory.ts";
import { memoriesAt, memoryExists } from "./memories.ts";

interface ManyContext {
  /** Where the default memory is. */
  readonly base: MemoryLocation;
  readonly output: ProgressOutput;
  commandsOn(location: MemoryLocation, creates?: boolean): Promise<StoreCommands>;
}

type ManyCommand = "users" | "backup" | "restore" | "move" | "verify" | "compact";

/** Returns the exit code. */
export async function runOnMany(command: ManyCommand, args: CommandArguments, { base, output, commandsOn }: ManyContext): Promise<number> {
  const { file = "", scope, isConfirmed } = args;
  const { writeLine } = output;
  switch (command) {
    case "users":
      return await (await import("./users.ts")).users({ location: base, commandsOn, writeLine }, args);
    case "verify":
    case "compact":
      return await runOnEach(scope === PRINCIPAL_SCOPE ? "user-" : "project-", { base, output, commandsOn }, (commands) =>
        command === "verify" ? commands.verify() : commands.compact(args.keepHistoryMs),
      );
    case "move": {
      const [from, to] = [placeOf("--from", args.from), placeOf("--to", args.to)];
      return await (await import("../copies/move.ts")).move({ from, to, scope, commandsOn, writeLine });
    }
    case "backup": {
      const { backup } = await import("../copies/backup.ts");
      const location = await fileOf(command, base);
      const own = scopedLocation(location, scope);
      // As the default one: who names a memory knows whose the file is.
      const one = { location: own, name: own.database, isDefault: true, scope, person: undefined };
      const all = scope === undefined ? ((await memoriesAt(location)) as FoundMemory<Location>[]) : memoryExists(own) ? [one] : []; // in files
      return await backup(all, file, writeLine);
    }
    case "restore": {
      const location = scopedLocation(await fileOf(command, base), scope);
      return await (await import("../copies/restore.ts")).restore({ location, output }, file, isConfirmed);
    }
  }
}

function placeOf(name: string, given: string | undefined): MemoryLocation {
  if (given === undefined) throw new UsageError(`Command move needs ${name} FILE or ${name} postgres://…`);
  return configuredLocation(given, {});
}

/** Throws a UsageError with the program of Postgres for a memory there. */
async function fileOf(command: "backup" | "restore", base: MemoryLocation): Promise<Location> {
  if (!isInPostgres(base)) return base;
  const version = await (await loadPostgres()).versionOf(base);
  throw (await import("../copies/backup.ts")).postgresHint(command, base, version);
}

/** Exit code 1 where one has problems, or there is none. */
async function runOnEach(
  prefix: string,
  { base, output, commandsOn }: ManyContext,
  action: (commands: StoreCommands) => Promise<number>,
): Promise<number> {
  const memories = (await memoriesAt(base)).filter(({ isDefault, scope }) => !isDefault && (scope?.startsWith(prefix) ?? true));
  let bad = 0;
  for (const { name, location } of memories) {
    output.writeLine(`${name}:`);
    try {
      if ((await action(await commandsOn(location))) !== 0) bad++;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      bad++;
      output.writeLine(`Error: ${reasonForMessage(toGraphError(error))}`);
    }
  }
  const what = `${counted(memories.length, "memory", "memories")} named ${prefix}…`;
  output.writeLine(`Looked at ${what}, ${bad === 0 ? "all without problems" : `${bad} of them with problems`}.`);
  return bad > 0 || memories.length === 0 ? 1 : 0;
}
