// The reply to one changing statement: its counts, and the rows of RETURNING.
import { counted, escapeControlsInJson } from "@oarlock/domain-kit";
import { EncodedJson, text, type Block, type ContentAndStructured } from "@oarlock/server-kit";
import type { ChangePreview, WriteRequest } from "../db/protocol/change-messages.ts";
import type { Answer } from "../db/process/running-request.ts";
import { alsoChangedText } from "./confirmed-change.ts";
import { rowsBlock, rowsJson, valueNotes } from "./row-blocks.ts";

export function changeReply({ reply, rows }: Answer<WriteRequest>): ContentAndStructured<{ changes: number; rolledBack: boolean }> {
  const { verb, changes, alsoChanged, lastInsertRowid, rolledBack, returning, preview } = reply;
  const members = {
    changes,
    ...(alsoChanged !== undefined && { alsoChanged }),
    lastInsertRowid,
    rolledBack,
    ...(preview !== undefined && { preview }),
  };
  const also = alsoChangedText(alsoChanged);
  const notes: Block[] = [];
  if (rolledBack) notes.push(text(`Dry run: ${verb} would change ${counted(changes, "row")}${also}. Nothing was changed.`));
  else if (also !== "") notes.push(text(`${verb} changed ${counted(changes, "row")}${also}.`));
  if (preview !== undefined) notes.push(...previewNotes(preview));
  if (returning === undefined) return { content: [text(JSON.stringify([{ affected_rows: changes }])), ...notes], structured: members };
  const { columns, rowCount, hasMore, clipped } = returning;
  notes.push(...valueNotes(rows, clipped));
  if (hasMore) notes.push(text(`[truncated: ${rowCount} of ${changes} returned rows; the statement changed all of them]`));
  const ofRows = { rowCount, truncated: hasMore, ...(clipped.length > 0 && { clipped }) };
  const head = JSON.stringify({ ...members, truncated: hasMore }).slice(0, -1);
  return {
    content: [rowsBlock(rows, columns), ...notes],
    structured: new EncodedJson(`${head},"returning":${rowsJson(rows, columns, ofRows)}}`),
  };
}

/** Rows as objects, one line each, which are easier to compare. */
function previewNotes({ columns, before, after, truncated }: ChangePreview): Block[] {
  const lines = (title: string, rows: readonly unknown[][]): string[] =>
    rows.map(
      (row) =>
        `${title}: ${escapeControlsInJson(JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]))))}`,
    );
  const all = [...lines("Before", before), ...lines("After", after), ...(truncated ? ["[truncated: only the first rows are shown]"] : [])];
  return all.length === 0 ? [] : [text(all.join("\n"))];
}
