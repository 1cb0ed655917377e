// The reply to one changing statement: its counts, and the rows of RETURNING.
import { counted } from "@oarlock/domain-kit";
import { EncodedJson, text, type Block, type ContentAndStructured } from "@oarlock/server-kit";
import type { WriteReply, WriteRequest } from "../db/protocol/change-messages.ts";
import type { Answer } from "../db/process/running-request.ts";
import { previewLines, previewMembers } from "./change-previews.ts";
import { rowsBlock, rowsJson, valueNotes } from "./row-blocks.ts";
import { alsoChangedText, alsoRemovedText, brokenText, confirmationText, schemaText, wholeTableText } from "./side-effects.ts";

export function changeReply({ reply, rows }: Answer<WriteRequest>): ContentAndStructured<{ changes: number; rolledBack: boolean }> {
  const { changes, alsoChanged, alsoChangedTables, schemaChange, alsoRemoved, broken, lastInsertRowid, rolledBack, returning } = reply;
  const members = {
    changes,
    ...(alsoChanged !== undefined && { alsoChanged }),
    ...(alsoChangedTables !== undefined && { alsoChangedTables }),
    ...(schemaChange !== undefined && { schemaChanged: schemaChange.isDone }),
    ...(alsoRemoved !== undefined && { alsoRemoved }),
    ...(broken !== undefined && { broken }),
    lastInsertRowid,
    rolledBack,
    ...(reply.needsConfirmation === true && { needsConfirmation: true }),
    ...previewMembers(reply.previews),
  };
  const notes: Block[] = notesOn(reply).map((line) => text(line));
  if (returning === undefined)
    return {
      content: [
        ...(schemaChange === undefined && !rolledBack && !(reply.verb in DONE) ? [text(JSON.stringify([{ affected_rows: changes }]))] : []),
        ...notes,
      ],
      structured: members,
    };
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

/** Statements that change no rows, with what they have done. */
const DONE: Readonly<Record<string, string>> = {
  ANALYZE: "The statistics for the planner were updated.",
  REINDEX: "The indexes were built anew.",
};

function notesOn(reply: WriteReply): string[] {
  const { verb, changes, alsoChanged, alsoChangedTables, schemaChange, alsoRemoved, broken, rolledBack, previews, slips = [] } = reply;
  const also = alsoChangedText(alsoChanged, alsoChangedTables);
  const rows = rolledBack
    ? `${verb} would change ${counted(changes, "row")}${also}.`
    : `${verb} changed ${counted(changes, "row")}${also}.`;
  const sentences = [
    ...(schemaChange === undefined ? [] : [schemaText(schemaChange, rolledBack)]),
    ...(verb in DONE && !rolledBack ? [DONE[verb] ?? ""] : also !== "" || (rolledBack && schemaChange === undefined) ? [rows] : []),
    ...wholeTableText(reply, rolledBack),
    ...(alsoRemoved === undefined ? [] : [alsoRemovedText(alsoRemoved, rolledBack)]),
    ...(broken === undefined ? [] : [brokenText(broken, rolledBack)]),
  ];
  const summary = rolledBack
    ? [["Dry run:", ...sentences, "Nothing was changed.", ...confirmationText(reply)].join(" ")]
    : sentences.length > 0
      ? [sentences.join(" ")]
      : [];
  return [...summary, ...slips.map((slip) => `[${slip}]`), ...previewLines(previews)];
}
