// The text of the reply to import_csv: what was imported, how the file was read, and what the caller may want otherwise.
import { clip, counted } from "@oarlock/domain-kit";
import type { DetectedCsv, ImportReply } from "../db/protocol/file-messages.ts";
import { alsoChangedText } from "./side-effects.ts";

/** Columns named with their types. */
const NAMED_COLUMNS = 40;

export function importText(reply: ImportReply, isDryRun: boolean): string {
  const verb = isDryRun ? "Would import" : "Imported";
  const also = alsoChangedText(reply.alsoChanged, reply.alsoChangedTables);
  const lines = [
    `${verb} ${counted(reply.rows, "row")} into ${clip(reply.table)}${also}`,
    `Read as ${layoutText(reply.detected)}. Columns: ${columnsText(reply)}.`,
    ...reply.notes,
    ...(reply.firstRows === undefined ? [] : [`First rows as they would be stored:\n${reply.firstRows.trimEnd()}`]),
  ];
  return lines.join("\n");
}

const DELIMITERS: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" };

function layoutText({ encoding, delimiter, quote, skippedLines, header }: DetectedCsv): string {
  return [
    `${encoding}, separated by ${DELIMITERS[delimiter] ?? JSON.stringify(delimiter)}`,
    ...(quote === '"' ? [] : [`quoted by ${quote}`]),
    ...(skippedLines === 0 ? [] : [`${counted(skippedLines, "line")} before it left out`]),
    ...(header ? [] : ["no line with names"]),
  ].join(", ");
}

function columnsText({ columns, types }: ImportReply): string {
  const named = columns.slice(0, NAMED_COLUMNS).map((name, index) => `${clip(name)} ${types[index] ?? ""}`.trimEnd());
  return named.join(", ") + (columns.length > NAMED_COLUMNS ? ` and ${columns.length - NAMED_COLUMNS} more` : "");
}
