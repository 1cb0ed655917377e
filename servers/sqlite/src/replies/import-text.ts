// The text of the reply to import_csv: what was imported, how the file was read, and what the caller may want otherwise.
import { clip, counted } from "@oarlock/domain-kit";
import type { ImportReply, NumbersRead } from "../db/protocol/file-messages.ts";
import { alsoChangedText, confirmationText } from "./side-effects.ts";

/** Columns named with their types. */
const NAMED_COLUMNS = 40;

export function importText(reply: ImportReply, isDryRun: boolean): string {
  const verb = isDryRun ? "Would import" : "Imported";
  const also = alsoChangedText(reply.alsoChanged, reply.alsoChangedTables);
  const lines = [
    `${verb} ${counted(reply.rows, "row")} into ${clip(reply.table)}${also}`,
    ...confirmationText(reply),
    `Read as ${layoutText(reply)}. Columns: ${columnsText(reply)}.`,
    ...reply.notes,
    ...Object.entries(reply.sums ?? {})
      .slice(0, NAMED_COLUMNS)
      .map(sumText),
    ...(reply.firstRows === undefined ? [] : [`First rows as they would be stored:\n${reply.firstRows.trimEnd()}`]),
  ];
  return lines.join("\n");
}

const sumText = ([name, { count, least, most, sum }]: readonly [string, NumbersRead]): string =>
  `Numbers of ${clip(name)}: ${count} from ${least} to ${most}, sum ${sum}.`;

const DELIMITERS: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" };

function layoutText({ detected: { encoding, delimiter, quote, header }, skippedText }: ImportReply): string {
  return [
    `${encoding}${encoding === "windows-1252" ? " (if letters are wrong, pass encoding, such as windows-1250)" : ""}, separated by ${DELIMITERS[delimiter] ?? JSON.stringify(delimiter)}`,
    ...(quote === '"' ? [] : [`quoted by ${quote}`]),
    ...(skippedText === undefined ? [] : [`${JSON.stringify(skippedText)} before it left out`]),
    ...(header ? [] : ["no line with names"]),
  ].join(", ");
}

function columnsText({ columns, types }: ImportReply): string {
  const named = columns.slice(0, NAMED_COLUMNS).map((name, index) => `${clip(name)} ${types[index] ?? ""}`.trimEnd());
  return named.join(", ") + (columns.length > NAMED_COLUMNS ? ` and ${columns.length - NAMED_COLUMNS} more` : "");
}
