// users: whose memories there are, what they hold, and removing a person from all of them.
import { audited } from "@oarlock/cli/audit";
import { counted } from "@oarlock/domain-kit";
import { isInPostgres } from "../../configured-location.ts";
import { reasonForMessage, toGraphError } from "../../graph/errors.ts";
import type { Totals } from "../../graph/rows/rows.ts";
import type { MemoryLocation } from "../../postgres-location.ts";
import { scopeOfPrincipal } from "../../scopes/derived-scope.ts";
import { scopedLocation } from "../../scopes/scoped-location.ts";
import type { CommandArguments } from "../arguments.ts";
import { UsageError } from "../context.ts";
import { print, writeFile } from "../export.ts";
import type { StoreCommands } from "../store-commands.ts";
import type { FoundMemory } from "../../scopes/found-memory.ts";
import { memoriesAt } from "./memories.ts";
import { personLines } from "./person-export.ts";

export interface UsersContext {
  readonly location: MemoryLocation;
  commandsOn(location: MemoryLocation): Promise<StoreCommands>;
  writeLine(line: string): void;
}

const ACTIONS = ["list", "export", "forget"] as const;

const UNREACHED_FILES =
  "Not reached: audit files and logs, which name the person; copies and dumps by others, snapshots of the disk, folders of notes, and events in the engine of --backplane.";
const UNREACHED_POSTGRES =
  "Not reached: audit files and logs, which name the person; dumps, the write-ahead log, archives and replicas of Postgres, and events in the engine of --backplane.";
const RESTART = "Restart the servers that run: one that has this memory open refuses calls of the person until then.";

/** Returns the exit code. */
export async function users(context: UsersContext, { words, output, audit, isConfirmed }: CommandArguments): Promise<number> {
  const [action, person, surplus] = words;
  if (!ACTIONS.some((one) => one === action)) throw new UsageError(`users needs one of ${ACTIONS.join(", ")}`);
  if (surplus !== undefined || (action === "list" && person !== undefined))
    throw new UsageError(`Unexpected argument ${JSON.stringify(surplus ?? person)} of command users ${action}. Quote a name with blanks`);
  const memories = await memoriesAt(context.location);
  if (action === "list") return await list(context, memories);
  if (person === undefined || person.trim() === "") throw new UsageError(`users ${action} needs a person, as users list names one`);
  const found = findPerson(context.location, memories, person);
  if (action === "forget" && !isConfirmed) return await preview(context, found);
  const touched = [found.person, ...found.own.map(({ name }) => name)];
  const run = action === "export" ? () => exportPerson(context, found, output) : () => forget(context, found);
  return await audited({ path: audit ?? process.env["OARLOCK_AUDIT"], command: `users ${action}`, touched, warn: context.writeLine }, run);
}

const nothingKnown = ({ person }: FoundPerson): string => `Nothing is known of ${person}.`;

interface FoundPerson {
  readonly person: string;
  /** The memories that are the person's. */
  readonly own: readonly FoundMemory[];
  /** Those that others use too. */
  readonly shared: readonly FoundMemory[];
}

/** A person as an authorization server names one, or the name of the person's memory. A memory without a record is found by its name. */
function findPerson(location: MemoryLocation, memories: readonly FoundMemory[], word: string): FoundPerson {
  const person = memories.find(({ scope, person }) => scope === word && person !== undefined)?.person ?? word;
  const named = scopedLocation(location, scopeOfPrincipal(person));
  const keyOf = (place: MemoryLocation): string => (isInPostgres(place) ? place.schema : place.database);
  const isOwn = (memory: FoundMemory): boolean => memory.person === person || keyOf(memory.location) === keyOf(named);
  return {
    person,
    own: memories.filter(isOwn),
    shared: memories.filter((memory) => !isOwn(memory) && memory.person === undefined),
  };
}

