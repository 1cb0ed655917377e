// Sentences about what a change does besides the rows that the statement names.
import { clip, counted, escapeControls } from "@oarlock/domain-kit";
import type { SideEffects, WriteReply } from "../db/protocol/change-messages.ts";
import type { TableChanges } from "../db/protocol/table-changes.ts";

const MAX_NAMES = 10;

/** The end of a sentence about changes: those of triggers and foreign keys. */
export function alsoChangedText(count = 0, tables: readonly TableChanges[] = []): string {
  if (count === 0) return "";
  const rows = `, and triggers and foreign keys ${counted(count, "more row")}`;
  const [only, ...others] = tables;
  if (only === undefined) return rows;
  const hasCounts = others.length > 0 && tables.every(({ changes }) => changes !== undefined);
  return hasCounts ? `${rows} (${listOf(tables.map(countOf))})` : `${rows} of ${listOf(tables.map(({ table }) => clip(table, 80)))}`;
}

const countOf = ({ table, changes = 0 }: TableChanges): string => `${changes} of ${clip(table, 80)}`;

/** Sentences for the question to the user, each with a blank before it. */
export function sideEffectQuestion({ alsoChangedTables = [], broken }: SideEffects): string {
  const tables = alsoChangedTables.map(({ table, changes }) =>
    changes === undefined ? clip(table, 80) : `${clip(table, 80)} (${counted(changes, "row")})`,
  );
  const also = tables.length === 0 ? "" : ` Triggers and foreign keys would change ${listOf(tables)}.`;
  return `${also}${broken === undefined ? "" : ` What refers to it would no longer work: ${listOf(broken)}.`}`;
}

/** A note on what can no longer be used. */
export const brokenText = (broken: readonly string[], isDryRun: boolean): string =>
  isDryRun ? `What would not work: ${listOf(broken)}.` : `What does not work now: ${listOf(broken)}. Change, drop or create it again.`;

/** The end of a dry run's text where the change itself needs the user. */
export const confirmationText = ({ needsConfirmation }: Pick<WriteReply, "needsConfirmation">): string[] =>
  needsConfirmation === true ? ["Without dry_run the user is asked first; where the client cannot ask, the call is refused."] : [];

/** A sentence about what a virtual table took with it. */
export const alsoRemovedText = (removed: readonly string[], isDryRun: boolean): string =>
  `With the virtual table ${isDryRun ? "would be removed" : "was removed"}: ${listOf(removed)}.`;

/** A sentence about a change of a whole table. */
export function wholeTableText(
  { verb, changes, wholeTable }: Pick<WriteReply, "verb" | "changes" | "wholeTable">,
  isDryRun: boolean,
): string[] {
  if (wholeTable === undefined) return [];
  const act = verb === "DELETE" ? "deleted" : "changed";
  return [`All ${changes} rows of ${clip(wholeTable, 80)} ${isDryRun ? "would be" : "were"} ${act}: the ${verb} has no WHERE.`];
}

type SchemaChangeReply = NonNullable<WriteReply["schemaChange"]>;

/** A sentence about a CREATE, ALTER or DROP. */
export function schemaText({ object, act, isDone, rows, advice, recreating }: SchemaChangeReply, isDryRun: boolean): string {
  if (!isDone)
    return `The schema ${isDryRun ? "would not change" : "has not changed"}: ${object} ${act === "created" ? "exists already" : "does not exist"}.`;
  const filled = rows === undefined ? "" : ` with ${counted(rows, "row")}`;
  const done = `${object.replace(/^t/, "T")} ${isDryRun ? "would be" : "was"} ${act}${filled}.`;
  const again =
    recreating === undefined
      ? []
      : [`To create it again: ${recreating.map((sql) => sql.replaceAll(/[^\t\n\r]+/g, escapeControls)).join("; ")};`];
  return [done, ...(advice === undefined ? [] : [advice]), ...again].join(" ");
}

function listOf(items: readonly string[]): string {
  const visible = items.slice(0, MAX_NAMES);
  return items.length > MAX_NAMES ? `${visible.join(", ")} and ${items.length - MAX_NAMES} more` : visible.join(", ");
}
