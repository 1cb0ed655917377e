// Forgets a person in SQLite: the person's own memory is emptied and its files are removed; others no longer name the person.
import { readdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { GraphError } from "../../graph/errors.ts";
import { Memory } from "../../graph/memory.ts";
import { holdFolderOf, statMemoryFile } from "../../graph/memory-files.ts";
import { isOwnFile } from "../../graph/own-files.ts";
import { backupsOf } from "../../graph/store/backups.ts";
import { scrub } from "../../graph/write/scrub.ts";
import { semanticIndexOf } from "../../open-graph.ts";
import type { CommandContext } from "../context.ts";
import { FORGOTTEN } from "../store-commands.ts";

const CLIENT = "users forget";

const openMemory = ({ location, output }: CommandContext): Memory =>
  new Memory({ location, warn: output.writeLine, semanticIndex: semanticIndexOf(undefined) });

/** Empties the memory first: a server that has it open would otherwise keep serving it, or write its JSONL file again. */
export async function removeFiles(context: CommandContext): Promise<string[]> {
  const { location, output } = context;
  removeAll(backupsOf(location.database));
  try {
    await emptyMemory(context);
  } catch (error) {
    if (!(error instanceof GraphError) || !["damaged", "invalid"].includes(error.code)) throw error;
    output.writeLine(`${error.message} Its files are removed all the same.`);
  }
  const folder = dirname(location.database);
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && isOwnFile(join(folder, entry.name), location) ? [entry.name] : [],
  );
  removeAll(names.map((name) => join(folder, name)));
  return names;
}

async function emptyMemory(context: CommandContext): Promise<void> {
  await using memory = openMemory(context);
  const { store } = await memory.open();
  const names = store.tuples<[string]>("SELECT DISTINCT name FROM entity").map(([name]) => name);
  await memory.purge(CLIENT, { kind: "entities", names });
  // Those between names that no entity has.
  const relations = store.all<{ from: string; to: string; relationType: string }>(
    'SELECT DISTINCT source AS "from", target AS "to", type AS relationType FROM relation',
  );
  await memory.purge(CLIENT, { kind: "relations", relations });
  await memory.write(undefined, () => ["record", "call"].forEach((table) => store.run(`DELETE FROM ${table}`)));
  await memory.flush();
}

export async function forgetAuthor(context: CommandContext, person: string): Promise<number> {
  await using memory = openMemory(context);
  const { store } = await memory.open();
  if (store.get("SELECT 1 FROM call WHERE client = ? LIMIT 1", person) === undefined) return 0;
  const count = await memory.write(undefined, () => store.run("UPDATE call SET client = ? WHERE client = ?", FORGOTTEN, person));
  await scrub(store, context.location.database, [person]);
  return count;
}

/** Names that are links are left alone. */
function removeAll(paths: readonly string[]): void {
  for (const path of paths) {
    if (statMemoryFile(path) === undefined) continue;
    using folder = holdFolderOf(path);
    unlinkSync(folder.at(path.slice(dirname(path).length + 1)));
  }
}