async function list({ commandsOn, writeLine }: UsersContext, memories: readonly FoundMemory[]): Promise<number> {
  let failed = 0;
  for (const { name, person, scope, location } of memories) {
    const whose = person ?? (scope?.startsWith("user-") === true ? "unknown person" : "shared");
    try {
      const totals = await totalsOf(await commandsOn(location));
      await print([`${[whose, name, counted(totals.entities, "entity", "entities"), counted(totals.relations, "relation")].join("\t")}\n`]);
    } catch (error) {
      if (memories.length === 1) throw error;
      failed++;
      writeLine(`Error: ${name} cannot be read: ${reasonForMessage(toGraphError(error))}`);
    }
  }
  if (memories.length === 0) writeLine("No memory exists there yet.");
  return failed === 0 ? 0 : 1;
}

const totalsOf = (commands: StoreCommands): Promise<Totals> => commands.onGraph("read", (graph) => graph.read((rows) => rows.totals()));

async function exportPerson({ commandsOn, writeLine }: UsersContext, found: FoundPerson, output: string | undefined): Promise<number> {
  let count = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for (const memory of [...found.own, ...found.shared]) {
      const isOwn = found.own.includes(memory);
      const own = await linesFrom(await commandsOn(memory.location), isOwn ? undefined : found.person);
      if (!isOwn && own.length === 0) continue;
      count += own.length;
      yield `${JSON.stringify({ memory: memory.name, person: isOwn ? found.person : undefined, shared: isOwn ? undefined : true })}\n`;
      yield* own;
    }
  };
  await (output === undefined ? print(lines()) : writeFile(output, lines()));
  writeLine(count === 0 ? nothingKnown(found) : `Exported ${counted(count, "line")} from ${memoriesOf(found)}.`);
  return count === 0 ? 1 : 0;
}

/** `person`: only what this one has stored. */
const linesFrom = (commands: StoreCommands, person: string | undefined): Promise<string[]> =>
  commands.readRows((source) => Array.fromAsync(personLines(source, person)));

const memoriesOf = ({ own, shared }: FoundPerson): string =>
  `${counted(own.length, "own memory", "own memories")}, having looked at ${counted(shared.length, "shared one")}`;

/** Names the memories that would be removed. */
async function preview({ commandsOn, writeLine }: UsersContext, found: FoundPerson): Promise<number> {
  const stored = async ({ location }: FoundMemory): Promise<number> => (await linesFrom(await commandsOn(location), found.person)).length;
  if (found.own.length === 0 && (await Promise.all(found.shared.map(stored))).every((count) => count === 0)) {
    writeLine(`${nothingKnown(found)} users list names the persons.`);
    return 1;
  }
  for (const { name, location } of found.own) {
    const { entities, relations } = await totalsOf(await commandsOn(location));
    writeLine(`${name}: ${counted(entities, "entity", "entities")} and ${counted(relations, "relation")}, with history, would be removed.`);
  }
  writeLine(`History of ${counted(found.shared.length, "shared memory", "shared memories")} would no longer name ${found.person}.`);
  throw new UsageError("Nothing was changed. To forget the person for good, add --yes");
}

async function forget({ location, commandsOn, writeLine }: UsersContext, found: FoundPerson): Promise<number> {
  for (const { name, location } of found.own) {
    const removed = await (await commandsOn(location)).remove();
    writeLine(`${name} removed for good: ${removed.join(", ")}.`);
  }
  let calls = 0;
  for (const { name, location } of found.shared) {
    const renamed = await (await commandsOn(location)).forgetAuthor(found.person);
    if (renamed > 0) writeLine(`${name}: history of ${counted(renamed, "call")} no longer names the person. What they stored stays.`);
    calls += renamed;
  }
  if (found.own.length + calls === 0) writeLine(nothingKnown(found));
  else writeLine(isInPostgres(location) ? UNREACHED_POSTGRES : UNREACHED_FILES);
  if (found.own.length > 0 && !isInPostgres(location)) writeLine(RESTART);
  return found.own.length + calls === 0 ? 1 : 0;
}
