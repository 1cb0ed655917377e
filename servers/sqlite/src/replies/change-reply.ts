// The reply to one changing statement: its counts, and the rows of RETURNING.
import { counted } from "@oarlock/domain-kit";
import { EncodedJson, text, type Block, type ContentAndStructured } from "@oarlock/server-kit";
import type { WriteRequest } from "../db/protocol/change-messages.ts";
import type { Answer } from "../db/process/running-request.ts";
import { alsoChangedText } from "./confirmed-change.ts";
import { previewLines, previewMembers } from "./change-previews.ts";
import { rowsBlock, rowsJson, valueNotes } from "./row-blocks.ts";

export function changeReply({ reply, rows }: Answer<WriteRequest>): ContentAndStructured<{ changes: number; rolledBack: boolean }> {
  const { verb, changes, alsoChanged, lastInsertRowid, rolledBack, returning } = reply;
  const members = {
    changes,
    ...(alsoChanged !== undefined && { alsoChanged }),
    lastInsertRowid,
    rolledBack,
    ...previewMembers(reply.previews),
  };
  const also = alsoChangedText(alsoChanged);
  const notes: Block[] = [];
  if (rolledBack) notes.push(text(`Dry run: ${verb} would change ${counted(changes, "row")}${also}. Nothing was changed.`));
  else if (also !== "") notes.push(text(`${verb} changed ${counted(changes, "row")}${also}.`));
  notes.push(...previewLines(reply.previews).map((line) => text(line)));
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
