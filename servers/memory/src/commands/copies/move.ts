// move: copies memories from one store to another with their history, and compares both afterwards. The old ones stay.
import { counted } from "@oarlock/domain-kit";
import { isInPostgres } from "../../configured-location.ts";
import { GraphError } from "../../graph/errors.ts";
import type { MemoryLocation } from "../../postgres-location.ts";
import { scopedLocation } from "../../scopes/scoped-location.ts";
import type { FoundMemory } from "../../scopes/found-memory.ts";
import { memoriesAt } from "../people/memories.ts";
import type { StoreCommands } from "../store-commands.ts";
import { copyRows } from "./row-copy.ts";

export interface MoveOptions {
  readonly from: MemoryLocation;
  readonly to: MemoryLocation;
  /** The memory to move. Default: all of them. */
  readonly scope: string | undefined;
  commandsOn(location: MemoryLocation, creates: boolean): Promise<StoreCommands>;
  writeLine(line: string): void;
}

/** Returns the exit code. */
export async function move({ from, to, scope, commandsOn, writeLine }: MoveOptions): Promise<number> {
  const all = await memoriesAt(from);
  const memories = scope === undefined ? all : all.filter((memory) => nameOf(memory.location) === nameOf(scopedLocation(from, scope)));
  if (memories.length === 0) throw new GraphError("not-found", `No memory exists at ${nameOf(from)}. Check --from and --scope.`);
  const taken = new Set((await memoriesAt(to)).map(({ location }) => nameOf(location)));
  const moves = memories.map((memory) => ({ memory, target: targetOf(memory, to, scope) }));
  // Before anything is written.
  for (const { target } of moves)
    if (taken.has(nameOf(target)))
      throw new GraphError("invalid", `${nameOf(target)} has a memory: a move replaces nothing. Name another place.`);
  for (const { memory, target } of moves) {
    const written = await commandsOn(target, true);
    const copied = await (await commandsOn(memory.location, false)).readRows((source) => written.fill(source));
    const found = await written.readRows((source) => copyRows(source));
    if (found.digest !== copied.digest)
      throw new GraphError(
        "io",
        `${nameOf(target)} differs from ${nameOf(memory.location)} after the copy: do not use it. Remove it, and report this.`,
      );
    const { entity, observation, relation, call } = copied.counts;
    const rows = [
      counted(entity, "entity", "entities"),
      counted(observation, "observation"),
      counted(relation, "relation"),
      counted(call, "call"),
    ];
    writeLine(`${nameOf(memory.location)} is now at ${nameOf(target)}: ${rows.join(", ")}, past ones included, and both are equal.`);
  }
  writeLine("The old place is as it was. Start the servers with the new one, and remove the old one when they serve.");
  return 0;
}

function targetOf({ isDefault, scope, name }: FoundMemory, to: MemoryLocation, wanted: string | undefined): MemoryLocation {
  const known = isDefault ? undefined : (scope ?? wanted);
  if (!isDefault && known === undefined)
    throw new GraphError("invalid", `Memory ${name} does not say its name. Start the server once for its user, or name it with --scope.`);
  return scopedLocation(to, known);
}

const nameOf = (place: MemoryLocation): string =>
  isInPostgres(place) ? `schema ${place.schema} of Postgres at ${place.displayName}` : (place.mirror ?? place.database);
